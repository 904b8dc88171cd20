/**
 * Who may work at the same time: a semaphore bounds how many, and a gate lets many share a dataset
 * while a change of its columns needs it alone.
 */

/** Lets at most `size` pieces of work run at once; the others wait in order. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** Runs `work` when there is room. Work given up while it waits never starts. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(start);
    });
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
