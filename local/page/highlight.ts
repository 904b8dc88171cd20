/** Highlights a query's syntax and errors. Classifies tokens without parsing the query. */
import { lex } from '../../language/src/syntax/lexer.ts';
import { element } from './dom.ts';
import type { Place } from './service.ts';

/** Maximum length of a highlighted query, in UTF-16 units. Highlighting a longer query would delay typing. */
const LENGTH_MAX = 20_000;

const words = new Set(
  'and or not by in on let has contains startswith endswith matches regex between asc desc true false null kind with'.split(
    ' ',
  ),
);

interface Piece {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let before = 0;
  let afterPipe = false;
  for (const { kind, start, end } of lex(text)) {
    const comment = text.slice(before, start).search(/\/\//);
    if (comment >= 0) pieces.push({ kind: 'comment', start: before + comment, end: start });
    before = end;
    const word = text.slice(start, end);
    if (kind === 'string') pieces.push({ kind, start, end });
    else if (kind === 'long' || kind === 'real' || kind === 'timespan') {
      pieces.push({ kind: 'number', start, end });
    } else if (kind === 'word') {
      if (afterPipe || words.has(word)) pieces.push({ kind: 'keyword', start, end });
      else if (text[end] === '(') pieces.push({ kind: 'function', start, end });
    } else if (word === '|') pieces.push({ kind: 'keyword', start, end });
    // An operator's name may contain hyphens.
    afterPipe = word === '|' || (afterPipe && (text[end] === '-' || word === '-'));
  }
  return pieces;
}

export function highlighted(text: string, wrong: readonly Place[]): Node[] {
  const marks = wrong.map((place) => rangeOf(text, place));
  const pieces = text.length > LENGTH_MAX ? [] : piecesOf(text);
  const bounds = new Set([0, text.length]);
  for (const { start, end } of [...pieces, ...marks]) bounds.add(start).add(end);
  const cuts = [...bounds].sort((a, b) => a - b);
  let next = 0;
  return cuts.slice(1).map((end, i) => {
    const start = cuts[i]!;
    while ((pieces[next]?.end ?? text.length) <= start && next < pieces.length) next += 1;
    const piece = pieces[next];
    const names = [
      ...(piece !== undefined && piece.start <= start ? [piece.kind] : []),
      ...(marks.some((mark) => mark.start <= start && end <= mark.end) ? ['wrong'] : []),
    ];
    const slice = text.slice(start, end);
    return names.length === 0
      ? document.createTextNode(slice)
      : element('span', { class: names.join(' '), text: slice });
  });
}

/** Converts `place` to a half-open range of offsets. The range is empty only if the text is empty. */
export function rangeOf(text: string, place: Place): { start: number; end: number } {
  const { line, column, endLine = line, endColumn = column } = place;
  const start = offsetOf(text, line, column);
  const end = Math.max(offsetOf(text, endLine, endColumn), start);
  if (end > start) return { start, end };
  return start < text.length ? { start, end: start + 1 } : { start: Math.max(0, start - 1), end };
}

function offsetOf(text: string, line: number, column: number): number {
  const breaks = /\r\n?|\n/g;
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    if (breaks.exec(text) === null) break;
    start = breaks.lastIndex;
  }
  return Math.min(start + column - 1, text.length);
}
