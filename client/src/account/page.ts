// The Who Am I page as a document without scripts. All content is escaped, and links run only fixed commands.
import { EDGE_DEPLOYMENTS } from '../../../api/src/plain.ts';
import { grouped } from '../../../formats/src/counts.ts';
import { visibleMarkup } from '../../../table/src/visibleText.ts';
import { isProduction, type Profile } from '../deployments/profiles.ts';
import type { Outcome } from '../service/failure.ts';
import type { Allowed } from '../service/tokenAccess.ts';
import type { Identity, Use } from './identity.ts';
import { pageStyle } from './pageStyle.ts';
import { endOf, expiryOf } from './tokenExpiry.ts';

export interface PageParts {
  readonly profile: Profile;
  readonly identity: Identity;
  /** When the page was read, in milliseconds since 1970. */
  readonly readAt: number;
  readonly nonce: string;
}

export const pageCommands = ['aplomb.whoAmI', 'aplomb.changeToken', 'aplomb.editDeployment'];

export function accountPage({ profile, identity, readAt, nonce }: PageParts): string {
  const { name } = profile;
  const sections = [
    personSection(identity, readAt),
    accessSection(identity),
    organizationSection(identity),
    useSection(identity.use),
    licenseSection(identity),
    rolesSection(identity),
    groupsSection(identity),
    tokensSection(identity),
  ].filter(Boolean);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<title>Who Am I</title>
<style nonce="${nonce}">${pageStyle}</style>
</head>
<body>
<main>
<header>
<h1>${visibleMarkup(name)}${isProduction(profile) ? ' <span class="mark">Production</span>' : ''}</h1>
<p class="dim">${addressWords(profile)}</p>
<p class="links">${link('aplomb.whoAmI', name, 'Refresh')}${
    profile.kind === 'hosted'
      ? link('aplomb.changeToken', name, 'Change Token') +
        link('aplomb.editDeployment', name, 'Edit Deployment')
      : ''
  }<span class="dim">Read at ${time(readAt)}</span></p>
</header>
${problemsOf(identity)}
${expiryWarning(identity, name, readAt)}
<div class="sections">
${sections.join('\n')}
</div>
</main>
</body>
</html>`;
}

/** Parts of the identity that are fetched separately, by their names in messages. */
const parts = {
  user: 'you',
  organizations: 'the organization',
  roles: 'roles',
  groups: 'groups',
  tokens: 'API tokens',
} as const;

/** Lists each failure once. If other parts could be read, the failure names the parts that it affects. */
function problemsOf(identity: Identity): string {
  const problems = new Map<string, string[]>();
  if (identity.failure) problems.set(identity.failure.message, []);
  let isAll = true;
  for (const [key, name] of Object.entries(parts)) {
    const part = identity[key as keyof typeof parts];
    if (part === undefined) continue;
    if (!part.ok && hasSharedFailure(identity, part)) {
      const { message } = part.failure;
      problems.set(message, [...(problems.get(message) ?? []), name]);
    } else isAll = false;
  }
  return [...problems]
    .map(([message, names]) => {
      const which = isAll || names.length === 0 ? '' : ` Not available: ${names.join(', ')}.`;
      return `<p class="problem" role="alert">${visibleMarkup(message)}${which}</p>`;
    })
    .join('\n');
}

/** Returns whether the top of the page already reports why a part failed. */
function hasSharedFailure({ failure: ofAll }: Identity, part: Outcome<unknown>): boolean {
  if (part.ok) return false;
  const { kind, message } = part.failure;
  return (kind !== 'refused' && kind !== 'token') || message === ofAll?.message;
}

function expiryWarning({ ownRecord }: Identity, name: string, now: number): string {
  const expiry = ownRecord && expiryOf(ownRecord, now);
  if (!expiry?.isNear) return '';
  return `<p class="problem warning" role="alert">The token expires ${expiry.words}, at ${time(expiry.at)}. Create another one, then ${link('aplomb.changeToken', name, 'change the token')}.</p>`;
}

function personSection(identity: Identity, now: number): string {
  const { user, kind, organizations, ownRecord } = identity;
  const token = kind === 'personal' ? 'Personal token' : kind === 'api' ? 'API token' : 'Token';
  const rows: Row[] = [['Token', ownRecord ? `${token} '${ownRecord.name}'` : token]];
  if (ownRecord) {
    const expiry = expiryOf(ownRecord, now);
    const date = dateOf(ownRecord.expiresAt);
    rows.push(['Expires', expiry ? `${date}, ${expiry.words}` : 'Never']);
  }
  if (user === undefined) {
    rows.push(['Acts as', 'The token itself, with its own capabilities']);
  } else if (user.ok) {
    const { name, email, role, id } = user.value;
    rows.unshift(['Name', name], ['Email', email], ['Role', role?.name], ['Identifier', id]);
  } else {
    const isSaid = hasSharedFailure(identity, user);
    rows.push(['User', isSaid ? 'Unknown' : `Unknown. ${user.failure.message}`]);
  }
  if (organizations.ok && organizations.value.length > 1) {
    rows.push(['Organizations', organizations.value.map(({ name }) => name).join(', ')]);
  }
  return section('You', list(rows));
}

const allowedWords: Readonly<Record<Allowed, string>> = {
  yes: 'Yes',
  some: 'Some datasets',
  no: 'No',
  unknown: 'Unknown',
};

function accessSection({ access }: Identity): string {
  if (access.every(({ allowed }) => allowed === 'unknown')) return '';
  const rows = access.map(
    ({ what, allowed }) =>
      `<li class="${allowed}"><span aria-hidden="true" class="sign"></span>${visibleMarkup(what)}<span class="dim">${allowedWords[allowed]}</span></li>`,
  );
  return section('Access of the Token', `<ul class="access">${rows.join('')}</ul>`);
}

function organizationSection(identity: Identity): string {
  const { organizations, regions } = identity;
  const stored = regions.map(({ id, datasets }): Row => {
    const name = EDGE_DEPLOYMENTS.find((edge) => edge.id === id)?.name ?? id;
    return [`Datasets in ${name}`, String(datasets)];
  });
  if (!organizations.ok) {
    const why = hasSharedFailure(identity, organizations) ? '' : note(organizations);
    return section('Organization', why + list(stored));
  }
  const parts = organizations.value.map((organization) =>
    list([
      ['Name', organization.name],
      ['Identifier', organization.id],
      ['Your role', organization.role],
      ['Plan', organization.plan],
      ['Payment', organization.paymentStatus === 'na' ? undefined : organization.paymentStatus],
      ['Contact', organization.primaryEmail],
    ]),
  );
  return section('Organization', parts.join('<hr>') + list(stored));
}

function useSection(use: readonly Use[]): string {
  const rows = use.map(({ what, limit, remaining, resetsAt, unit }) => {
    const used = Math.max(0, limit - remaining);
    const [amount, name] = unit === 'bytes' ? [gigabytes, 'GB'] : [grouped, unit];
    const resets = resetsAt === undefined ? '' : `, until ${time(resetsAt)}`;
    return `<div class="use"><span>${visibleMarkup(what)}</span><meter min="0" max="${limit}" low="${limit * 0.75}" high="${limit * 0.9}" optimum="0" value="${used}" aria-label="${visibleMarkup(what)}"></meter><span class="dim">${amount(used)} of ${amount(limit)} ${name}${resets}</span></div>`;
  });
  return section('Use', rows.join(''));
}

const licenseRows = [
  ['maxDatasets', 'Datasets'],
  ['maxFields', 'Fields per dataset'],
  ['maxMonitors', 'Monitors'],
  ['maxEndpoints', 'Endpoints'],
  ['maxUsers', 'Users'],
  ['monthlyIngestGb', 'Ingest per month, GB'],
  ['monthlyQueryGbHours', 'Queries per month, GB-hours'],
  ['storageAllowanceGB', 'Storage, GB'],
  ['apiRateLimitPerSecond', 'Requests per second'],
  ['maxQueryWindowSeconds', 'Longest query range'],
  ['maxAuditWindowSeconds', 'Longest audit range'],
] as const;

function licenseSection({ organizations }: Identity): string {
  const license = organizations.ok ? organizations.value[0]?.license : undefined;
  if (!license) return '';
  const limits = licenseRows.flatMap(([key, label]): Row[] => {
    const value = license[key];
    if (typeof value !== 'number' && typeof value !== 'bigint') return [];
    const isSpan = key.endsWith('WindowSeconds');
    return [[label, isSpan ? days(Number(value)) : grouped(Number(value))]];
  });
  const { tier, issuedTo, expiresAt, validFrom } = license;
  const rows: Row[] = [
    ['Tier', tier],
    ['Issued to', issuedTo],
    ['Valid from', dateOf(validFrom)],
    ['Expires', dateOf(expiresAt)],
    ...limits,
  ];
  return section('License', list(rows));
}

function rolesSection(identity: Identity): string {
  const { roles, user } = identity;
  if (!roles.ok) return failedSection(identity, 'Roles', roles);
  const own = user?.ok ? user.value.role : undefined;
  const isOwn = (name: string) => own?.name === name;
  const ordered = [...roles.value].sort((a, b) => Number(isOwn(b.name)) - Number(isOwn(a.name)));
  const rows = ordered.map(
    ({ name, description, orgCapabilities, datasetCapabilities }) =>
      `<details><summary><strong>${visibleMarkup(name)}</strong>${isOwn(name) ? ', your role' : ''}${description ? ` <span class="dim">${visibleMarkup(description)}</span>` : ''}</summary>${capabilities(orgCapabilities, datasetCapabilities)}</details>`,
  );
  return section('Roles', rows.join(''));
}

function capabilities(organization: unknown, datasets: unknown): string {
  const rows = [
    ...grants(organization).map(([what, actions]): Row => [what, actions]),
    ...Object.entries(objectOf(datasets)).flatMap(([dataset, granted]) =>
      grants(granted).map(
        ([what, actions]): Row => [
          `${dataset === '*' ? 'All datasets' : dataset}: ${what}`,
          actions,
        ],
      ),
    ),
  ];
  return list(rows) || '<p class="dim">No capabilities.</p>';
}

function grants(value: unknown): (readonly [string, string])[] {
  return Object.entries(objectOf(value)).flatMap(([what, actions]) =>
    Array.isArray(actions) && actions.length > 0 ? [[what, actions.join(', ')] as const] : [],
  );
}

function groupsSection(identity: Identity): string {
  const { groups, user } = identity;
  if (!groups.ok) return failedSection(identity, 'Groups', groups);
  const own = user?.ok ? user.value.id : undefined;
  const rows = groups.value.map(
    ({ name, description, members }): Row => [
      own !== undefined && members?.includes(own) ? `${name} (you are in it)` : name,
      description || `${members?.length ?? 0} members`,
    ],
  );
  return section('Groups', list(rows) || '<p class="dim">No groups.</p>');
}

function tokensSection(identity: Identity): string {
  const { tokens, kind, ownRecord } = identity;
  if (!tokens.ok) {
    const unknown = '<p class="dim">The expiry of the token is unknown.</p>';
    return failedSection(identity, 'API Tokens', tokens, unknown);
  }
  const why =
    kind === 'personal' || ownRecord
      ? ''
      : '<p class="dim">The service does not report which of these tokens is in use, so its expiry is unknown.</p>';
  const rows = tokens.value.map(
    ({ id, name, expiresAt }): Row => [
      id === ownRecord?.id ? `${name} (in use)` : name,
      expiresAt ? `Expires ${dateOf(expiresAt)}` : 'No expiry',
    ],
  );
  const body = rows.length === 0 ? '<p class="dim">No API tokens.</p>' : why + list(rows);
  return section('API Tokens', body);
}

/** Returns a section for a failed part, or nothing if it would only repeat the message at the top. */
function failedSection(
  identity: Identity,
  title: string,
  part: Outcome<unknown>,
  before = '',
): string {
  return hasSharedFailure(identity, part) ? '' : section(title, before + note(part));
}

type Row = readonly [label: string, value: string | null | undefined];

function section(title: string, body: string): string {
  return body && `<section><h2>${title}</h2>${body}</section>`;
}

function list(rows: readonly Row[]): string {
  const shown = rows.map(([label, value]) =>
    value ? `<div><dt>${visibleMarkup(label)}</dt><dd>${visibleMarkup(value)}</dd></div>` : '',
  );
  return shown.some(Boolean) ? `<dl>${shown.join('')}</dl>` : '';
}

function note(part: Outcome<unknown>): string {
  return part.ok ? '' : `<p class="dim">${visibleMarkup(part.failure.message)}</p>`;
}

function link(command: string, name: string, label: string): string {
  const parameters = encodeURIComponent(JSON.stringify([name]));
  return `<a href="command:${command}?${visibleMarkup(parameters)}">${label}</a>`;
}

function addressWords(profile: Profile): string {
  if (profile.kind === 'local') return 'The local deployment, on this machine';
  const { general, edge, organization } = profile;
  const addresses = general === edge ? general : `${general}, queries at ${edge}`;
  return visibleMarkup(
    organization === undefined ? addresses : `${addresses}, organization ${organization}`,
  );
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toLocaleString('en-US', { maximumFractionDigits: 2 });
}

function days(seconds: number): string {
  const count = seconds / 86_400;
  return count >= 1 ? `${grouped(Math.round(count))} days` : `${seconds} s`;
}

function dateOf(value: string | null | undefined): string | undefined {
  const at = endOf(value);
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 10);
}

function time(milliseconds: number): string {
  const exact = new Date(milliseconds).toISOString();
  return `<time datetime="${exact}">${exact.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
