/** Formats a part of a document: a selection, or a stage that the user has just finished typing. */
import { type Edit, shifted } from '../edits.ts';
import { queryAt, splitQueries } from '../queries.ts';
import { parseQuery } from '../syntax/parser.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { type AnyNode, pathAt } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { defaultFormatOptions, type FormatOptions, lineBreakOf } from './options.ts';
import { formatQuery, isSafe } from './query.ts';
import { countLineBreaks } from './whitespace.ts';

/** Formats the stages and statements that overlap the range. An empty range is treated like a cursor. */
export function formatRange(
  source: string,
  range: Span,
  options: Partial<FormatOptions> = {},
): Edit[] {
  const full = { ...defaultFormatOptions, ...options };
  const lineBreak = lineBreakOf(source);
  return splitQueries(source).flatMap(({ start, end }) => {
    if (!touches({ start, end }, range)) return [];
    const tree = parseQuery(source.slice(start, end));
    const own = { start: range.start - start, end: range.end - start };
    const parts = partsOf(tree).filter((part) => touches(part, own));
    const edits = formatQuery(tree, full, lineBreak).filter((edit) =>
      parts.some(({ before, end: stop }) => before <= edit.start && edit.start < stop),
    );
    return isSafe(tree, edits) ? shifted(edits, start) : [];
  });
}

function touches(span: Span, range: Span): boolean {
  if (range.start === range.end) return span.start <= range.start && range.start <= span.end;
  return span.start < range.end && range.start < span.end;
}

/**
 * Returns a query's sources, stages, and statements that aren't pipelines. `before` is the start of the gap before the
 * part.
 */
function partsOf(tree: QueryTree): (Span & { readonly before: number })[] {
  const nodes = tree.statements.flatMap((statement): readonly Span[] =>
    statement.kind === 'QueryStatement'
      ? [statement.pipeline.source, ...statement.pipeline.stages]
      : [statement],
  );
  let before = 0;
  return nodes.map(({ start, end }, i) => {
    const stop = i === nodes.length - 1 ? tree.text.length + 1 : end;
    const part = { before, start, end: stop };
    before = stop;
    return part;
  });
}

/**
 * Returns the edits to make when `|` or a line break is typed directly before `offset`. They format the completed
 * stage, but don't break or join lines or change the text after the offset, so the cursor stays in place.
 */
export function formatTyped(
  source: string,
  offset: number,
  options: Partial<FormatOptions> = {},
): Edit[] {
  const query = queryAt(splitQueries(source), offset - 1);
  if (query === undefined || query.start >= offset) return [];
  const tree = parseQuery(source.slice(query.start, query.end));
  const at = offset - query.start;
  const finished = finishedBefore(tree, at);
  if (finished === undefined) return [];
  const full = { ...defaultFormatOptions, ...options };
  const edits = formatQuery(tree, full, lineBreakOf(source)).filter(
    (edit) =>
      finished.before <= edit.start && edit.end <= finished.end && keepsLines(tree.text, edit),
  );
  return isSafe(tree, edits) ? shifted(edits, query.start) : [];
}

function finishedBefore(
  tree: QueryTree,
  offset: number,
): { before: number; end: number } | undefined {
  const { text, tokens } = tree;
  let index = tokens.findLastIndex((token) => token.kind !== 'end' && token.end <= offset);
  let end = tokens[index]?.end ?? 0;
  const piped = text.startsWith('|', tokens[index]?.start);
  if (text[offset - 1] === '|' && !(piped && end === offset)) return undefined;
  if (piped) end = tokens[index--]?.start ?? 0;
  const last = tokens[index];
  if (last === undefined) return undefined;
  const path = pathAt(tree, last.start);
  const found = path.find((node, i) => node.end === last.end && isPart(node, path[i - 1]));
  if (found === undefined) return undefined;
  const first = tokens.findLastIndex((token) => token.start <= found.start);
  return { before: tokens[first - 1]?.end ?? 0, end };
}

const parts = new Set(['Stage', 'LetStatement', 'SetStatement', 'DeclareStatement']);

function isPart(node: AnyNode, parent: AnyNode | undefined): boolean {
  return parts.has(node.kind) || (parent?.kind === 'Pipeline' && parent.source === node);
}

function keepsLines(text: string, { start, end, text: wanted }: Edit): boolean {
  return countLineBreaks(text, start, end) === 0 && countLineBreaks(wanted, 0, wanted.length) === 0;
}
