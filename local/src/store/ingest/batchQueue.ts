/**
 * Batches items that arrive while others are processed, because a statement for twenty requests takes little longer
 * than for one. DuckDB also writes full row groups directly to the database file instead of to the log. Batches are read
 * one at a time, because DuckDB reads each with all cores, and smaller batches would leave more unfilled row groups.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface Entry<Item, Result> {
  /** Entries with equal keys can share a batch. The batch runs the `work` of only one of its entries. */
  readonly key: string;
  readonly item: Item;
  /** Counts toward `batchWeight`. With an infinite weight, the batch starts at once. */
  readonly weight: number;
  /** Processes a batch. Calls `onRead` before it commits, so that the next batch is read during the commit. */
  readonly work: (items: readonly Item[], onRead: () => void) => Promise<Result>;
  /** If the signal aborts, a waiting entry is rejected. */
  readonly signal: AbortSignal;
}

interface WaitingEntry<Item, Result> extends Entry<Item, Result> {
  readonly done: PromiseWithResolvers<Result>;
  /** The entry's arrival time, from `performance.now()`. */
  readonly since: number;
}

/** The maximum time for which an entry waits for requests whose bodies are still arriving. */
const GATHER_MS = 500;
const GATHER_EVERY_MS = 4;

export class BatchQueue<Item, Result> {
  readonly #batchWeight: number;
  #waiting: WaitingEntry<Item, Result>[] = [];
  #isReading = false;

  /** `batchWeight` is the weight at which a batch starts at once. */
  constructor(batchWeight: number) {
    this.#batchWeight = batchWeight;
  }

  /**
   * Returns the result of the entry's batch. A batch lighter than `batchWeight` waits briefly for the requests in
   * `expected`.
   */
  run(entry: Entry<Item, Result>, expected: ReadonlySet<unknown>): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ ...entry, done, since: performance.now() });
    if (!this.#isReading) void this.#readAll(expected);
    return done.promise;
  }

  async #readAll(expected: ReadonlySet<unknown>): Promise<void> {
    this.#isReading = true;
    let committing = Promise.resolve();
    for (;;) {
      await this.#gather(expected);
      const batch = this.#take();
      if (batch.length === 0) break;
      const read = Promise.withResolvers<void>();
      const processed = process(batch, read.resolve).finally(read.resolve);
      await Promise.all([committing, read.promise]);
      committing = processed;
    }
    this.#isReading = false;
  }

  async #gather(expected: ReadonlySet<unknown>): Promise<void> {
    const mayWait = () => {
      const [first] = this.#waiting;
      const weight = this.#waiting.reduce((sum, entry) => sum + entry.weight, 0);
      return (
        first !== undefined &&
        performance.now() - first.since < GATHER_MS &&
        weight < this.#batchWeight
      );
    };
    while (expected.size > 0 && mayWait()) await pause(GATHER_EVERY_MS);
  }

  /** Removes entries with the first entry's key, up to twice `batchWeight`. Rejects aborted entries. */
  #take(): WaitingEntry<Item, Result>[] {
    for (const { signal, done } of this.#waiting) if (signal.aborted) done.reject(signal.reason);
    const remaining: WaitingEntry<Item, Result>[] = [];
    const taken: WaitingEntry<Item, Result>[] = [];
    let weight = 0;
    for (const entry of this.#waiting) {
      if (entry.signal.aborted) continue;
      const fits =
        taken.length === 0 || (entry.key === taken[0]!.key && weight < 2 * this.#batchWeight);
      (fits ? taken : remaining).push(entry);
      if (fits) weight += entry.weight;
    }
    this.#waiting = remaining;
    return taken;
  }
}

async function process<Item, Result>(
  batch: readonly WaitingEntry<Item, Result>[],
  onRead: () => void,
): Promise<void> {
  try {
    const result = await batch[0]!.work(
      batch.map(({ item }) => item),
      onRead,
    );
    for (const { done } of batch) done.resolve(result);
  } catch (error) {
    for (const { done } of batch) done.reject(error);
  }
}
