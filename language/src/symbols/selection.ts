/** Finds the spans for expanding a selection step by step, from the word at an offset to the entire query. */
import { matchBrackets } from '../syntax/brackets.ts';
import type { Token } from '../syntax/tokens.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { triviaIn } from '../syntax/trivia.ts';
import { type AnyNode, children, pathAt } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { tokenFrom } from './tokenSearch.ts';

/** Returns the spans around an offset, each strictly inside the next. The last is the entire query. */
export function selectionSpans(tree: QueryTree, offset: number): Span[] {
  const { text, tokens } = tree;
  const path = pathAt(tree, offset);
  const spans: Span[] = [{ start: 0, end: text.length }, ...path];
  for (let i = 0; i < path.length; i++) addLists(tree, path[i] as AnyNode, path[i + 1], spans);
  addBrackets(tree, offset, spans);
  addToken(tree, offset, spans);
  const [first] = tokens;
  const last = tokens.at(-2);
  if (first !== undefined && last !== undefined) spans.push({ start: first.start, end: last.end });
  return nested(spans, offset);
}

/** Returns the spans around the offset, the smallest first. Omits a span that doesn't contain all smaller spans. */
function nested(spans: readonly Span[], offset: number): Span[] {
  const around = spans
    .filter(({ start, end }) => start <= offset && offset <= end && start < end)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
  const kept: Span[] = [];
  for (const { start, end } of around) {
    const inner = kept.at(-1) ?? { start: end, end: end };
    if (start <= inner.start && inner.end <= end && end - start > inner.end - inner.start)
      kept.push({ start, end });
  }
  return kept;
}

/** Adds the comma-separated list with the child `inner`. For operators and stages, adds all children together too. */
function addLists(tree: QueryTree, node: AnyNode, inner: AnyNode | undefined, spans: Span[]): void {
  const items = children(node);
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) return;
  if ('keyword' in node || node.kind === 'Stage') spans.push({ start: first.start, end: last.end });
  const at = inner === undefined ? -1 : items.indexOf(inner);
  if (at < 0) return;
  let from = at;
  let to = at;
  while (from > 0 && isComma(tree, items[from - 1] as AnyNode, items[from] as AnyNode)) from--;
  while (to + 1 < items.length && isComma(tree, items[to] as AnyNode, items[to + 1] as AnyNode))
    to++;
  if (from < to) {
    spans.push({ start: (items[from] as AnyNode).start, end: (items[to] as AnyNode).end });
  }
}

function isComma({ text, tokens }: QueryTree, left: AnyNode, right: AnyNode): boolean {
  const i = tokenFrom(tokens, left.end);
  const token = tokens[i];
  if (token === undefined || text.slice(token.start, token.end) !== ',') return false;
  return (tokens[i + 1] as Token | undefined)?.start === right.start;
}

function addBrackets({ text, tokens }: QueryTree, offset: number, spans: Span[]): void {
  const { match } = matchBrackets(text, tokens);
  for (let i = 0; i < tokens.length; i++) {
    const open = tokens[i] as Token;
    if (open.start > offset) break;
    const closer = match[i] as number;
    const close = closer > 0 ? tokens[closer] : undefined;
    if (close === undefined || close.end < offset) continue;
    spans.push({ start: open.start, end: close.end });
    const first = tokens[i + 1] as Token;
    const last = tokens[closer - 1] as Token;
    if (closer > i + 1) spans.push({ start: first.start, end: last.end });
  }
}

const opening = /^@?["'\u2018-\u201e]/;

function addToken({ text, tokens }: QueryTree, offset: number, spans: Span[]): void {
  const i = tokenFrom(tokens, offset);
  for (const token of tokens.slice(Math.max(0, i - 1), i + 1)) {
    if (token.kind === 'end' || token.start > offset) continue;
    // Skip a token that ends at the offset if it is punctuation or if another token starts there.
    if (offset === token.end && (token.kind === 'punctuation' || tokens[i]?.start === offset)) {
      continue;
    }
    spans.push(token);
    if (token.kind !== 'string') continue;
    const written = text.slice(token.start, token.end);
    const before = opening.exec(written)?.[0].length ?? 0;
    const after = token.flaw === 'unterminated-string' ? 0 : 1;
    spans.push({ start: token.start + before, end: token.end - after });
  }
  const gap = { start: tokens[i - 1]?.end ?? 0, end: tokens[i]?.start ?? text.length };
  for (const piece of triviaIn(text, gap)) {
    if (piece.kind !== 'comment') continue;
    spans.push(piece);
    const slashes = /^\/+\s*/.exec(text.slice(piece.start, piece.end))?.[0].length ?? 0;
    spans.push({ start: piece.start + slashes, end: piece.end });
  }
}
