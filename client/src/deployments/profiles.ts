// Deployments in settings, validated and completed. Settings contain addresses and never a token. `credentials.ts`
// decides by origin where a token may be sent.

import {
  DEFAULT_EDGE_DEPLOYMENT,
  EDGE_DEPLOYMENTS,
  HOSTED_GENERAL_URL,
} from '../../../api/src/plain.ts';

interface LocalProfile {
  readonly kind: 'local';
  readonly name: typeof LOCAL_NAME;
}

export interface HostedProfile {
  readonly kind: 'hosted';
  readonly name: string;
  /** The addresses, without a trailing slash. */
  readonly general: string;
  readonly edge: string;
  readonly organization?: string;
  /** Whether writes need confirmation and the status bar shows a warning. */
  readonly production: boolean;
  /** Whether results may be stored on disk for reloaded windows, and in notebooks. Always false for production. */
  readonly keepResults: boolean;
  /** Whether tools for agents may use this deployment. Only an entry in the user's settings allows it. */
  readonly agents?: true;
  /** The level at which the entry is set. A workspace's entry overrides the user's entry with the same name. */
  readonly from: 'user' | 'workspace';
}

export type Profile = LocalProfile | HostedProfile;

/** The default button in questions about production. It changes nothing. */
export const KEEP_UNCHANGED = 'Keep Production Unchanged';

export function isProduction(profile: Profile): profile is HostedProfile {
  return profile.kind === 'hosted' && profile.production;
}

/** Returns the host that runs queries, or "on this machine". */
export function whereRuns(profile: Profile): string {
  return profile.kind === 'local' ? 'on this machine' : new URL(profile.edge).host;
}

/** Returns whether the general address is on this machine, so that it can be a process of Aplomb itself. */
export function isOnThisMachine(profile: Profile): boolean {
  return profile.kind === 'local' || isLoopback(new URL(profile.general).hostname);
}

/** Returns whether a name suggests production, such as `prod-eu` or `Live`. */
export function soundsLikeProduction(name: string): boolean {
  const words = name.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).map((word) => word.toLowerCase());
  const at = words.findIndex((word) => ['prod', 'prd', 'production', 'live'].includes(word));
  // Exclude names such as `non-prod` and `pre-production`.
  return at >= 0 && !['non', 'not', 'pre', 'no'].includes(words[at - 1] ?? '');
}

/** Returns whether results may be written to disk automatically. False for an unknown deployment. */
export function keepsResults(profile: Profile | undefined): boolean {
  return profile?.kind === 'local' || profile?.keepResults === true;
}

export const LOCAL_NAME = 'Local';
export const localProfile: LocalProfile = { kind: 'local', name: LOCAL_NAME };

export interface DeploymentSetting {
  readonly name: string;
  readonly region?: string;
  readonly url?: string;
  readonly edgeUrl?: string;
  readonly organization?: string;
  readonly production?: boolean;
  readonly keepResults?: boolean;
  readonly agents?: boolean;
}

/** The hosted service's regions, by their names in settings. */
export const regions: Readonly<Record<string, { label: string; general: string; edge: string }>> =
  Object.fromEntries(
    EDGE_DEPLOYMENTS.map(({ id, name, url }) => [
      id.split('.')[1],
      { label: name, general: HOSTED_GENERAL_URL, edge: url },
    ]),
  );

/** The setting's value at each level, not validated, because users write settings by hand. */
export type DeploymentLayers = Readonly<Record<HostedProfile['from'], unknown>>;

/** Returns the hosted deployments in the settings, each name once. Never throws. */
export function readProfiles(layers: DeploymentLayers) {
  const profiles = new Map<string, HostedProfile>();
  const problems: string[] = [];
  for (const from of ['user', 'workspace'] as const) {
    const entries = layers[from];
    if (entries === undefined || entries === null) continue;
    if (!Array.isArray(entries)) {
      problems.push(`aplomb.deployments must be an array (${from} settings).`);
      continue;
    }
    for (const [index, entry] of entries.entries()) {
      const read = readProfile(entry, from);
      if (typeof read === 'string') {
        problems.push(`aplomb.deployments, entry ${index + 1} (${from} settings): ${read}`);
      } else {
        profiles.set(read.name, cautious(read, [...profiles.values()]));
      }
    }
  }
  return { profiles: [...profiles.values()], problems };
}

/** Returns why tools for agents may not use a deployment, as a sentence for the model; undefined if they may. */
export function agentRefusal(profile: Profile): string | undefined {
  if (profile.kind === 'local' || profile.agents) return undefined;
  return `Agents may not use the deployment '${profile.name}'. A person can allow it with the command APL: Edit Deployment…, or select the local deployment.`;
}

/**
 * Applies the protections of other entries for the same deployment, so that a workspace can't lift them, even under
 * another name.
 */
function cautious(profile: HostedProfile, described: readonly HostedProfile[]): HostedProfile {
  const former = described.filter(({ name }) => name === profile.name);
  const hosts = hostsOf(profile);
  const sharesHost = (each: HostedProfile) => hostsOf(each).some((host) => hosts.includes(host));
  const alike =
    profile.from === 'user' || former.some((each) => isSamePlace(each, profile))
      ? former
      : described.filter((each) => former.includes(each) || sharesHost(each));
  // A workspace can't allow agents. It may describe a deployment for which the user allowed them.
  const { agents, ...own } = profile;
  const isAllowed =
    profile.from === 'user'
      ? agents
      : former.some((each) => each.agents && isSamePlace(each, profile));
  return {
    ...own,
    ...(isAllowed && { agents: true }),
    production: profile.production || alike.some(({ production }) => production),
    keepResults: profile.keepResults && alike.every(({ keepResults }) => keepResults),
  };
}

function isSamePlace(one: HostedProfile, other: HostedProfile): boolean {
  return (['general', 'edge', 'organization'] as const).every((key) => one[key] === other[key]);
}

function hostsOf(profile: HostedProfile): string[] {
  const origins = [...originsOf(profile), ...knownEdgeOrigins(profile)];
  return origins.map((origin) => new URL(origin).host.replace(/\.(?=:|$)/, ''));
}

/** Reads an entry. Returns a message if it is invalid. */
export function readProfile(entry: unknown, from: HostedProfile['from']): HostedProfile | string {
  if (typeof entry !== 'object' || entry === null) return 'An entry must be an object with a name.';
  const { name, region, url, edgeUrl, organization, production, keepResults, agents } =
    entry as Record<string, unknown>;
  if (typeof name !== 'string' || name.trim() === '') return 'The name is missing.';
  if (name === LOCAL_NAME) return `'${LOCAL_NAME}' is the built-in deployment. Use another name.`;
  const known = typeof region === 'string' && Object.hasOwn(regions, region);
  if (region !== undefined && !known) {
    return `The region of '${name}' must be one of ${Object.keys(regions).join(', ')}.`;
  }
  const place = known ? regions[region as string] : undefined;
  const general = address(url ?? place?.general);
  if (typeof general !== 'object') return `The url of '${name}' ${general}.`;
  // The query address to use by default, because the hosted service's general address doesn't accept queries.
  const usual =
    general.address === HOSTED_GENERAL_URL ? DEFAULT_EDGE_DEPLOYMENT.url : general.address;
  const edge = address(edgeUrl ?? place?.edge ?? usual);
  if (typeof edge !== 'object') return `The edgeUrl of '${name}' ${edge}.`;
  return {
    kind: 'hosted',
    name,
    general: general.address,
    edge: edge.address,
    ...(typeof organization === 'string' && organization !== '' && { organization }),
    production: production === true,
    keepResults: keepResults !== false && production !== true,
    ...(agents === true && { agents }),
    from,
  };
}

/** Returns the address without a trailing slash, or a message if it is invalid. */
export function address(value: unknown): { readonly address: string } | string {
  if (value === undefined) return 'is missing; set a region or a URL';
  if (typeof value !== 'string') return 'must be a string';
  if (!URL.canParse(value.trim())) return 'must look like https://api.example.com';
  const url = new URL(value.trim());
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return 'must start with https://, because a token is sent to it';
  }
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or a password';
  if (url.search !== '' || url.hash !== '') return 'must not contain ? or #';
  return { address: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Returns the origins for which a deployment's token is entered. */
export function originsOf({ general, edge }: HostedProfile): string[] {
  return [...new Set([new URL(general).origin, new URL(edge).origin])];
}

/** Returns the origins of all edge deployments if the general address belongs to the hosted service. */
export function knownEdgeOrigins({ general }: HostedProfile): readonly string[] {
  return general === HOSTED_GENERAL_URL ? EDGE_DEPLOYMENTS.map(({ url }) => url) : [];
}

/**
 * Checks an edge address in a dataset's record. Returns a message if the token cannot be sent there. An http address,
 * which must be on this machine, is valid only if the general address is one too.
 */
export function edgeAddress(
  named: string,
  { general }: HostedProfile,
): { readonly address: string } | string {
  const read = address(named);
  if (typeof read === 'string') return read;
  const isPlain = new URL(read.address).protocol === 'http:';
  return isPlain && new URL(general).protocol !== 'http:' ? 'must start with https://' : read;
}
