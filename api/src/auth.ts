// Tokens and the headers that requests and responses carry. Header names and token prefixes are
// public and not in the spec, which only has `Authorization`.

/** API tokens are bound to capabilities; personal tokens act as a user. */
export type TokenKind = 'api' | 'personal';

/** What a token of each kind starts with. */
export const TOKEN_PREFIXES = { api: 'xaat-', personal: 'xapt-' } as const satisfies Record<
  TokenKind,
  string
>;

/** The kind a hosted token says it is, or undefined where its prefix is neither. */
export function tokenKind(token: string): TokenKind | undefined {
  if (token.startsWith(TOKEN_PREFIXES.api)) return 'api';
  if (token.startsWith(TOKEN_PREFIXES.personal)) return 'personal';
  return undefined;
}

/** Headers of requests, in lower case. */
export const REQUEST_HEADERS = {
  authorization: 'authorization',
  /** The organisation a personal token acts in. */
  organization: 'x-axiom-org-id',
  contentType: 'content-type',
  contentEncoding: 'content-encoding',
  /** Field names of a CSV body without a header line, separated by commas; empty means none. */
  csvFields: 'x-axiom-csv-fields',
  /** Labels for every event of the request, as one JSON object. */
  eventLabels: 'x-axiom-event-labels',
  /** The dataset that OpenTelemetry data goes to. */
  dataset: 'x-axiom-dataset',
} as const;

/** Headers of responses, in lower case. */
export const RESPONSE_HEADERS = {
  trace: 'x-axiom-trace-id',
  historyQuery: 'x-axiom-history-query-id',
  queryCost: 'x-axiom-query-cost-gbms',
  /** Notices about the queries of a resource that was saved, as JSON in ASCII. Of the local deployment alone. */
  messages: 'x-aplomb-messages',
  retryAfter: 'retry-after',
  /** Requests a minute. Each family has limit, remaining and reset (seconds since 1970, UTC). */
  rateScope: 'x-ratelimit-scope',
  rateLimit: 'x-ratelimit-limit',
  rateRemaining: 'x-ratelimit-remaining',
  rateReset: 'x-ratelimit-reset',
  queryLimit: 'x-querylimit-limit',
  queryRemaining: 'x-querylimit-remaining',
  queryReset: 'x-querylimit-reset',
  ingestLimit: 'x-ingestlimit-limit',
  ingestRemaining: 'x-ingestlimit-remaining',
  ingestReset: 'x-ingestlimit-reset',
} as const;
