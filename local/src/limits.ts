/** This deployment's own limits, which are generous. The service's documented limits are in `api`. */

/** Maximum size of an ingest request's body after decompression, in bytes. */
export const INGEST_BODY_BYTES_MAX = 128 * 1_048_576;

/** Maximum size of all other requests' bodies, in bytes. */
export const JSON_BODY_BYTES_MAX = 4 * 1_048_576;

/** Maximum nesting depth of a request's JSON. Events have a separate limit. */
export const JSON_DEPTH_MAX = 100;

/** Maximum nesting depth of a stored document. Older versions accepted documents deeper than `JSON_DEPTH_MAX`. */
export const STORED_JSON_DEPTH_MAX = 1_000;

/**
 * Maximum total bytes of the ingest bodies stored concurrently. Eight row groups (`ROW_GROUP_EVENTS` rows each) of 1 KB
 * events have about this size.
 */
export const INGEST_CONCURRENT_BYTES_MAX = 512 * 1_048_576;

/** A smaller body counts as this size, which limits the number of small bodies. */
export const INGEST_REQUEST_BYTES_MIN = 4 * 1_048_576;

/** Maximum bytes of ingest requests that have arrived but aren't stored yet. See `arrivals.ts`. */
export const ARRIVED_BYTES_MAX = 1_024 * 1_048_576;

/** Number of bytes of each body that are always accepted, so that small requests don't wait for large ones. */
export const ARRIVED_BYTES_FREE = 1_048_576;

/** Minimum speed of a body. Only time spent waiting for the client counts. */
export interface BodyPace {
  readonly stallMs: number;
  /** The body is rejected if fewer than `windowBytes` arrive in a time window of this length. */
  readonly windowMs: number;
  readonly windowBytes: number;
}

export const BODY_PACE: BodyPace = { stallMs: 30_000, windowMs: 60_000, windowBytes: 64 * 1_024 };

export interface ConnectionLimits {
  /** Maximum time for a request's headers to arrive. */
  readonly headMs: number;
  /** Limits for reading the rest of a rejected body, which keeps the connection usable. */
  readonly drainBytes: number;
  readonly drainMs: number;
  /**
   * Maximum total time for a client to read its last response and disconnect. `lingerIdleMs`: the maximum time without
   * activity while waiting.
   */
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

/** Maximum size of a file or URL that externaldata reads, in bytes. The service has the same limit. */
export const EXTERNAL_BYTES_MAX = 5 * 1_000_000;

export const EXTERNAL_FETCH_MS_MAX = 30_000;

export const EXTERNAL_ADDRESSES_MAX = 20;

/** Maximum number of running queries in their first second, and of running longer queries. */
export const QUERY_CONCURRENCY = 16;

export const QUERY_MS_MAX = 300_000;

/** Default length of a query's time range, in years. */
export const DEFAULT_RANGE_YEARS = 10;

/** Maximum time that the process waits for the first VS Code window to connect. */
export const FIRST_HOLD_MS = 30_000;

/**
 * How long the process keeps running after the last VS Code window disconnects. Shorter on Windows, where a running
 * process blocks updates of the extension. Both times are long enough for a reloaded window, which reconnects within
 * two seconds.
 */
export const IDLE_END_MS = process.platform === 'win32' ? 5_000 : 30_000;

/** Maximum time for running requests to finish when the process exits. */
export const GRACE_MS = 5_000;

/** Maximum time for an interrupted statement to stop before the process restarts. */
export const STUCK_MS = 10_000;

/** Maximum time to wait for a response from the process that holds the database lock. */
export const OTHER_START_MS = 15_000;

/** Maximum time for running requests to finish before the process restarts. */
export const RESTART_GRACE_MS = 2_000;

/** Memory that DuckDB doesn't count: ingest bodies, the program's heap, and the engine's lists and strings. */
export const MEMORY_BEYOND_ENGINE = 1_024 * 1_048_576;

export const PLAN_MS_MAX = 20_000;

/** Maximum total length of queries to analyze in the main thread. A worker thread analyzes longer ones. */
export const MAIN_THREAD_QUERY_CHARS_MAX = 5_000;

/** Maximum number of fields in all datasets for analyzing a query of many datasets in the main thread. */
export const MAIN_THREAD_FIELDS_MAX = 2_000;

/** Maximum memory of the planning thread, in MiB. */
export const PLAN_MEMORY_MB_MAX = 1_024;
