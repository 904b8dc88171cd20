/** This deployment's own limits, which are generous. The service's documented limits are in `api`. */

/** Maximum size of an ingest request's body after decompression, in bytes. */
export const INGEST_BODY_BYTES_MAX = 128 * 1_048_576;

/** Maximum size of a request's body, in bytes, except for ingest requests. */
export const JSON_BODY_BYTES_MAX = 4 * 1_048_576;

/** Maximum nesting depth of a request's JSON. Events have a separate limit, beyond which values become null. */
export const JSON_DEPTH_MAX = 100;

/** Maximum nesting depth of a stored document. Higher than `JSON_DEPTH_MAX`, because older versions allowed more. */
export const STORED_JSON_DEPTH_MAX = 1_000;

/** Maximum total bytes of the ingest bodies that are stored concurrently: eight DuckDB row groups at 1 KB an event. */
export const INGEST_CONCURRENT_BYTES_MAX = 512 * 1_048_576;

/** Minimum size that a body counts as, so that the number of small bodies stored concurrently is limited too. */
export const INGEST_REQUEST_BYTES_MIN = 4 * 1_048_576;

/** Maximum bytes of ingest requests that have arrived but aren't stored yet. `arrivals.ts` lists exceptions. */
export const ARRIVED_BYTES_MAX = 1_024 * 1_048_576;

/** Number of bytes of each body that are always accepted, so that a small request never waits for large ones. */
export const ARRIVED_BYTES_FREE = 1_048_576;

/** Minimum speed at which a body must arrive. Only time spent waiting for the client counts. */
export interface BodyPace {
  /** Maximum time between two chunks of the body. */
  readonly stallMs: number;
  /** Length of a time window. The body is rejected if fewer than `windowBytes` arrive within it. */
  readonly windowMs: number;
  readonly windowBytes: number;
}

export const BODY_PACE: BodyPace = { stallMs: 30_000, windowMs: 60_000, windowBytes: 64 * 1_024 };

export interface ConnectionLimits {
  /** Maximum time for a request's headers to arrive. */
  readonly headMs: number;
  /** Maximum bytes and time to spend reading the rest of a rejected body in order to keep the connection. */
  readonly drainBytes: number;
  readonly drainMs: number;
  /** Maximum total and idle time for a client to read its last response and disconnect. */
  readonly lingerMs: number;
  readonly lingerIdleMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headMs: 30_000,
  drainBytes: 1_048_576,
  drainMs: 250,
  lingerMs: 10_000,
  lingerIdleMs: 2_000,
};

/** Maximum size of a file or URL that externaldata reads, in bytes. The service has the same maximum. */
export const EXTERNAL_BYTES_MAX = 5 * 1_000_000;

export const EXTERNAL_FETCH_MS_MAX = 30_000;

export const EXTERNAL_ADDRESSES_MAX = 20;

/** Maximum number of concurrent queries in their first second, and likewise of longer ones. Others wait. */
export const QUERY_CONCURRENCY = 16;

export const QUERY_MS_MAX = 300_000;

/** Default start of a query's time range, in years before its end, or before now if its end is in the future. */
export const DEFAULT_RANGE_YEARS = 10;

/** Maximum time that the process waits for the first VS Code window to connect. */
export const FIRST_HOLD_MS = 30_000;

/**
 * Time that the process keeps running after the last VS Code window disconnects. While it runs, Windows can't replace
 * its files, so an update of the extension would fail. A reloaded window reconnects within a second or two.
 */
export const IDLE_END_MS = process.platform === 'win32' ? 5_000 : 30_000;

/** Maximum time for running requests to finish when the process exits. */
export const GRACE_MS = 5_000;

/** Maximum time that a starting process waits for a response from the process that holds the database lock. */
export const OTHER_START_MS = 15_000;

/** Maximum time for running requests to finish before the process restarts. */
export const RESTART_GRACE_MS = 2_000;

/** Memory outside DuckDB's accounting: ingest bodies, the program's heap, and the engine's own lists and strings. */
export const MEMORY_BEYOND_ENGINE = 1_024 * 1_048_576;

export const PLAN_MS_MAX = 20_000;

/** Maximum total length of a resource's queries in the main thread. A worker thread analyzes longer queries. */
export const MAIN_THREAD_QUERY_CHARS_MAX = 5_000;

/** Number of fields in all datasets above which a worker thread analyzes the queries that may read many datasets. */
export const MAIN_THREAD_FIELDS_MAX = 2_000;

/** Maximum memory of the planning thread, in MiB. */
export const PLAN_MEMORY_MB_MAX = 1_024;
