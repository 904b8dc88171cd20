/**
 * Who may work at the same time: a semaphore bounds how many, and a gate lets many share a dataset
 * while a change of its columns needs it alone.
 */

/** Lets work run as long as its weights come to at most `size`; the rest waits in order. */
export class Semaphore {
  readonly #size: number;
  #free: number;
  readonly #waiting: { readonly weight: number; readonly start: () => void }[] = [];

  constructor(size: number) {
    this.#size = size;
    this.#free = size;
  }

  /**
   * Runs `work` when there is room for its weight; work heavier than `size` runs alone. Work given up
   * while it waits never starts.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal, weight = 1): Promise<T> {
    signal?.throwIfAborted();
    const taken = Math.min(weight, this.#size);
    await this.#enter(taken, signal);
    try {
      return await work();
    } finally {
      this.#free += taken;
      this.#admit();
    }
  }

  #enter(weight: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        weight,
        start: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
        this.#admit();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (next.weight > this.#free) return;
      this.#waiting.shift();
      this.#free -= next.weight;
      next.start();
    }
  }
}

/** Many may share it, or one may have it alone. Who waits to have it alone goes before later sharers. */
export class Gate {
  #sharers = 0;
  #alone = false;
  readonly #waiting: { readonly alone: boolean; readonly start: () => void }[] = [];

  shared<T>(work: () => Promise<T>): Promise<T> {
    return this.#enter(false, work);
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#enter(true, work);
  }

  async #enter<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push({ alone, start });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      if (alone) this.#alone = false;
      else this.#sharers -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#alone || (next.alone && this.#sharers > 0)) return;
      this.#waiting.shift();
      if (next.alone) this.#alone = true;
      else this.#sharers += 1;
      next.start();
    }
  }
}
