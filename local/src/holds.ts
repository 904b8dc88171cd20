/**
 * Windows that hold the process open: each keeps one response unread. When the last of them closes, the
 * process ends after a while, so that closing one window and opening another keeps it.
 */

import { FIRST_HOLD_MS, IDLE_END_MS } from './limits.ts';

export class Holds {
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #onIdle: () => void;
  readonly #firstMs: number;
  readonly #idleMs: number;
  readonly #open = new Set<ReadableStreamDefaultController<Uint8Array>>();

  /** Calls `onIdle` when no window has held the process for `firstMs` after the start, or `idleMs` after the last. */
  constructor(onIdle: () => void, { firstMs = FIRST_HOLD_MS, idleMs = IDLE_END_MS } = {}) {
    this.#onIdle = onIdle;
    this.#firstMs = firstMs;
    this.#idleMs = idleMs;
  }

  /** Starts to wait for the first hold. */
  start(): void {
    this.#wait(this.#firstMs);
  }

  #wait(ms: number): void {
    if (this.#count === 0) this.#timer = setTimeout(this.#onIdle, ms);
  }

  /** A body that stays open until the client leaves or `release` is called. */
  hold(signal: AbortSignal): ReadableStream<Uint8Array> {
    clearTimeout(this.#timer);
    this.#count += 1;
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const leave = () => {
      if (controller === undefined || !this.#open.delete(controller)) return;
      this.#count -= 1;
      this.#wait(this.#idleMs);
    };
    return new ReadableStream<Uint8Array>({
      start: (own) => {
        controller = own;
        this.#open.add(own);
        // Something must go out, or the head of the answer waits with it.
        own.enqueue(Buffer.from('{"held":true}\n'));
        signal.addEventListener('abort', leave, { once: true });
      },
      cancel: leave,
    });
  }

  /** Ends all holds, so that the process may end. */
  release(): void {
    clearTimeout(this.#timer);
    for (const controller of this.#open) controller.close();
    this.#open.clear();
  }
}
