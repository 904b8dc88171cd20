// Limits how many runs there are at the same time. Others wait in order, and can be cancelled while they wait.

export class RunSlots {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Runs `work` when a slot is free. Rejects with the signal's reason if it aborts before. */
  async use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#running >= this.#max) await this.#free(signal);
    else this.#running += 1;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The next run takes over the slot.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #free(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(start);
    });
  }
}
