/** Half-open spans of UTF-16 offsets, used everywhere in `language`, and their conversion to lines and columns. */
import { partitionPoint } from './append.ts';

/** A half-open range `[start, end)` of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The replacement of a span by `length` UTF-16 units of new text. Doesn't contain the new text. */
export interface Change extends Span {
  readonly length: number;
}

/** A zero-based line and a zero-based column in UTF-16 units, as in the LSP. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

export interface Lines {
  /** Returns the position of an offset. Clamps an offset outside the text. */
  positionAt(offset: number): LinePosition;
  /** Returns the offset of a position. A position past the end of its line counts as the line end, as in the LSP. */
  offsetAt(position: LinePosition): number;
}

/** The lines of an immutable text. `\n`, `\r\n` and a lone `\r` end a line, as in the LSP. */
export class LineTable implements Lines {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#starts = [0, ...breaksIn(text)];
  }

  positionAt(offset: number): LinePosition {
    const at = Math.max(0, Math.min(offset, this.#text.length));
    const line = countUpTo(this.#starts, at) - 1;
    return { line, character: at - (this.#starts[line] as number) };
  }

  offsetAt({ line, character }: LinePosition): number {
    if (line < 0) return 0;
    const start = this.#starts[line];
    if (start === undefined) return this.#text.length;
    const next = this.#starts[line + 1];
    const end = next === undefined ? this.#text.length : next - breakBefore(this.#text, next);
    return Math.min(start + Math.max(0, character), end);
  }
}

export function breaksIn(text: string): number[] {
  const breaks: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) breaks.push(i + 1);
  }
  return breaks;
}

export function breakBefore(text: Pick<string, 'charCodeAt'>, at: number): number {
  return text.charCodeAt(at - 1) === 10 && text.charCodeAt(at - 2) === 13 ? 2 : 1;
}

/** Returns the number of values up to `limit` (inclusive) in an ascending array. */
export function countUpTo(ordered: readonly number[], limit: number): number {
  return partitionPoint(ordered, (value) => value <= limit);
}

/** The number of characters compared at once. Longer blocks compare faster, but locate a change less precisely. */
const block = 1024;

/** Returns the shortest single change from `before` to `after`, or undefined if they are equal. */
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

/** Sorts spans by position, in place. They are nearly always sorted already. */
export function inTextOrder<T extends Span>(list: T[]): T[] {
  for (let i = 1; i < list.length; i++)
    if (textOrder(list[i - 1] as T, list[i] as T) > 0) return list.sort(textOrder);
  return list;
}

function textOrder(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}

export function contains(span: Span, offset: number): boolean {
  return span.start <= offset && offset < span.end;
}
