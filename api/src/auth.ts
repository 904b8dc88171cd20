// Kinds of tokens, and the names of headers. The names and the token prefixes are from public sources. The spec has
// only the `Authorization` header.

/** An API token has its own capabilities. A personal token has those of its user. */
export type TokenKind = 'api' | 'personal';

export const TOKEN_PREFIXES = { api: 'xaat-', personal: 'xapt-' } as const satisfies Record<
  TokenKind,
  string
>;

/** Returns the kind of a token, or undefined for an unknown prefix. */
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
  /** Comma-separated field names of a CSV body without a header line. An empty value means absent. */
  csvFields: 'x-axiom-csv-fields',
  /** A JSON object with labels for every event of the request. */
  eventLabels: 'x-axiom-event-labels',
  /** The dataset in which OpenTelemetry data is stored. */
  dataset: 'x-axiom-dataset',
} as const;

/** Names of response headers, in lower case. */
export const RESPONSE_HEADERS = {
  trace: 'x-axiom-trace-id',
  historyQuery: 'x-axiom-history-query-id',
  queryCost: 'x-axiom-query-cost-gbms',
  /** JSON in ASCII. Only the local deployment sends this header. */
  messages: 'x-aplomb-messages',
  retryAfter: 'retry-after',
  /**
   * Each limit has a maximum, a remaining amount, and a reset time in seconds since 1970. The limit per minute also has
   * a scope.
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
