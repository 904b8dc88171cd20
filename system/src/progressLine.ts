/** Shows progress as one line of a terminal that is overwritten, and formats sizes. */

const INTERVAL_MS = 100;

/** Shows nothing on streams that aren't terminals. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #printable: (text: string) => string;
  #last = 0;
  #isShown = false;

  /** `printable` escapes control characters. */
  constructor(stream: NodeJS.WriteStream, printable: (text: string) => string) {
    this.#stream = stream;
    this.#printable = printable;
  }

  show(message: string): void {
    const now = performance.now();
    if (this.#stream.isTTY !== true || now - this.#last < INTERVAL_MS) return;
    this.#last = now;
    this.#isShown = true;
    const text = this.#printable(message);
    // A wrapped line couldn't be overwritten. Some terminals don't report their width.
    const width = Math.max(20, (this.#stream.columns || 80) - 1);
    const fits = text.length > width ? `${text.slice(0, width - 1)}…` : text;
    this.#stream.write(`\r\u001b[2K${fits}`);
  }

  /** Clears the line ahead of other output. */
  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#last = 0;
    this.#stream.write('\r\u001b[2K');
  }
}

/** Formats a number of bytes, such as `1.5 MB`. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
