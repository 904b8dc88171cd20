/**
 * Work that would wait for its turn is done in one go: what comes while some is under way is handed over
 * together once that ends. A statement costs nearly the same for one request as for twenty, and one that
 * fills a row group goes straight to the database file instead of through the log.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface Piece<Item, Result> {
  /** Pieces of one key may be done together; one's `work` serves for all of them. */
  readonly key: string;
  readonly item: Item;
  /** An infinite one waits for no others. */
  readonly weight: number;
  readonly work: (items: readonly Item[]) => Promise<Result>;
  /** A piece given up while it waits is left out. */
  readonly signal: AbortSignal;
}

interface Waiting<Item, Result> extends Piece<Item, Result> {
  readonly done: PromiseWithResolvers<Result>;
  /** When it came, in milliseconds of the process. */
  readonly since: number;
}

/** How long a piece waits for others that are known to come. */
const GATHER_MS = 500;
const GATHER_EVERY_MS = 4;

export class Together<Item, Result> {
  readonly #enough: number;
  readonly #atOnce: number;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  /** Pieces that come to the weight `enough` wait for no more; `atOnce` lots of them are done at once. */
  constructor(enough: number, atOnce: number) {
    this.#enough = enough;
    this.#atOnce = atOnce;
  }

  /**
   * Does a piece with all others that wait by then. Gives what the work gave and throws what it threw.
   * `coming` holds what is known to come: while there is any, light pieces wait a moment.
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

  /** What is done with the first piece that waits: others of its key, until it is twice enough. */
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
