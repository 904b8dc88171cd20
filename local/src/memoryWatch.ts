/**
 * Holds the process to its memory. DuckDB counts what its buffers take against its own limit, but not the
 * lists and strings that a function builds within one row, so the memory of the whole process is watched:
 * past the limit the longest running query is stopped, halfway from there to the restart all of them are,
 * and where that does not help in time, or memory does not come back once nothing runs, the process restarts.
 */
import type { Queries } from './store/queries.ts';

export interface MemoryWatchOptions {
  readonly queries: Queries;
  /** Bytes that the process may take. */
  readonly limitBytes: number;
  /** Bytes at which it restarts at once. */
  readonly restartBytes: number;
  /** The resident set of the process, in bytes. */
  readonly measure?: () => number;
  readonly log: (message: string) => void;
  readonly restart: (why: string) => void;
}

export class MemoryWatch {
  readonly #options: MemoryWatchOptions;
  readonly #measure: () => number;
  readonly #timer: NodeJS.Timeout;
  /** When memory was first over the limit without a break; undefined while it is within. */
  #overSince: number | undefined;
  #stoppedAt = 0;

  constructor(options: MemoryWatchOptions) {
    this.#options = options;
    this.#measure = options.measure ?? (() => process.memoryUsage.rss());
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { queries, limitBytes, restartBytes, log, restart } = this.#options;
    const bytes = this.#measure();
    if (bytes <= limitBytes) {
      this.#overSince = undefined;
      return;
    }
    const now = performance.now();
    this.#overSince ??= now;
    const size = `${Math.round(bytes / 1_048_576)} MiB`;
    if (bytes > restartBytes || now - this.#overSince > OVER_MS_MAX) {
      while (queries.stopLongest());
      this.end();
      restart(`it uses ${size} of memory, more than its limit, and does not release it`);
      return;
    }
    if (bytes > (limitBytes + restartBytes) / 2) {
      // Memory grows faster than one query at a time releases it, and whose it is cannot be told.
      if (!queries.stopLongest(SMALL_MS)) return;
      while (queries.stopLongest(SMALL_MS));
      log(`Stopped all queries but the newest: the process uses ${size} of memory.`);
      return;
    }
    // What was stopped gets time to release its memory before another query is stopped for it.
    if (now - this.#stoppedAt < RELEASE_MS || !queries.stopLongest(SMALL_MS)) return;
    this.#stoppedAt = now;
    log(`Stopped the longest running query: the process uses ${size} of memory.`);
  }
}

const LOOK_EVERY_MS = 100;

/** How long a stopped query has to release its memory. */
const RELEASE_MS = 500;

/** A query that has run for less has hardly taken the memory. */
const SMALL_MS = 300;

/** How long memory may stay over the limit: as long as a statement may take to stop. */
const OVER_MS_MAX = 10_000;
