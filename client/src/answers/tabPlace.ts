/** A query's position in its document, updated after edits. */

/** A zero-based line and UTF-16 column, as in VS Code's editors. */
interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** The end is exclusive. */
export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** An edit that replaces a range with `text`. */
export interface TextChange {
  readonly range: TextRange;
  readonly text: string;
}

export interface TabPlace {
  /** The document's URI. */
  readonly uri: string;
  /** The query's range; absent once an edit has removed the query from the document. */
  readonly range?: TextRange;
}

/** Whether two positions overlap. If so, they belong to the same query or to parts of it. */
export function samePlace(one: TabPlace | undefined, other: TabPlace | undefined): boolean {
  if (one?.range === undefined || other?.range === undefined || one.uri !== other.uri) return false;
  return isBefore(one.range.start, other.range.end) && isBefore(other.range.start, one.range.end);
}

/** Returns a range after an edit; the same object if it did not move, undefined if the edit removed it. */
export function placeAfter(
  range: TextRange,
  { range: at, text }: TextChange,
): TextRange | undefined {
  if (!isBefore(at.start, range.end)) return range;
  // An edit that extends beyond the query, such as one that replaces the entire document, may have moved it anywhere.
  const startsEarlier = isBefore(at.start, range.start);
  const endsLater = isBefore(range.end, at.end);
  const covered = !isBefore(range.start, at.start) && !isBefore(at.end, range.end);
  if (covered && (startsEarlier || endsLater || text.trim() === '')) return undefined;
  const inserted = endOf(at.start, text);
  const moved = (position: TextPosition) =>
    isBefore(position, at.end) ? position : shifted(position, at.end, inserted);
  if (!isBefore(range.start, at.end)) return { start: moved(range.start), end: moved(range.end) };
  const start = startsEarlier ? at.start : range.start;
  const end = endsLater ? inserted : moved(range.end);
  return { start, end };
}

function isBefore(one: TextPosition, other: TextPosition): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

/** Returns the end position of a string that begins at a position. */
function endOf(start: TextPosition, text: string): TextPosition {
  const lines = text.split(/\r\n|\r|\n/);
  const last = lines.at(-1) ?? '';
  if (lines.length === 1) return { line: start.line, character: start.character + last.length };
  return { line: start.line + lines.length - 1, character: last.length };
}

/** Shifts a position at or after `from` by the distance from `from` to `to`. */
function shifted(position: TextPosition, from: TextPosition, to: TextPosition): TextPosition {
  if (position.line > from.line) {
    return { line: position.line + to.line - from.line, character: position.character };
  }
  return { line: to.line, character: position.character - from.character + to.character };
}
