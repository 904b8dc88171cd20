// Token kinds, and the headers of requests and responses. Header names and token prefixes are public. Of these, the
// spec only has the `Authorization` header.

/** The kinds of tokens. An API token is limited to its capabilities, and a personal token acts as its user. */
export type TokenKind = 'api' | 'personal';

/** Token prefixes by kind. */
export const TOKEN_PREFIXES = { api: 'xaat-', personal: 'xapt-' } as const satisfies Record<
  TokenKind,
  string
>;

/** Returns the kind of a hosted token by its prefix; undefined for any other prefix. */
export function tokenKind(token: string): TokenKind | undefined {
  if (token.startsWith(TOKEN_PREFIXES.api)) return 'api';
  if (token.startsWith(TOKEN_PREFIXES.personal)) return 'personal';
  return undefined;
}

/** Headers of requests, in lower case. */
export const REQUEST_HEADERS = {
  authorization: 'authorization',
  /** The organization that a personal token acts in. */
  organization: 'x-axiom-org-id',
  contentType: 'content-type',
  contentEncoding: 'content-encoding',
  /** Comma-separated field names of a CSV body without a header line. Empty means none. */
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
  /** Notices about the queries of a saved resource, as ASCII JSON. Sent by the local deployment only. */
  messages: 'x-aplomb-messages',
  retryAfter: 'retry-after',
  /**
   * The rate limit per minute: its scope, the limit, the remaining requests, and the reset in seconds since 1970 (UTC).
   * The `query` and `ingest` families below have the same members except the scope.
   */
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
