/** Keeps the process running while VS Code windows or commands are connected, and briefly afterwards. */

import { FIRST_HOLD_MS, IDLE_END_MS } from './limits.ts';

export class Holds {
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #onIdle: () => void;
  readonly #firstMs: number;
  readonly #idleMs: number;
  readonly #open = new Set<ReadableStreamDefaultController<Uint8Array>>();

  /** Calls `onIdle` if no window connects within `firstMs` after the start, or `idleMs` after the last disconnect. */
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

  /** Returns a response body that stays open until the client disconnects or `release` is called. */
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
        // Node sends the headers only with the first body bytes.
        own.enqueue(Buffer.from('{"held":true}\n'));
        signal.addEventListener('abort', leave, { once: true });
      },
      cancel: leave,
    });
  }

  /** Ends all held responses, so that the process can exit. */
  release(): void {
    clearTimeout(this.#timer);
    for (const controller of this.#open) controller.close();
    this.#open.clear();
  }
}
