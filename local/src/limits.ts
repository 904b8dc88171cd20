/**
 * Limits of our own, generous where the service documents none; documented ones stand in `api`.
 */

/** Bytes of the body of an ingest request, unpacked, at most. */
export const INGEST_BODY_BYTES_MAX = 128 * 1_048_576;

/** Bytes of any other body, at most. */
export const JSON_BODY_BYTES_MAX = 4 * 1_048_576;

/** Levels that the JSON of a request may nest. Events have a bound of their own, beyond which is null. */
export const JSON_DEPTH_MAX = 100;

/** Levels that a stored document may nest to be read: older versions took more than requests may have now. */
export const STORED_JSON_DEPTH_MAX = 1_000;

/**
 * Bytes of the bodies of ingest requests that are stored at once, each of which has arrived completely.
 * Those of a row group or two fit in, so that what many clients send is stored by one statement.
 */
export const INGEST_BYTES_AT_ONCE = 512 * 1_048_576;

/** What such a body counts as at least, so that small ones are bounded as well. */
export const INGEST_REQUEST_BYTES_LEAST = 4 * 1_048_576;

/** Bytes of ingest requests that have arrived and are not yet stored; `arrivals.ts` says who may exceed it. */
export const ARRIVED_BYTES_MAX = 1_024 * 1_048_576;

/** So much of each body may always arrive, so that a small request never waits for large ones. */
export const ARRIVED_BYTES_FREE = 1_048_576;

/** How fast a body must arrive. Only the time spent waiting for the client counts. */
export interface BodyPace {
  /** The longest time without a byte. */
  readonly stallMs: number;
  /** In every window of this length at least `windowBytes` arrive, or the body ends. */
  readonly windowMs: number;
  readonly windowBytes: number;
}

export const BODY_PACE: BodyPace = { stallMs: 30_000, windowMs: 60_000, windowBytes: 64 * 1_024 };

/** How connections are kept and closed. */
export interface ConnectionLimits {
  /** How long the head of a request may take. */
  readonly headMs: number;
  /** What is left of a refused body is read to keep the connection, up to these bytes and this long. */
  readonly drainBytes: number;
  readonly drainMs: number;
  /**
   * How long a connection stays open for reading after its last answer, and how long without a byte: a
   * client that is still sending could otherwise lose the answer.
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

/** Bytes of a file or address that externaldata reads, at most; what the service takes, too. */
export const EXTERNAL_BYTES_MAX = 5 * 1_000_000;

/** How long an address of externaldata may take to answer. */
export const EXTERNAL_FETCH_MS_MAX = 30_000;

/** Files and addresses that one query reads by externaldata, at most. */
export const EXTERNAL_ADDRESSES_MAX = 20;

/** Queries that run at once, and as many again that have run for a second; later ones wait. */
export const QUERY_CONCURRENCY = 16;

/** How long one query may run. */
export const QUERY_MS_MAX = 300_000;

/** Without a range, a query covers this long until now: what users of the service have measured. */
export const DEFAULT_RANGE_YEARS = 10;

/** How long the process waits for the first window that holds it. */
export const FIRST_HOLD_MS = 30_000;

/**
 * How long the process outlives the last window that holds it. Windows cannot replace files that a process has loaded,
 * so an update of the extension would fail until it ends; a window that is reloaded comes back within a second or two.
 */
export const IDLE_END_MS = process.platform === 'win32' ? 5_000 : 30_000;

/** How long running requests may take to finish once the process is told to end. */
export const GRACE_MS = 5_000;

/** How long a start waits for another process that has the database open to answer. */
export const OTHER_START_MS = 15_000;

/** How long requests in progress may take to finish before the process restarts. */
export const RESTART_GRACE_MS = 2_000;

/**
 * What the process may take beyond the memory that DuckDB may use: bodies of ingest requests, the heap of
 * the program, and lists and strings that DuckDB does not count.
 */
export const MEMORY_BEYOND_ENGINE = 1_024 * 1_048_576;

/** How long a query may take to plan. */
export const PLAN_MS_MAX = 20_000;

/** Characters of all queries of a resource that are read at once at most; a thread reads longer ones. */
export const KEPT_QUERIES_AT_ONCE_MAX = 5_000;

/** Fields of all datasets with which a query of any of them is read at once; with more, a thread reads it. */
export const KEPT_FIELDS_AT_ONCE_MAX = 2_000;

/** Memory that the thread that plans large queries may take, in MiB. */
export const PLAN_MEMORY_MB_MAX = 1_024;
