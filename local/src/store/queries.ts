/**
 * Limits the number and the running time of concurrent queries. A query is stopped when its client disconnects, its
 * time is up or memory runs out. Its response is then sent immediately, but its slot is freed only once the engine has
 * stopped. A long query moves to a separate set of slots, so that it doesn't delay short ones.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { EngineError } from '../engines/engineError.ts';
import { ApiError } from '../errors.ts';
import { Semaphore } from './locks.ts';

export class Queries {
  readonly #slots: Semaphore;
  readonly #longSlots: Semaphore;
  readonly #timeoutMs: number;
  /** The abort controller and start time of each query with a slot, in the order of their start. */
  readonly #running = new Map<AbortController, number>();

  /** `maxConcurrent` limits the number of queries in their first second, and also the number of longer queries. */
  constructor(maxConcurrent: number, timeoutMs: number) {
    this.#slots = new Semaphore(maxConcurrent);
    this.#longSlots = new Semaphore(maxConcurrent);
    this.#timeoutMs = timeoutMs;
  }

  /** The number of running queries. Aborted queries count until they have ended. */
  get count(): number {
    return this.#running.size;
  }

  /**
   * Runs a query. The time limit counts from `startedAt` and includes the wait for a slot. When the query is stopped,
   * rejects immediately with the reason of `signal` or an ApiError.
   */
  run<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    startedAt = performance.now(),
  ): Promise<T> {
    const stop = new AbortController();
    const spent = Math.round(performance.now() - startedAt);
    // Don't use `AbortSignal.timeout`, because its signal and all derived signals would stay in memory until it fires.
    const late = new AbortController();
    const over = setTimeout(() => late.abort(), Math.max(0, this.#timeoutMs - spent)).unref();
    const either = AbortSignal.any([signal, late.signal, stop.signal]);
    const started = this.#slots.run(async () => {
      // Wrap the promise in an object. Otherwise, the slot would be freed only when the promise resolves.
      const running = { done: this.#track(() => work(either), stop) };
      await this.#untilLong(running.done);
      return running;
    }, either);
    const done = started.then((running) => running.done);
    return settleOrAbort(done, either)
      .catch((error: unknown) => {
        // The engine may notice the time limit first.
        const isLate = error instanceof EngineError && error.kind === 'time';
        const isOver = late.signal.aborted || isLate;
        if (!isOver || signal.aborted || stop.signal.aborted) throw error;
        throw new ApiError('query-time', { seconds: this.#timeoutMs / 1_000 });
      })
      .finally(() => clearTimeout(over));
  }

  /** Stops the longest-running query that has run for at least `atLeastMs`. Returns false if there is none. */
  stopLongest(atLeastMs = 0): boolean {
    return this.#stopBefore(performance.now() - atLeastMs) === 'stopped';
  }

  /** Runs `work`. If memory is short, stops the longest-running query and retries. Queries use `queryWithMemory`. */
  withMemory<T>(work: () => Promise<T>): Promise<T> {
    const isShort = (error: unknown) => error instanceof EngineError && error.kind === 'memory';
    return this.#retry(work, isShort, Number.POSITIVE_INFINITY);
  }

  /** Runs `query` like `withMemory`, but stops only the query itself and queries that began before it. */
  queryWithMemory<T>(query: () => Promise<T>, startedAt: number): Promise<T> {
    const isShort = (error: unknown) =>
      error instanceof ApiError && error.reason === 'query-memory';
    return this.#retry(query, isShort, startedAt);
  }

  async #retry<T>(
    work: () => Promise<T>,
    isShort: (error: unknown) => boolean,
    startedAt: number,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const isFinal = !isShort(error) || attempt === MEMORY_ATTEMPTS;
        if (isFinal || this.#stopBefore(startedAt) === 'none') throw error;
        await pause(RELEASE_MS);
      }
    }
  }

  /** Stops the oldest query that began by `time`. Returns `stopping` if all such queries are already stopping. */
  #stopBefore(time: number): 'stopped' | 'stopping' | 'none' {
    let found: 'stopping' | 'none' = 'none';
    for (const [stop, since] of this.#running) {
      if (since > time) break;
      found = 'stopping';
      if (stop.signal.aborted) continue;
      stop.abort(new ApiError('query-memory'));
      return 'stopped';
    }
    return found;
  }

  /** Resolves when the work is done or has moved to a slot for long queries. */
  async #untilLong(done: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    const end = () => ended.abort();
    const either = done.then(end, end);
    const moved = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      const work = () => {
        moved.resolve();
        return either;
      };
      this.#longSlots.run(work, ended.signal).catch(() => undefined);
    }, LONG_MS);
    await Promise.race([either, moved.promise]);
    clearTimeout(timer);
  }

  async #track<T>(work: () => Promise<T>, stop: AbortController): Promise<T> {
    this.#running.set(stop, performance.now());
    try {
      return await work();
    } finally {
      this.#running.delete(stop);
    }
  }
}

/** The maximum number of attempts if memory is short. Memory is released in the pauses between attempts. */
const MEMORY_ATTEMPTS = 8;
const RELEASE_MS = 250;

/** The running time after which a query counts as long. */
const LONG_MS = 1_000;

/** Returns the result of the work. If the signal aborts first, rejects with the signal's reason. */
function settleOrAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
