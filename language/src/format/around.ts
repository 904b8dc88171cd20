/** Formats the whitespace outside queries: before, between and after them. */
import type { Edit } from '../edits.ts';
import type { Token } from '../syntax/tokens.ts';
import { triviaIn } from '../syntax/trivia.ts';
import type { Span } from '../text.ts';
import { countLineBreaks, replacement } from './whitespace.ts';

export interface Source {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly queries: readonly Span[];
}

/**
 * Returns the edits around queries. Queries start in the first column. Blank lines at both ends of the document are
 * removed. Comments outside queries keep their indentation.
 */
export function aroundQueries(source: Source, lineBreak: string, finalNewline: boolean): Edit[] {
  const { text } = source;
  if (source.queries.length === 0) return [];
  const edits: Edit[] = [];
  let end = 0;
  const bring = (start: number, wanted: string) => {
    const edit = replacement(text, end, start, wanted);
    if (edit !== undefined) edits.push(edit);
  };
  for (const { start, end: next, isComment } of partsOf(source)) {
    const lines = countLineBreaks(text, end, start);
    const gap = text.slice(end, start);
    const lineStart = Math.max(gap.lastIndexOf('\n'), gap.lastIndexOf('\r')) + 1;
    const indent = isComment ? gap.slice(lineStart) : '';
    bring(start, end === 0 ? '' : lineBreak.repeat(Math.max(1, lines)) + indent);
    end = next;
  }
  const ends = finalNewline || countLineBreaks(text, end, text.length) > 0;
  bring(text.length, ends ? lineBreak : '');
  return edits;
}

interface Part extends Span {
  readonly isComment: boolean;
}

function partsOf({ text, tokens, queries }: Source): Part[] {
  const parts: Part[] = [];
  let last = 0;
  let next = 0;
  for (const { start, end } of [...queries, { start: text.length, end: text.length }]) {
    for (const piece of triviaIn(text, { start: last, end: start })) {
      if (piece.kind !== 'comment') continue;
      const written = text.slice(piece.start, piece.end).trimEnd();
      parts.push({ start: piece.start, end: piece.start + written.length, isComment: true });
    }
    // Include an unterminated string, which extends past the query's end.
    while ((tokens[next] as Token).end < end) next++;
    last = (tokens[next] as Token).start < end ? (tokens[next] as Token).end : end;
    if (last > start) parts.push({ start, end: last, isComment: false });
  }
  return parts;
}
