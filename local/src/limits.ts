/**
 * Limits of our own, generous where the service documents none; documented ones stand in `api`.
 */

/** Bytes of the body of an ingest request, unpacked, at most. */
export const INGEST_BODY_BYTES_MAX = 128 * 1_048_576;

/** Bytes of any other body, at most. */
export const JSON_BODY_BYTES_MAX = 4 * 1_048_576;

/** Ingest requests that are worked on at once; each holds its body in memory. */
export const INGEST_CONCURRENCY = 4;

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
