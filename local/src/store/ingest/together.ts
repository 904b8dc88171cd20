/**
 * Batches work: items that arrive while other work runs are processed together afterwards. A statement costs nearly
 * the same for one request as for twenty, and one that fills a row group is written straight to the database file
 * instead of through the log.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface Piece<Item, Result> {
  /** Pieces with equal keys may be batched; the `work` of one serves all of them. */
  readonly key: string;
  readonly item: Item;
  /** A piece with infinite weight waits for no others. */
  readonly weight: number;
  readonly work: (items: readonly Item[]) => Promise<Result>;
  /** A piece aborted while it waits is skipped. */
  readonly signal: AbortSignal;
}

interface Waiting<Item, Result> extends Piece<Item, Result> {
  readonly done: PromiseWithResolvers<Result>;
  /** Arrival time by `performance.now()`. */
  readonly since: number;
}

/** Maximum time a piece waits for others that are known to come. */
const GATHER_MS = 500;
const GATHER_EVERY_MS = 4;

export class Together<Item, Result> {
  readonly #enough: number;
  readonly #atOnce: number;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  /** `enough`: the weight from which a batch waits for no more pieces. `atOnce`: the number of concurrent batches. */
  constructor(enough: number, atOnce: number) {
    this.#enough = enough;
    this.#atOnce = atOnce;
  }

  /**
   * Runs a piece in a batch with all waiting pieces. Returns the result of `work`, or throws its error. `coming`
   * holds work that is expected: while it isn't empty, light batches wait briefly.
   */
  run(piece: Piece<Item, Result>, coming: ReadonlySet<unknown>): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ ...piece, done, since: performance.now() });
    if (this.#running < this.#atOnce) void this.#runAll(coming);
    return done.promise;
  }

  async #runAll(coming: ReadonlySet<unknown>): Promise<void> {
    this.#running += 1;
    await this.#gather(coming);
    for (let next = this.#take(); next.length > 0; next = this.#take()) {
      try {
        const result = await next[0]!.work(next.map(({ item }) => item));
        for (const { done } of next) done.resolve(result);
      } catch (error) {
        for (const { done } of next) done.reject(error);
      }
      await this.#gather(coming);
    }
    this.#running -= 1;
  }

  async #gather(coming: ReadonlySet<unknown>): Promise<void> {
    const mayWait = () => {
      const [first] = this.#waiting;
      const weight = this.#waiting.reduce((sum, piece) => sum + piece.weight, 0);
      return (
        first !== undefined && performance.now() - first.since < GATHER_MS && weight < this.#enough
      );
    };
    while (coming.size > 0 && mayWait()) await pause(GATHER_EVERY_MS);
  }

  /** Removes the next batch from the queue: the first waiting piece and others with its key, up to twice `enough`. */
  #take(): Waiting<Item, Result>[] {
    for (const { signal, done } of this.#waiting) if (signal.aborted) done.reject(signal.reason);
    const left: Waiting<Item, Result>[] = [];
    const taken: Waiting<Item, Result>[] = [];
    let weight = 0;
    for (const piece of this.#waiting) {
      if (piece.signal.aborted) continue;
      const fits = taken.length === 0 || (piece.key === taken[0]!.key && weight < 2 * this.#enough);
      (fits ? taken : left).push(piece);
      if (fits) weight += piece.weight;
    }
    this.#waiting = left;
    return taken;
  }
}
