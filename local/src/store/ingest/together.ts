/**
 * Work that would wait for its turn is done in one go: what comes while some is under way is handed over
 * together once that ends. A statement costs nearly the same for one request as for twenty, and one that
 * fills a row group goes straight to the database file instead of through the log.
 */

/** Does the work of all `items` at once. */
export type Work<Item, Result> = (items: readonly Item[]) => Promise<Result>;

interface Waiting<Item, Result> {
  readonly key: string;
  readonly item: Item;
  readonly work: Work<Item, Result>;
  readonly signal: AbortSignal;
  readonly done: PromiseWithResolvers<Result>;
}

export class Together<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running = false;

  /**
   * Hands `item` to `work` with those of the same `key` that wait; one's `work` serves for all of them.
   * Gives what it gave and throws what it threw. An item given up while it waits is left out.
   */
  run(key: string, item: Item, work: Work<Item, Result>, signal: AbortSignal): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ key, item, work, signal, done });
    if (!this.#running) void this.#runAll();
    return done.promise;
  }

  async #runAll(): Promise<void> {
    this.#running = true;
    for (let next = this.#take(); next.length > 0; next = this.#take()) {
      try {
        const result = await next[0]!.work(next.map(({ item }) => item));
        for (const { done } of next) done.resolve(result);
      } catch (error) {
        for (const { done } of next) done.reject(error);
      }
    }
    this.#running = false;
  }

  /** All that may go with the first one that waits. */
  #take(): Waiting<Item, Result>[] {
    for (const { signal, done } of this.#waiting) if (signal.aborted) done.reject(signal.reason);
    const wanted = this.#waiting.filter(({ signal }) => !signal.aborted);
    this.#waiting = wanted.filter(({ key }) => key !== wanted[0]!.key);
    return wanted.filter(({ key }) => key === wanted[0]!.key);
  }
}
