/** Editable text as an array of lines. Versions share unchanged lines, whereas editing a long string would copy it. */
import {
  breaksIn,
  type Change,
  changeBetween,
  countUpTo,
  type LinePosition,
  type Lines,
} from './text.ts';

export class SourceText implements Lines {
  readonly length: number;
  /** The lines with their line breaks. The last line has no line break and may be empty. */
  readonly #lines: readonly string[];
  readonly #starts: number[] = [];
  #joined: string | undefined;

  constructor(text: string | readonly string[]) {
    this.#lines = typeof text === 'string' ? linesOf(text) : text;
    let end = 0;
    for (let i = 0; i < this.#lines.length; i++) {
      this.#starts.push(end);
      end += (this.#lines[i] as string).length;
    }
    this.length = end;
    if (typeof text === 'string') this.#joined = text;
  }

  /** The number of lines. Empty text has one line. */
  get lineCount(): number {
    return this.#lines.length;
  }

  /** Returns the entire text. Joined on first use and cached. */
  toString(): string {
    this.#joined ??= this.#lines.join('');
    return this.#joined;
  }

  /** Returns the text of a half-open range of valid offsets. */
  slice(start: number, end: number): string {
    const first = this.#lineAt(start);
    const from = this.lineStart(first);
    const lines = this.#lines.slice(first, this.#lineAt(end) + 1);
    return lines.join('').slice(start - from, Math.max(start, end) - from);
  }

  charCodeAt(offset: number): number {
    if (offset < 0 || offset >= this.length) return Number.NaN;
    const { line, character } = this.positionAt(offset);
    return (this.#lines[line] as string).charCodeAt(character);
  }

  positionAt(offset: number): LinePosition {
    const at = Math.max(0, Math.min(offset, this.length));
    const line = this.#lineAt(at);
    return { line, character: at - this.lineStart(line) };
  }

  offsetAt({ line, character }: LinePosition): number {
    if (line < 0) return 0;
    const content = (this.#lines[line] ?? '').replace(/[\r\n]+$/, '');
    return this.lineStart(line) + Math.max(0, Math.min(character, content.length));
  }

  /** Returns the start offset of a line, or the length of the text for a line past the end. */
  lineStart(line: number): number {
    return line <= 0 ? 0 : (this.#starts[line] ?? this.length);
  }

  /** Returns a new text with a half-open range replaced. */
  replaced(start: number, end: number, by: string): SourceText {
    let first = this.#lineAt(start);
    const last = this.#lineAt(end);
    const before = (this.#lines[first] as string).slice(0, start - this.lineStart(first));
    let middle = before + by + (this.#lines[last] as string).slice(end - this.lineStart(last));
    // If the replacement completes a CRLF, change the preceding line as well.
    if (middle.startsWith('\n') && this.#lines[first - 1]?.endsWith('\r'))
      middle = this.#lines[--first] + middle;
    const lines = linesOf(middle);
    // If lines follow, `middle` ends with a line break, so drop the empty line after it.
    if (last + 1 < this.lineCount) lines.pop();
    return new SourceText(this.#lines.slice(0, first).concat(lines, this.#lines.slice(last + 1)));
  }

  /** Returns the change from `before` to this text, or undefined if they are equal. */
  changeSince(before: SourceText): Change | undefined {
    const old = before.#lines;
    const now = this.#lines;
    const most = Math.min(old.length, now.length);
    let head = 0;
    while (head < most && old[head] === now[head]) head++;
    let tail = 0;
    while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
    const start = this.lineStart(head);
    const middle = (of: SourceText): string => of.slice(start, of.lineStart(of.lineCount - tail));
    const change = changeBetween(middle(before), middle(this));
    if (change === undefined) return undefined;
    return { start: start + change.start, end: start + change.end, length: change.length };
  }

  /** Returns the line that contains an offset. The end of the text is in the last line. */
  #lineAt(offset: number): number {
    return countUpTo(this.#starts, offset) - 1;
  }
}

/** Splits text into one or more lines with their line breaks. */
function linesOf(text: string): string[] {
  const starts = [0, ...breaksIn(text)];
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}
