/** The deployment's own limits, which are generous if the service documents none. Documented limits are in `api`. */

/** Maximum bytes of an ingest request's body, decompressed. */
export const INGEST_BODY_BYTES_MAX = 128 * 1_048_576;

/** Maximum bytes of any other body. */
export const JSON_BODY_BYTES_MAX = 4 * 1_048_576;

/** Maximum nesting of a request's JSON. Events have a separate limit, beyond which values become null. */
export const JSON_DEPTH_MAX = 100;

/** Maximum nesting of a stored document. It is greater than that of a request, because older versions accepted more. */
export const STORED_JSON_DEPTH_MAX = 1_000;

/** Maximum bytes of received ingest bodies that are stored concurrently: about eight row groups of 1 KB events. */
export const INGEST_CONCURRENT_BYTES_MAX = 512 * 1_048_576;

/** The minimum number of bytes that such a body counts as, so that the number of small bodies is limited too. */
export const INGEST_REQUEST_BYTES_MIN = 4 * 1_048_576;

/** Maximum bytes of ingest requests that have arrived but are not stored yet; see `arrivals.ts` for exceptions. */
export const ARRIVED_BYTES_MAX = 1_024 * 1_048_576;

/** Bytes of each body that may always arrive, so that a small request never waits for large ones. */
export const ARRIVED_BYTES_FREE = 1_048_576;

/** Minimum speed of a body. Only the time spent waiting for the client counts. */
export interface BodyPace {
  /** Maximum time without a byte. */
  readonly stallMs: number;
  /** At least `windowBytes` must arrive in every window of this length, or the body is rejected. */
  readonly windowMs: number;
  readonly windowBytes: number;
}

export const BODY_PACE: BodyPace = { stallMs: 30_000, windowMs: 60_000, windowBytes: 64 * 1_024 };

export interface ConnectionLimits {
  /** Maximum time to receive the headers of a request. */
  readonly headMs: number;
  /** Maximum bytes to drain of a rejected body, and the maximum time for it, so that the connection can be kept. */
  readonly drainBytes: number;
  readonly drainMs: number;
  /** Maximum time for reading on after the last response, in total and without a byte, so that none is lost. */
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

/** Maximum bytes of a file or URL that externaldata reads; the same as in the service. */
export const EXTERNAL_BYTES_MAX = 5 * 1_000_000;

export const EXTERNAL_FETCH_MS_MAX = 30_000;

export const EXTERNAL_ADDRESSES_MAX = 20;

/** Maximum number of concurrent queries, and of additional ones that have run for over a second. Other queries wait. */
export const QUERY_CONCURRENCY = 16;

export const QUERY_MS_MAX = 300_000;

/** Default length of a query's range in years, as measured by users of the service. A future end counts as now. */
export const DEFAULT_RANGE_YEARS = 10;

/** Maximum time the process waits for its first window. */
export const FIRST_HOLD_MS = 30_000;

/**
 * Time that the process keeps running after its last window closes. Windows can't replace files that a process has
 * loaded, so an update of the extension would fail until the process exits. A reloaded window reconnects within a
 * second or two.
 */
export const IDLE_END_MS = process.platform === 'win32' ? 5_000 : 30_000;

/** Maximum time for running requests to finish after the process is told to exit. */
export const GRACE_MS = 5_000;

/** Maximum time that a starting process waits for another one that has the database open to respond. */
export const OTHER_START_MS = 15_000;

/** Maximum time for requests in progress to finish before the process restarts. */
export const RESTART_GRACE_MS = 2_000;

/** Memory beyond DuckDB's count: ingest bodies, the program's heap, and DuckDB's uncounted lists and strings. */
export const MEMORY_BEYOND_ENGINE = 1_024 * 1_048_576;

export const PLAN_MS_MAX = 20_000;

/** Maximum total length of a resource's queries for the main thread. A worker thread analyzes longer ones. */
export const MAIN_THREAD_QUERY_CHARS_MAX = 5_000;

/** Maximum number of fields for analyzing queries that may read many datasets on the main thread, not a worker. */
export const MAIN_THREAD_FIELDS_MAX = 2_000;

/** Maximum memory of the thread that plans large queries, in MiB. */
export const PLAN_MEMORY_MB_MAX = 1_024;
