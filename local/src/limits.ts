/**
 * Limits of our own, generous where the service documents none; documented ones stand in `api`.
 */

/** Bytes of the body of an ingest request, unpacked, at most. */
export const INGEST_BODY_BYTES_MAX = 128 * 1_048_576;

/** Bytes of any other body, at most. */
export const JSON_BODY_BYTES_MAX = 4 * 1_048_576;

/**
 * Bytes of the bodies of ingest requests that are worked on at once. Those of a row group or two fit in,
 * so that what many clients send is stored by one statement.
 */
export const INGEST_BYTES_AT_ONCE = 512 * 1_048_576;

/** What the body of a request counts as at least, so that small ones are bounded as well. */
export const INGEST_REQUEST_BYTES_LEAST = 4 * 1_048_576;

/** What a packed body is taken to unpack to, in times its size: logs pack to a tenth. */
export const UNPACKED_TIMES = 16;

/** Queries that run at once; later ones wait. */
export const QUERY_CONCURRENCY = 16;

/** How long one query may run. */
export const QUERY_MS_MAX = 300_000;

/** Without a range, a query covers this long until now: what users of the service have measured. */
export const DEFAULT_RANGE_YEARS = 10;

/** How long the process outlives the last window that holds it. */
export const IDLE_END_MS = 30_000;

/** How long running requests may take to finish once the process is told to end. */
export const GRACE_MS = 5_000;

/** How long a start waits for another process that has the database open to answer. */
export const OTHER_START_MS = 15_000;
