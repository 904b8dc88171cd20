/** Keeps the process alive while windows and commands hold a response open, and for some time afterwards. */

import { FIRST_HOLD_MS, IDLE_END_MS } from './limits.ts';

export class Holds {
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #onIdle: () => void;
  readonly #firstMs: number;
  readonly #idleMs: number;
  readonly #open = new Set<ReadableStreamDefaultController<Uint8Array>>();

  /** Calls `onIdle` if no window connects within `firstMs` of the start, or `idleMs` after the last one left. */
  constructor(onIdle: () => void, { firstMs = FIRST_HOLD_MS, idleMs = IDLE_END_MS } = {}) {
    this.#onIdle = onIdle;
    this.#firstMs = firstMs;
    this.#idleMs = idleMs;
  }

  start(): void {
    this.#startTimer(this.#firstMs);
  }

  #startTimer(ms: number): void {
    if (this.#count === 0) this.#timer = setTimeout(this.#onIdle, ms);
  }

  /** Returns a body that stays open until the client leaves or `release` is called. */
  hold(signal: AbortSignal): ReadableStream<Uint8Array> {
    clearTimeout(this.#timer);
    this.#count += 1;
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const leave = () => {
      if (controller === undefined || !this.#open.delete(controller)) return;
      this.#count -= 1;
      this.#startTimer(this.#idleMs);
    };
    return new ReadableStream<Uint8Array>({
      start: (own) => {
        controller = own;
        this.#open.add(own);
        // Send some bytes now. Otherwise the response's headers would be held back until the body has some.
        own.enqueue(Buffer.from('{"held":true}\n'));
        signal.addEventListener('abort', leave, { once: true });
      },
      cancel: leave,
    });
  }

  /** Closes all held responses, so that the process can exit. */
  release(): void {
    clearTimeout(this.#timer);
    for (const controller of this.#open) controller.close();
    this.#open.clear();
  }
}
