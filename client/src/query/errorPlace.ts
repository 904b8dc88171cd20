// Converts the service's lines and columns to offsets in the query's text.
import type { FailurePlace } from '../service/failure.ts';

/** A half-open range of offsets in UTF-16 units. */
interface Place {
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}_$]+|[|]{1,2}|[^\s]/uy;

/**
 * Returns the range to underline: the error's range, or else the word at its column, or else its line. Positions beyond
 * the text are clamped, so the range is empty only in empty text.
 */
export function errorPlace(text: string, place: Omit<FailurePlace, 'message' | 'code'>): Place {
  const lines = linesOf(text);
  const { line, column, endLine, endColumn } = place;
  const found = lines[Math.min(line, lines.length) - 1] as Place;
  if (column === undefined || line > lines.length) {
    const content = text.slice(found.start, found.end);
    const indent = content.length - content.trimStart().length;
    return atLeastOne(found.start + indent, found.start + content.trimEnd().length, text.length);
  }
  const start = Math.min(found.start + column - 1, Math.max(found.start, found.end - 1));
  const last = endLine === undefined ? undefined : lines[endLine - 1];
  if (last !== undefined && endColumn !== undefined) {
    return atLeastOne(start, Math.min(last.start + endColumn - 1, last.end), text.length);
  }
  WORD.lastIndex = start;
  const word = WORD.exec(text);
  return atLeastOne(start, word && start < found.end ? WORD.lastIndex : start, text.length);
}

/** Returns the start and end offsets of each line, excluding its line break. There is at least one line. */
function linesOf(text: string): Place[] {
  const lines: Place[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start, end: index });
    start = index + end.length;
  }
  lines.push({ start, end: text.length });
  return lines;
}

function atLeastOne(start: number, end: number, length: number): Place {
  if (end > start) return { start, end };
  if (start < length) return { start, end: start + 1 };
  return { start: Math.max(0, length - 1), end: length };
}

/** Returns the zero-based line and character of an offset in text that starts at `start`. */
export function positionOf(
  text: string,
  offset: number,
  start: { readonly line: number; readonly character: number },
): { readonly line: number; readonly character: number } {
  const before = linesOf(text.slice(0, offset));
  const last = before.at(-1) as Place;
  const line = start.line + before.length - 1;
  const character = last.end - last.start + (before.length === 1 ? start.character : 0);
  return { line, character };
}

export function lineBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
