// Finds a token's user and permissions. No endpoint returns an API token's permissions, so this tries each read
// endpoint. It never writes.
import type { EndpointKey, ReadResponse } from '../../../api/src/index.ts';
import { RESPONSE_HEADERS, tokenKind } from '../../../api/src/plain.ts';
import type { Outcome } from '../service/failure.ts';
import type { HttpAnswer } from '../service/http.ts';
import { Service } from '../service/service.ts';
import { type Allowed, fetchTokenAccess, isRefusal } from '../service/tokenAccess.ts';
import { recordInUse } from './tokenExpiry.ts';

const TIMEOUT_MS = 15_000;

export interface Use {
  readonly what: string;
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt?: number;
  readonly unit: 'requests' | 'GB·ms' | 'bytes';
}

export type Identity = NonNullable<Awaited<ReturnType<typeof fetchIdentity>>>;

/** Reads to try, each with the capability that it requires. Querying and ingesting are tried separately. */
const reads = [
  ['Read monitors', 'listMonitors'],
  ['Read dashboards', 'listDashboards'],
  ['Read views', 'listViews'],
  ['Read annotations', 'listAnnotations', 'annotations'],
  ['Read saved queries', 'listSavedQueries'],
  ['Read users', 'listUsers', 'users'],
] as const satisfies readonly (readonly [string, EndpointKey, string?])[];

/** Fetches a token's identity. Returns undefined if cancelled. */
export async function fetchIdentity(
  asked: Service,
  token: string | undefined,
  signal: AbortSignal,
) {
  const kind = token === undefined ? undefined : tokenKind(token);
  // If several responses have the same limit, the last response applies.
  const limits = new Map<string, Use>();
  const onAnswer = (answer: HttpAnswer): void => {
    for (const limit of limitsIn(answer)) limits.set(limit.what, limit);
  };
  const service = new Service({ ...asked.connection, onAnswer });
  const how = { signal, timeoutMs: TIMEOUT_MS };
  const ask = async <K extends EndpointKey>(key: K): Promise<Outcome<ReadResponse<K>>> => {
    const answer = await service.call(key, how);
    return answer.ok ? { ok: true, value: answer.value.typed } : answer;
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
  const allowedReads = reads.map(([what, , capability], at) => ({
    what,
    capability,
    allowed: allowed(tried[at]),
  }));
  const granted = [
    ...allowedReads,
    { capability: 'rbac', allowed: allowed(roles) },
    { capability: 'apiTokens', allowed: allowed(tokens) },
  ].flatMap(({ capability, allowed }) =>
    capability !== undefined && allowed === 'yes' ? capability : [],
  );
  const ownRecord =
    kind === 'api' && tokens.ok ? recordInUse(tokens.value, granted, Date.now()) : undefined;
  const canData = (permission: 'list' | 'query' | 'ingest') =>
    access.ok ? access.value[permission] : allowed(access);
  return {
    kind,
    ...(user && { user }),
    access: [
      { what: 'List datasets', allowed: canData('list') },
      { what: 'Query', allowed: canData('query') },
      { what: 'Send events', allowed: canData('ingest') },
      ...allowedReads,
      { what: 'Read roles and groups', allowed: allowed(roles) },
      { what: 'Read tokens', allowed: allowed(tokens) },
    ],
    organizations,
    roles,
    groups,
    tokens,
    ...(ownRecord && { ownRecord }),
    regions: datasets.ok ? regionsOf(datasets.value) : [],
    use: [...limits.values()],
    ...(!access.ok && { failure: access.failure }),
  };
}

function allowed(tried: Outcome<unknown> | undefined): Allowed {
  if (tried?.ok) return 'yes';
  return tried && isRefusal(tried.failure) ? 'no' : 'unknown';
}

function regionsOf(datasets: ReadResponse<'listDatasets'>) {
  const ids = datasets.flatMap(({ edgeDeployment }) => edgeDeployment || []);
  return [...Map.groupBy(ids, (id) => id)].map(([id, own]) => ({ id, datasets: own.length }));
}

/** The latest time of a valid `Date`, in milliseconds since 1970. */
const TIME_MAX = 8.64e15;

function limitsIn(answer: HttpAnswer): Use[] {
  return families.flatMap(([what, unit, family]) => {
    const read = (name: 'Limit' | 'Remaining' | 'Reset') =>
      Number(answer.header(RESPONSE_HEADERS[`${family}${name}`]) ?? Number.NaN);
    const [limit, remaining, reset] = [read('Limit'), read('Remaining'), read('Reset')];
    if (!Number.isFinite(limit) || !Number.isFinite(remaining)) return [];
    const isTime = reset > 0 && reset * 1_000 <= TIME_MAX;
    return { what, unit, limit, remaining, ...(isTime && { resetsAt: reset * 1_000 }) };
  });
}

const families = [
  ['Requests per minute', 'requests', 'rate'],
  ['Queries', 'GB·ms', 'query'],
  ['Ingest per month', 'bytes', 'ingest'],
] as const;
