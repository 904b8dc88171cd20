/**
 * The queries that run: so many at once, each for so long, and stopped when the client leaves, when the
 * time is over or when memory runs out. The client is answered at once; the place is free when the engine
 * has stopped. A query that takes long moves to another place, so that long ones do not hold up short ones.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../errors.ts';
import { EngineError } from './duckdb.ts';
import { Semaphore } from './gate.ts';

export class Queries {
  readonly #places: Semaphore;
  readonly #longPlaces: Semaphore;
  readonly #timeoutMs: number;
  /** What stops each query that has a place, and when it began; the longest running first. */
  readonly #running = new Map<AbortController, number>();

  /** So many queries run at once, and as many again that have run for a second. */
  constructor(atOnce: number, timeoutMs: number) {
    this.#places = new Semaphore(atOnce);
    this.#longPlaces = new Semaphore(atOnce);
    this.#timeoutMs = timeoutMs;
  }

  /** Queries that hold a place, including those that were stopped and have not ended yet. */
  get count(): number {
    return this.#running.size;
  }

  /**
   * Runs `work` when there is a place for it; its time runs from `began`, waiting included. Rejects as soon as
   * it is stopped: with the reason of `signal`, or with an ApiError.
   */
  run<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    began = performance.now(),
  ): Promise<T> {
    const stop = new AbortController();
    const spent = Math.round(performance.now() - began);
    // A signal of `AbortSignal.timeout` would be kept, with all that follows it, until the time is over.
    const late = new AbortController();
    const over = setTimeout(() => late.abort(), Math.max(0, this.#timeoutMs - spent)).unref();
    const either = AbortSignal.any([signal, late.signal, stop.signal]);
    const begun = this.#places.run(async () => {
      // Wrapped, since the place is given up when this function returns.
      const running = { done: this.#run(work, stop, either) };
      await this.#untilLong(running.done);
      return running;
    }, either);
    const done = begun.then((running) => running.done);
    return settled(done, either)
      .catch((error: unknown) => {
        if (!late.signal.aborted || signal.aborted || stop.signal.aborted) throw error;
        throw new ApiError('query-time', { seconds: this.#timeoutMs / 1_000 });
      })
      .finally(() => clearTimeout(over));
  }

  /**
   * Stops the query that has run longest of those that have run for `atLeastMs` and are not yet stopped.
   * Returns false where there is none.
   */
  stopLongest(atLeastMs = 0): boolean {
    return this.#stopBefore(performance.now() - atLeastMs) === 'stopped';
  }

  /**
   * Does `work`, and does it again where memory was short and a query that runs could be stopped: what has held
   * memory longest gives way. A query that ended for lack of memory is not work to be done again here.
   */
  withRoom<T>(work: () => Promise<T>): Promise<T> {
    const isShort = (error: unknown) => error instanceof EngineError && error.kind === 'memory';
    return this.#again(work, isShort, Number.POSITIVE_INFINITY);
  }

  /** The same for a query, which also gives way to others, and stops only those that began before it. */
  queryWithRoom<T>(query: () => Promise<T>, began: number): Promise<T> {
    const isShort = (error: unknown) =>
      error instanceof ApiError && error.reason === 'query-memory';
    return this.#again(query, isShort, began);
  }

  async #again<T>(
    work: () => Promise<T>,
    isShort: (error: unknown) => boolean,
    began: number,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isShort(error) || attempt === ROOM_ATTEMPTS || this.#stopBefore(began) === 'none')
          throw error;
        await pause(RELEASE_MS);
      }
    }
  }

  /** Stops the longest running query that began before a time; `stopping` where all of them are stopped already. */
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

  /** Resolves when the work is done, or has taken long and has a place among the long ones. */
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
      this.#longPlaces.run(work, ended.signal).catch(() => undefined);
    }, LONG_MS);
    await Promise.race([either, moved.promise]);
    clearTimeout(timer);
  }

  async #run<T>(
    work: (signal: AbortSignal) => Promise<T>,
    stop: AbortController,
    signal: AbortSignal,
  ): Promise<T> {
    this.#running.set(stop, performance.now());
    try {
      return await work(signal);
    } finally {
      this.#running.delete(stop);
    }
  }
}

/** How often work is tried that found no memory, and how long what was stopped has to release its own. */
const ROOM_ATTEMPTS = 8;
const RELEASE_MS = 250;

/** A query that has run for so long is a long one. */
const LONG_MS = 1_000;

/** Settles as `work` does, or rejects with the signal's reason where that comes first. */
function settled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
