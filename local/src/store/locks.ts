/** Limits concurrent work with a semaphore, and makes changes to stored data exclusive with a read-write lock. */

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/** Limits the total weight of running work to `size`. Excess work waits in a queue for its key. The keys take turns. */
export class Semaphore {
  readonly #size: number;
  #free: number;
  /** Waiting work by key. The first key is served next. No list is empty. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(size: number) {
    this.#size = size;
    this.#free = size;
  }

  /** Runs `work` once there is room. Work heavier than `size` runs alone. Work aborted while waiting never starts. */
  async run<T>(
    work: () => Promise<T>,
    signal?: AbortSignal,
    { weight = 1, key = '' }: { readonly weight?: number; readonly key?: string } = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    const taken = Math.min(weight, this.#size);
    await this.#enter(taken, key, signal);
    try {
      return await work();
    } finally {
      this.#free += taken;
      this.#admit();
    }
  }

  #enter(weight: number, key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        weight,
        start: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        const list = this.#waiting.get(key)!;
        list.splice(list.indexOf(waiting), 1);
        if (list.length === 0) this.#waiting.delete(key);
        reject(signal?.reason);
        this.#admit();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      const list = this.#waiting.get(key);
      if (list === undefined) this.#waiting.set(key, [waiting]);
      else list.push(waiting);
      this.#admit();
    });
  }

  #admit(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [key, list] = next;
      const first = list[0]!;
      if (first.weight > this.#free) return;
      list.shift();
      this.#waiting.delete(key);
      if (list.length > 0) this.#waiting.set(key, list);
      this.#free -= first.weight;
      first.start();
    }
  }
}

/** A reader-writer lock. While a writer waits, new readers wait until the writer is done. */
export class ReadWriteLock {
  #sharers = 0;
  #isExclusive = false;
  readonly #waiting: { readonly isExclusive: boolean; readonly start: () => void }[] = [];

  shared<T>(work: () => Promise<T>): Promise<T> {
    return this.#enter(false, work);
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#enter(true, work);
  }

  async #enter<T>(isExclusive: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push({ isExclusive, start });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      if (isExclusive) this.#isExclusive = false;
      else this.#sharers -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#isExclusive || (next.isExclusive && this.#sharers > 0)) return;
      this.#waiting.shift();
      if (next.isExclusive) this.#isExclusive = true;
      else this.#sharers += 1;
      next.start();
    }
  }
}
