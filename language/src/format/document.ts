/** Formats a document of queries. */
import { applyEdits, type Edit, shifted } from '../edits.ts';
import { splitQueries } from '../queries.ts';
import { lex } from '../syntax/lexer.ts';
import { inTextOrder, type Span } from '../text.ts';
import { aroundQueries, type Source } from './around.ts';
import { defaultFormatOptions, type FormatOptions, lineBreakOf } from './options.ts';
import { formatQuery } from './query.ts';
import { sameTokens } from './same.ts';

export function format(source: string, options: Partial<FormatOptions> = {}): Edit[] {
  const full = { ...defaultFormatOptions, ...options };
  const lineBreak = lineBreakOf(source);
  const queries = splitQueries(source);
  const inside = queries.flatMap(({ start, end }) =>
    shifted(formatQuery(source.slice(start, end), full, lineBreak), start),
  );
  const document = { text: source, tokens: lex(source), queries };
  const around = aroundQueries(document, lineBreak, full.finalNewline);
  const all = inTextOrder([...inside, ...around]);
  return [all, inside].find((edits) => keepsQueries(document, inside, edits)) ?? [];
}

/** Returns whether the edited document splits into the same queries, each with only the edits `inside` applied. */
function keepsQueries(source: Source, inside: readonly Edit[], edits: readonly Edit[]): boolean {
  const { queries } = source;
  const text = applyEdits(source.text, edits);
  const found = splitQueries(text);
  let next = 0;
  return (
    found.length === queries.length &&
    sameTokens(source, { text, tokens: lex(text) }) &&
    queries.every(({ start, end }, i) => {
      const first = next;
      while ((inside[next]?.end ?? end + 1) <= end) next++;
      const own = shifted(inside.slice(first, next), -start);
      const wanted = applyEdits(source.text.slice(start, end), own);
      const { start: from, end: to } = found[i] as Span;
      return text.slice(from, to) === wanted;
    })
  );
}
