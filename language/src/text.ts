/**
 * Half-open spans of UTF-16 offsets, and the line table that turns an offset into a line and column.
 * Everything in `language` speaks offsets; lines and columns are made only where they leave it.
 */

/** A half-open range `[start, end)` of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A zero-based line and a zero-based column in UTF-16 units, as in the LSP. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** The offsets at which lines start; `\n`, `\r\n` and a lone `\r` end a line, as in the LSP. */
export class LineTable {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) this.#starts.push(i + 1);
    }
  }

  /** The position of an offset; one outside the text is moved to its nearer end. */
  positionAt(offset: number): LinePosition {
    const at = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] as number) <= at) low = middle;
      else high = middle;
    }
    return { line: low, character: at - (this.#starts[low] as number) };
  }

  /** The offset of a position; one past the end of its line goes to the start of the next. */
  offsetAt(position: LinePosition): number {
    if (position.line < 0) return 0;
    const start = this.#starts[position.line];
    if (start === undefined) return this.#length;
    const next = this.#starts[position.line + 1] ?? this.#length;
    return Math.max(start, Math.min(start + position.character, next));
  }
}

export function contains(span: Span, offset: number): boolean {
  return span.start <= offset && offset < span.end;
}
