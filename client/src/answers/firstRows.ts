/** Offers an answer's first rows to readers once there are enough of them, and then reports how many have arrived. */
import type { Decoded } from './protocol.ts';

/** The minimum number of rows to offer. A shorter answer is usually complete before its first rows could be drawn. */
const rowsMin = 2_000;
/** The minimum time between two reports in milliseconds, because each report redraws the page. */
const reportMilliseconds = 1_000;

type First = Pick<Decoded, 'head' | 'bytes'>;

interface FirstRowsParts {
  /** Makes the rows so far readable. Null if they can't be shown before all have arrived. */
  read(): Promise<First | null>;
  show(first: First): void;
  grow(rows: number): void;
  /** Called when the answer is aborted. */
  remove(): void;
}

export class FirstRows {
  readonly #parts: FirstRowsParts;
  #isAsked = false;
  #isShown = false;
  #isEnded = false;
  #reportedAt = 0;

  constructor(parts: FirstRowsParts) {
    this.#parts = parts;
  }

  /** Called with the number of complete rows so far. */
  arrived(rows: number): void {
    if (!this.#isAsked && rows >= rowsMin) void this.#ask();
    const now = performance.now();
    if (!this.#isShown || this.#isEnded || now - this.#reportedAt < reportMilliseconds) return;
    this.#reportedAt = now;
    this.#parts.grow(rows);
  }

  /** Stops offering and counting rows, because the answer is complete. */
  end(): void {
    this.#isEnded = true;
  }

  /** Withdraws the rows, because the answer was aborted. */
  abort(): void {
    this.end();
    this.#parts.remove();
  }

  async #ask(): Promise<void> {
    this.#isAsked = true;
    // Ignore a failure, because the answer's next chunk fails as well.
    const first = await this.#parts.read().catch(() => null);
    if (first === null || this.#isEnded) return;
    this.#isShown = true;
    this.#reportedAt = performance.now();
    this.#parts.show(first);
  }
}
