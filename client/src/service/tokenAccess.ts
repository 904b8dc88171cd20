// Finds a token's permissions by trying requests, because API tokens can't read them. Stores nothing, reads little.
import { tokenKind } from '../../../api/src/plain.ts';
import { inWords } from '../words/lists.ts';
import { askForValue, bracketed } from './ask.ts';
import type { Failure, Outcome } from './failure.ts';
import { sendEvents } from './sendEvents.ts';
import type { Service } from './service.ts';

const TIMEOUT_MS = 15_000;

/** The name of a dataset that doesn't exist, for a token that can't list datasets. */
const UNUSED_NAME = 'aplomb-token-test';

/** Access to all, some or no datasets. `unknown`: a refusal that may concern only the dataset that was tried. */
export type Allowed = 'yes' | 'some' | 'unknown' | 'no';

export interface TokenAccess {
  /** The kind of token; undefined for an unknown format. */
  readonly kind: 'api' | 'personal' | undefined;
  readonly list: Allowed;
  readonly query: Allowed;
  readonly ingest: Allowed;
}

/** Finds the permissions. Fails if the deployment is unreachable or rejects the token for every request. */
export async function fetchTokenAccess(
  service: Service,
  token: string | undefined,
  signal?: AbortSignal,
): Promise<Outcome<TokenAccess>> {
  const limits = { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
  const list = await service.call('listDatasets', limits);
  const unreached = failureOf(list);
  if (unreached && !isRefusal(unreached)) return { ok: false, failure: unreached };
  const dataset = (list.ok && list.value.typed[0]?.name) || UNUSED_NAME;
  const [query, ingest] = await Promise.all([
    tryQuery(service, signal, dataset),
    // Send an empty list of events, because it stores nothing even if the dataset exists.
    sendEvents(service, dataset, {
      contentType: 'application/json',
      body: Buffer.from('[]'),
      isTest: true,
      ask: true,
      ...limits,
    }),
  ]);
  const access: Omit<TokenAccess, 'kind'> = {
    list: allows(list) ? 'yes' : 'no',
    query: allowed(query),
    ingest: allowed(ingest),
  };
  const failure = [list, query, ingest].map(failureOf).find((found) => found && !isRefusal(found));
  const first = failure ?? failureOf(list);
  const usable = Object.values(access).some(isGranted);
  if (first && (failure || !usable)) return { ok: false, failure: first };
  return {
    ok: true,
    value: { kind: token === undefined ? undefined : tokenKind(token), ...access },
  };
}

/** Queries a dataset; by default, a dataset that doesn't exist. */
export function tryQuery(service: Service, signal?: AbortSignal, dataset = UNUSED_NAME) {
  return askForValue(
    { apl: `${bracketed(dataset)} | take 1`, startTime: 'now-1s', endTime: 'now' },
    { service, datasets: [dataset], askPerson: true, timeoutMs: TIMEOUT_MS, signal },
  );
}

/** Returns whether the token was accepted. An error about an invalid request also shows that it was accepted. */
function allows(answer: Outcome<unknown>): boolean {
  if (answer.ok) return true;
  const { kind, status = 0, byService } = answer.failure;
  // Don't count 404, with which a host that isn't the API answers every path.
  const isRead = [400, 409, 422].includes(status) || (status === 404 && byService === true);
  return kind === 'refused' && isRead;
}

/** Access by the local deployment's reason for a refusal. */
const reasons: Readonly<Record<string, Allowed>> = {
  'dataset-forbidden': 'some',
  'query-forbidden': 'some',
  'capability-missing': 'no',
};

function allowed(answer: Outcome<unknown>): Allowed {
  if (answer.ok || allows(answer)) return 'yes';
  const { status, code = '' } = answer.failure;
  return reasons[code] ?? (status === 403 ? 'unknown' : 'no');
}

export function isGranted(allowed: Allowed): boolean {
  return allowed === 'yes' || allowed === 'some';
}

function failureOf(answer: Outcome<unknown>): Failure | undefined {
  return answer.ok || allows(answer) ? undefined : answer.failure;
}

/** Returns whether a failure is about the token's permissions. Other requests may still be allowed. */
export function isRefusal({ kind, status }: Failure): boolean {
  return kind === 'token' || (kind === 'refused' && (status === 401 || status === 403));
}

/** Returns a sentence such as `The API token can query and ingest into some datasets. It cannot list datasets.` */
export function accessInWords(access: TokenAccess): string {
  const { kind } = access;
  const token = kind === undefined ? 'token' : kind === 'api' ? 'API token' : 'personal token';
  const rows = [
    { what: 'list datasets', ofSome: '', allowed: access.list },
    { what: 'query', ofSome: 'query', allowed: access.query },
    { what: 'ingest', ofSome: 'ingest into', allowed: access.ingest },
  ] as const;
  const can = rows.flatMap(({ what, ofSome, allowed }) =>
    allowed === 'yes' ? what : allowed === 'some' ? `${ofSome} some datasets` : [],
  );
  const cannot = rows.flatMap(({ what, allowed }) => (allowed === 'no' ? what : []));
  const may = rows.flatMap(({ ofSome, allowed }) => (allowed === 'unknown' ? ofSome : []));
  // Use British English, which has no serial comma.
  const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });
  const sentences = [
    `The ${token} can ${inWords(can)}.`,
    ...(cannot.length === 0 ? [] : [`It cannot ${or.format(cannot)}.`]),
    ...(may.length === 0 ? [] : [`It may be able to ${or.format(may)} some datasets.`]),
  ];
  return sentences.join(' ');
}
