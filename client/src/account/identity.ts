// Reads who a token acts as and what it may do. An API token has no endpoint for its permissions, so each read is
// tried. Nothing is written.
import type { EndpointKey, ReadResponse } from '../../../api/src/index.ts';
import { RESPONSE_HEADERS, type TokenKind } from '../../../api/src/plain.ts';
import type { Failure, Outcome } from '../api/failure.ts';
import type { HttpAnswer } from '../api/http.ts';
import { Service } from '../api/service.ts';
import { type Allowed, fetchTokenAccess } from '../api/tokenAccess.ts';
import { recordInUse, type TokenRecord } from './tokenExpiry.ts';

const TIMEOUT_MS = 15_000;

export type Learned<T> = { readonly value: T } | { readonly failure: Failure };

export interface Use {
  readonly what: string;
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt?: number;
  readonly unit: 'requests' | 'GB·ms' | 'bytes';
}

export interface Identity {
  readonly kind: TokenKind | undefined;
  readonly user?: Learned<ReadResponse<'getCurrentUser'>>;
  readonly access: readonly { readonly what: string; readonly allowed: Allowed }[];
  readonly organizations: Learned<ReadResponse<'listOrganizations'>>;
  readonly roles: Learned<ReadResponse<'listRoles'>>;
  readonly groups: Learned<ReadResponse<'listGroups'>>;
  readonly tokens: Learned<ReadResponse<'listTokens'>>;
  readonly ownRecord?: TokenRecord;
  /** The number of datasets per edge deployment. */
  readonly regions: readonly { readonly id: string; readonly datasets: number }[];
  readonly use: readonly Use[];
  readonly failure?: Failure;
}

/** Reads that show permissions besides querying and sending events, with the capability that each one requires. */
const reads = [
  ['Read monitors', 'listMonitors'],
  ['Read dashboards', 'listDashboards'],
  ['Read views', 'listViews'],
  ['Read annotations', 'listAnnotations', 'annotations'],
  ['Read saved queries', 'listSavedQueries'],
  ['Read users', 'listUsers', 'users'],
] as const satisfies readonly (readonly [string, EndpointKey, string?])[];

/** Returns undefined if it was cancelled. */
export async function fetchIdentity(
  asked: Service,
  token: string | undefined,
  kind: TokenKind | undefined,
  signal: AbortSignal,
): Promise<Identity | undefined> {
  const limits = new Limits();
  const service = new Service({
    ...asked.connection,
    onAnswer: (answer) => limits.note(answer),
  });
  const how = { signal, timeoutMs: TIMEOUT_MS };
  const ask = async <K extends EndpointKey>(key: K): Promise<Learned<ReadResponse<K>>> => {
    const answer = await service.call(key, how);
    return answer.ok ? { value: answer.value.typed } : { failure: answer.failure };
  };
  const access = await fetchTokenAccess(service, token, signal);
  const [user, organizations, roles, groups, tokens, datasets, ...tried] = await Promise.all([
    kind === 'personal' ? ask('getCurrentUser') : undefined,
    ask('listOrganizations'),
    ask('listRoles'),
    ask('listGroups'),
    ask('listTokens'),
    ask('listDatasets'),
    ...reads.map(([, key]) => ask(key)),
  ]);
  if (signal.aborted) return undefined;
  const read = [
    ...reads.map(([, , capability], at) => [capability, tried[at]] as const),
    ['rbac', roles] as const,
    ['apiTokens', tokens] as const,
  ].flatMap(([capability, answer]) =>
    capability !== undefined && allowed(answer) === 'yes' ? capability : [],
  );
  const ownRecord =
    kind === 'api' && 'value' in tokens ? recordInUse(tokens.value, read, Date.now()) : undefined;
  return {
    kind,
    ...(user && { user }),
    access: [
      ...accessRows(access),
      ...reads.map(([what], at) => ({ what, allowed: allowed(tried[at]) })),
      { what: 'Read roles and groups', allowed: allowed(roles) },
      { what: 'Read tokens', allowed: allowed(tokens) },
    ],
    organizations,
    roles,
    groups,
    tokens,
    ...(ownRecord && { ownRecord }),
    regions: 'value' in datasets ? regionsOf(datasets.value) : [],
    use: limits.use,
    ...(!access.ok && { failure: access.failure }),
  };
}

function accessRows(access: Awaited<ReturnType<typeof fetchTokenAccess>>): Identity['access'] {
  const allowedTo = (can: 'list' | 'query' | 'ingest'): Allowed => {
    if (access.ok) return can === 'list' ? (access.value.list ? 'yes' : 'no') : access.value[can];
    return isRefusal(access) ? 'no' : 'unknown';
  };
  return [
    { what: 'List datasets', allowed: allowedTo('list') },
    { what: 'Query', allowed: allowedTo('query') },
    { what: 'Send events', allowed: allowedTo('ingest') },
  ];
}

function allowed(tried: Learned<unknown> | undefined): Allowed {
  if (tried === undefined) return 'unknown';
  if ('value' in tried) return 'yes';
  return isRefusal({ ok: false, failure: tried.failure }) ? 'no' : 'unknown';
}

function isRefusal(answer: Outcome<unknown>): boolean {
  if (answer.ok) return false;
  const { kind, status } = answer.failure;
  return kind === 'token' || status === 401 || status === 403;
}

function regionsOf(datasets: ReadResponse<'listDatasets'>): Identity['regions'] {
  const counts = new Map<string, number>();
  for (const { edgeDeployment } of datasets) {
    if (edgeDeployment) counts.set(edgeDeployment, (counts.get(edgeDeployment) ?? 0) + 1);
  }
  return [...counts].map(([id, count]) => ({ id, datasets: count }));
}

/** The latest valid `Date`, in milliseconds since 1970. */
const TIME_MAX = 8.64e15;

/** Collects limits from response headers. The latest of each family counts. */
class Limits {
  readonly #found = new Map<string, Use>();

  note(answer: HttpAnswer): void {
    for (const [what, unit, family] of families) {
      const read = (name: 'Limit' | 'Remaining' | 'Reset') =>
        Number(answer.header(RESPONSE_HEADERS[`${family}${name}`]) ?? Number.NaN);
      const [limit, remaining, reset] = [read('Limit'), read('Remaining'), read('Reset')];
      if (!Number.isFinite(limit) || !Number.isFinite(remaining)) continue;
      // A later time is not a valid `Date`.
      const isTime = reset > 0 && reset * 1_000 <= TIME_MAX;
      const resetsAt = isTime ? { resetsAt: reset * 1_000 } : {};
      this.#found.set(what, { what, unit, limit, remaining, ...resetsAt });
    }
  }

  get use(): readonly Use[] {
    return [...this.#found.values()];
  }
}

const families = [
  ['Requests per minute', 'requests', 'rate'],
  ['Queries', 'GB·ms', 'query'],
  ['Ingest per month', 'bytes', 'ingest'],
] as const;
