// Controls when the next request may be sent: pauses, waits that the service asks for, and the number of concurrent
// requests. That number is one at first and after an error, so that a rejected token or a full service costs only one
// request. Each answer adds one.
import type { RunProgress } from '../contract.ts';

export class Gate {
  readonly #maxInFlight: number;
  readonly #onChange: () => void;
  #limit = 1;
  #inFlight = 0;
  #paused = false;
  #closed = false;
  #wait: { readonly message: string; readonly until: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #queue: ((entered: boolean) => void)[] = [];

  constructor(maxInFlight: number, onChange: () => void) {
    this.#maxInFlight = maxInFlight;
    this.#onChange = onChange;
  }

  get state(): Pick<RunProgress, 'state' | 'waiting'> {
    if (this.#paused) return { state: 'paused' };
    return this.#wait ? { state: 'waiting', waiting: this.#wait } : { state: 'sending' };
  }

  /** Number of concurrent requests that are allowed at present. */
  get limit(): number {
    return this.#limit;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Resolves to true when a request may be sent, which must then call `leave`; false if the gate is closed. */
  enter(): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    const entered = new Promise<boolean>((resolve) => this.#queue.push(resolve));
    this.#admit();
    return entered;
  }

  leave(succeeded: boolean): void {
    this.#inFlight -= 1;
    this.#limit = succeeded ? Math.min(this.#limit + 1, this.#maxInFlight) : 1;
    this.#admit();
  }

  pause(): void {
    this.#paused = true;
    this.#onChange();
  }

  resume(): void {
    this.#paused = false;
    this.#onChange();
    this.#admit();
  }

  /** Delays all requests. Of several waits, the longest counts. */
  waitFor(milliseconds: number, message: string): void {
    const until = Date.now() + milliseconds;
    if (this.#closed || (this.#wait && this.#wait.until >= until)) return;
    this.#wait = { message, until };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#wait = undefined;
      this.#onChange();
      this.#admit();
    }, milliseconds);
    this.#onChange();
  }

  /** Refuses all further requests. */
  close(): void {
    this.#closed = true;
    this.#wait = undefined;
    clearTimeout(this.#timer);
    for (const refuse of this.#queue.splice(0)) refuse(false);
    this.#onChange();
  }

  #admit(): void {
    if (this.#closed || this.#paused || this.#wait) return;
    while (this.#inFlight < this.#limit) {
      const next = this.#queue.shift();
      if (!next) return;
      this.#inFlight += 1;
      next(true);
    }
  }
}
