// From the line and column that the service reports to offsets in the query's text.

/** Half-open offsets in UTF-16 units. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}_$]+|[|]{1,2}|[^\s]/uy;

/**
 * The word at a line and column, both from 1; without a column the line's text. Places beyond the text
 * are drawn back into it, so that there is always something to underline.
 */
export function errorPlace(text: string, line: number, column: number | undefined): Place {
  const lines = [...text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)].filter(
    (match, index) => index === 0 || match.index < text.length,
  );
  const found = lines[Math.min(line, lines.length) - 1];
  const start = found?.index ?? 0;
  const content = (found?.[0] ?? '').replace(/[\r\n]+$/, '');
  if (column === undefined || line > lines.length) {
    const indent = content.length - content.trimStart().length;
    return atLeastOne(start + indent, start + content.trimEnd().length, text.length);
  }
  const from = start + Math.min(column - 1, Math.max(0, content.length - 1));
  WORD.lastIndex = from;
  const word = WORD.exec(text);
  return atLeastOne(
    from,
    word && from < start + content.length ? WORD.lastIndex : from,
    text.length,
  );
}

function atLeastOne(start: number, end: number, length: number): Place {
  if (end > start) return { start, end };
  return start < length
    ? { start, end: start + 1 }
    : { start: Math.max(0, length - 1), end: length };
}

/** By how many lines text below an edit moves. */
export function shiftedBy(linesRemoved: number, inserted: string): number {
  return (inserted.match(/\r\n|\r|\n/g)?.length ?? 0) - linesRemoved;
}
