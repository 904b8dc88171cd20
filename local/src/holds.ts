/**
 * Windows that hold the process open: each keeps one response unread. When the last of them closes, the
 * process ends after a while, so that closing one window and opening another keeps it.
 */

export class Holds {
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  readonly #open = new Set<ReadableStreamDefaultController<Uint8Array>>();

  constructor(idleMs: number, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  /** Starts to wait for the first hold. */
  start(): void {
    if (this.#count === 0) this.#timer = setTimeout(this.#onIdle, this.#idleMs);
  }

  /** A body that stays open until the client leaves or `release` is called. */
  hold(signal: AbortSignal): ReadableStream<Uint8Array> {
    clearTimeout(this.#timer);
    this.#count += 1;
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const leave = () => {
      if (controller === undefined || !this.#open.delete(controller)) return;
      this.#count -= 1;
      this.start();
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
