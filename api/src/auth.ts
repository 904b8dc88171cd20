// Kinds of tokens, and the names of request and response headers. The names and the token prefixes are from public
// sources. The spec has only the `Authorization` header.

/** Kind of a token. An API token has its own capabilities. A personal token has those of its user. */
export type TokenKind = 'api' | 'personal';

/** Token prefixes by kind. */
export const TOKEN_PREFIXES = { api: 'xaat-', personal: 'xapt-' } as const satisfies Record<
  TokenKind,
  string
>;

/** Returns the kind of a token of the hosted service, by its prefix. Returns undefined for an unknown prefix. */
export function tokenKind(token: string): TokenKind | undefined {
  if (token.startsWith(TOKEN_PREFIXES.api)) return 'api';
  if (token.startsWith(TOKEN_PREFIXES.personal)) return 'personal';
  return undefined;
}

/** Names of request headers, in lower case. */
export const REQUEST_HEADERS = {
  authorization: 'authorization',
  /** The organization in which a personal token acts. */
  organization: 'x-axiom-org-id',
  contentType: 'content-type',
  contentEncoding: 'content-encoding',
  /** Comma-separated field names of a CSV body without a header line. An empty value counts as absent. */
  csvFields: 'x-axiom-csv-fields',
  /** Labels to add to every event of the request, as a JSON object. */
  eventLabels: 'x-axiom-event-labels',
  /** The dataset in which OpenTelemetry data is stored. */
  dataset: 'x-axiom-dataset',
} as const;

/** Names of response headers, in lower case. */
export const RESPONSE_HEADERS = {
  trace: 'x-axiom-trace-id',
  historyQuery: 'x-axiom-history-query-id',
  queryCost: 'x-axiom-query-cost-gbms',
  /** Notices about the queries of a saved resource, as JSON in ASCII. Only the local deployment sends this header. */
  messages: 'x-aplomb-messages',
  retryAfter: 'retry-after',
  /**
   * The rate limit per minute: its scope, the limit, the remaining requests, and the time of the reset in seconds since
   * 1970. The headers for the `query` and `ingest` limits below have the same form, but no scope.
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
