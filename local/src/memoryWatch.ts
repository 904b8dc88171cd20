/**
 * Enforces the memory limit of the process. DuckDB doesn't limit the lists and strings that a function builds within
 * one row, so this class watches the memory of the entire process:
 * - Above the limit, it stops the longest-running query.
 * - Halfway between the limit and the restart threshold, it stops all queries but the newest.
 * - Above the threshold, or too long above the limit, it restarts the process.
 */
import type { Queries } from './store/queries.ts';

export interface MemoryWatchOptions {
  readonly queries: Queries;
  /** Maximum memory of the process, in bytes. */
  readonly limitBytes: number;
  /** Memory above which the process restarts immediately, in bytes. */
  readonly restartBytes: number;
  /** Returns the resident set size of the process, in bytes. */
  readonly measure?: () => number;
  readonly log: (message: string) => void;
  readonly restart: (why: string) => void;
}

export class MemoryWatch {
  readonly #options: MemoryWatchOptions;
  readonly #measure: () => number;
  readonly #timer: NodeJS.Timeout;
  #overSince: number | undefined;
  #stoppedAt = 0;

  constructor(options: MemoryWatchOptions) {
    this.#options = options;
    this.#measure = options.measure ?? (() => process.memoryUsage.rss());
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
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
      // Stop all older queries at once: the cause is unknown, and memory grows too fast to stop them one by one.
      if (!queries.stopLongest(RUNNING_MS_MIN)) return;
      while (queries.stopLongest(RUNNING_MS_MIN));
      log(`Stopped all queries but the newest: the process uses ${size} of memory.`);
      return;
    }
    // Let the stopped query release its memory before stopping another.
    if (now - this.#stoppedAt < RELEASE_MS || !queries.stopLongest(RUNNING_MS_MIN)) return;
    this.#stoppedAt = now;
    log(`Stopped the longest running query: the process uses ${size} of memory.`);
  }
}

const CHECK_EVERY_MS = 100;

const RELEASE_MS = 500;

/** Minimum running time of a query that is stopped. Newer queries are unlikely to be the cause. */
const RUNNING_MS_MIN = 300;

/** Maximum time that memory may exceed the limit. A statement may take this long to stop. */
const OVER_MS_MAX = 10_000;
