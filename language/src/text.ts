/**
 * Half-open spans of UTF-16 offsets, and the line table that turns an offset into a line and column.
 * Everything in `language` speaks offsets; lines and columns are made only where they leave it.
 */

/** A half-open range `[start, end)` of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What makes a text another: the units of the span are replaced by `length` units, which only the new text tells. */
export interface Change extends Span {
  readonly length: number;
}

/** A zero-based line and a zero-based column in UTF-16 units, as in the LSP. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** The offsets at which lines start; `\n`, `\r\n` and a lone `\r` end a line, as in the LSP. */
export class LineTable {
  readonly #starts: readonly number[];
  readonly #length: number;

  /** `starts` is for who knows them already; otherwise they are looked for. */
  constructor(text: string, starts?: readonly number[]) {
    this.#length = text.length;
    this.#starts = starts ?? pushLineStarts([0], text, 0, text.length);
  }

  /** How many lines there are; the empty text has one. */
  get count(): number {
    return this.#starts.length;
  }

  /** The table of the text that this one's has become; looks at what has changed only. */
  changed({ start, end, length }: Change, text: string): LineTable {
    // Whether a line starts at an offset is told by the units on both sides of it.
    const kept = Math.max(1, lowerBound(this.#starts, start));
    const starts = this.#starts.slice(0, kept);
    pushLineStarts(starts, text, Math.max(0, start - 1), start + length);
    const by = start + length - end;
    for (let i = lowerBound(this.#starts, end + 1); i < this.#starts.length; i++)
      starts.push((this.#starts[i] as number) + by);
    return new LineTable(text, starts);
  }

  /** The position of an offset; one outside the text is moved to its nearer end. */
  positionAt(offset: number): LinePosition {
    const at = Math.max(0, Math.min(offset, this.#length));
    const line = lowerBound(this.#starts, at + 1) - 1;
    return { line, character: at - (this.#starts[line] as number) };
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

/** Adds the starts of lines that line ends in `[from, to)` make. */
function pushLineStarts(starts: number[], text: string, from: number, to: number): number[] {
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/** The index of the first number that is not less than `least`. */
function lowerBound(ordered: readonly number[], least: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Units compared at once: long enough for the engine's own comparison, short enough to end near the change. */
const block = 1024;

/** The shortest single change that makes one text the other; undefined when they are equal. */
export function changeBetween(before: string, after: string): Change | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (
    start + block <= most &&
    before.slice(start, start + block) === after.slice(start, start + block)
  )
    start += block;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = before.length;
  let newEnd = after.length;
  const least = start + block;
  while (
    end >= least &&
    newEnd >= least &&
    before.slice(end - block, end) === after.slice(newEnd - block, newEnd)
  ) {
    end -= block;
    newEnd -= block;
  }
  while (
    end > start &&
    newEnd > start &&
    before.charCodeAt(end - 1) === after.charCodeAt(newEnd - 1)
  ) {
    end--;
    newEnd--;
  }
  return { start, end, length: newEnd - start };
}

export function contains(span: Span, offset: number): boolean {
  return span.start <= offset && offset < span.end;
}
