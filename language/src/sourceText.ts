/**
 * Editable text in pieces of a few thousand UTF-16 units. An edit rebuilds only the pieces that it touches, and shares
 * the others with the previous version, because copying the entire text at every keystroke would be slow. Shared pieces
 * also make comparison fast.
 */
import {
  breakBefore,
  breaksIn,
  type Change,
  changeBetween,
  countUpTo,
  type LinePosition,
  type Lines,
} from './text.ts';

interface Piece {
  readonly text: string;
  /** Offsets of the line starts in the piece, each directly after a line break. */
  readonly breaks: readonly number[];
}

/**
 * The usual length of a piece. A piece has up to twice this length and, if the text has several pieces, at least an
 * eighth.
 */
const usual = 2048;
const longest = 2 * usual;
const shortest = usual / 8;

export class SourceText implements Lines {
  readonly length: number;
  readonly #pieces: readonly Piece[];
  /** For each piece: its offset, the number of preceding line breaks, and the start of the line it begins in. */
  readonly #starts: number[] = [];
  readonly #lines: number[] = [];
  readonly #lineStarts: number[] = [];
  #whole: string | undefined;

  constructor(text: string | readonly Piece[]) {
    this.#pieces = typeof text === 'string' ? cut(text) : text;
    let start = 0;
    let line = 0;
    let lineStart = 0;
    for (const piece of this.#pieces) {
      this.#starts.push(start);
      this.#lines.push(line);
      this.#lineStarts.push(lineStart);
      line += piece.breaks.length;
      lineStart = piece.breaks.length === 0 ? lineStart : start + (piece.breaks.at(-1) as number);
      start += piece.text.length;
    }
    this.length = start;
    if (typeof text === 'string') this.#whole = text;
  }

  /** The number of lines. Empty text has one line. */
  get lineCount(): number {
    return (this.#lines.at(-1) as number) + (this.#pieces.at(-1) as Piece).breaks.length + 1;
  }

  /** Returns the entire text. Joined on first use and cached. */
  toString(): string {
    this.#whole ??= this.#pieces.map(({ text }) => text).join('');
    return this.#whole;
  }

  slice(start: number, end: number): string {
    const first = this.#pieceAt(start);
    const from = start - (this.#starts[first] as number);
    let found = '';
    for (let i = first; i < this.#pieces.length; i++) {
      const begin = this.#starts[i] as number;
      if (begin >= end) break;
      const { text } = this.#pieces[i] as Piece;
      found += text.slice(i === first ? from : 0, end - begin);
    }
    return found;
  }

  charCodeAt(offset: number): number {
    if (offset < 0 || offset >= this.length) return Number.NaN;
    const piece = this.#pieceAt(offset);
    return (this.#pieces[piece] as Piece).text.charCodeAt(offset - (this.#starts[piece] as number));
  }

  positionAt(offset: number): LinePosition {
    const at = Math.max(0, Math.min(offset, this.length));
    const index = this.#pieceAt(at);
    const start = this.#starts[index] as number;
    const { breaks } = this.#pieces[index] as Piece;
    const above = countUpTo(breaks, at - start);
    const line = (this.#lines[index] as number) + above;
    const lineStart =
      above === 0 ? (this.#lineStarts[index] as number) : start + (breaks[above - 1] as number);
    return { line, character: at - lineStart };
  }

  offsetAt({ line, character }: LinePosition): number {
    if (line < 0) return 0;
    const start = this.lineStart(line);
    return Math.min(start + Math.max(0, character), this.#contentEnd(start, line));
  }

  /** Returns the offset at which a line starts, or the end of the text after the last line. */
  lineStart(line: number): number {
    if (line <= 0) return 0;
    const index = countUpTo(this.#lines, line - 1) - 1;
    const within = line - 1 - (this.#lines[index] as number);
    const found = (this.#pieces[index] as Piece).breaks[within];
    return found === undefined ? this.length : (this.#starts[index] as number) + found;
  }

  #contentEnd(start: number, line: number): number {
    const next = this.lineStart(line + 1);
    if (line + 1 >= this.lineCount) return next;
    return Math.max(start, next - breakBefore(this, next));
  }

  replaced(start: number, end: number, by: string): SourceText {
    let from = this.#pieceAt(start);
    let to = this.#pieceAt(end);
    const text = (index: number): string => (this.#pieces[index] as Piece).text;
    let middle =
      text(from).slice(0, start - (this.#starts[from] as number)) +
      by +
      text(to).slice(end - (this.#starts[to] as number));
    while (from > 0 && !mayStand(text(from - 1), middle)) middle = text(--from) + middle;
    while (to + 1 < this.#pieces.length && !mayStand(middle, text(to + 1))) middle += text(++to);
    return new SourceText([
      ...this.#pieces.slice(0, from),
      ...cut(middle),
      ...this.#pieces.slice(to + 1),
    ]);
  }

  changeSince(before: SourceText): Change | undefined {
    const old = before.#pieces;
    const now = this.#pieces;
    const most = Math.min(old.length, now.length);
    let head = 0;
    while (head < most && old[head] === now[head]) head++;
    let tail = 0;
    while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
    const start = head === now.length ? this.length : (this.#starts[head] as number);
    const middle = (of: SourceText): string =>
      of.slice(start, of.#starts[of.#pieces.length - tail] ?? of.length);
    const change = changeBetween(middle(before), middle(this));
    if (change === undefined) return undefined;
    return { start: start + change.start, end: start + change.end, length: change.length };
  }

  /** Returns the index of the piece that contains an offset. The end of the text is in the last piece. */
  #pieceAt(offset: number): number {
    return countUpTo(this.#starts, offset) - 1;
  }
}

/** Returns whether two adjacent pieces are valid: neither is too short, and no CRLF is split between them. */
function mayStand(left: string, right: string): boolean {
  return (
    left.length >= shortest &&
    right.length >= shortest &&
    !(left.endsWith('\r') && right.startsWith('\n'))
  );
}

function cut(text: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  while (text.length - start > longest) {
    const line = text.slice(start, start + usual).lastIndexOf('\n') + 1;
    let end = start + (line >= shortest ? line : usual);
    if (text.charCodeAt(end - 1) === 13 && text.charCodeAt(end) === 10) end++;
    pieces.push(pieceOf(text.slice(start, end)));
    start = end;
  }
  pieces.push(pieceOf(text.slice(start)));
  return pieces;
}

function pieceOf(text: string): Piece {
  return { text, breaks: breaksIn(text) };
}
