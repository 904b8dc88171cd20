/** Shows progress as one line of standard error that is overwritten. Without a terminal, shows nothing. */

import { printable } from '../../../language/src/printable.ts';

const INTERVAL_MS = 100;

export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #last = 0;
  #isShown = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(message: string): void {
    const text = printable(message);
    const now = performance.now();
    if (this.#stream.isTTY !== true || now - this.#last < INTERVAL_MS) return;
    this.#last = now;
    this.#isShown = true;
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
