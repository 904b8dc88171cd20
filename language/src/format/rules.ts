/** Helpers for the layout rules of all node kinds. */
import type { AnyNode } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { type Break, type GroupRules, lineEnd, type Sheet, spacing } from './sheet.ts';

type OfKind<K> = Extract<AnyNode, { kind: K }>;

/** The layout rules by node kind. A rule sets the whitespace between a node's own tokens, not inside its children. */
export type Rules = {
  readonly [K in AnyNode['kind']]?: (
    sheet: Sheet,
    node: OfKind<K>,
    parent: AnyNode | undefined,
  ) => void;
};

export function firsts(sheet: Sheet, nodes: readonly Span[]): number[] {
  return nodes.map(({ start }) => sheet.at(start));
}

export function breaksAt(gaps: readonly number[], indent: number): Break[] {
  return gaps.map((gap) => ({ gap, indent }));
}

/** Returns the gap before each item, or before the item's preceding comma if a comment precedes the comma. */
function itemGaps(sheet: Sheet, items: readonly Span[]): number[] {
  return firsts(sheet, items).map((gap) =>
    sheet.reads(gap - 1, ',') && sheet.lineEnds[gap - 1] === lineEnd.forced ? gap - 1 : gap,
  );
}

/** Adds the gap before each comma to `gaps`, because some authors start lines with commas. */
function withCommas(sheet: Sheet, gaps: readonly number[]): number[] {
  return gaps.flatMap((gap) => (sheet.reads(gap - 1, ',') ? [gap - 1, gap] : [gap]));
}

/** Lays out a list that starts at the token `first`. If the author broke the line before an item, the list breaks. */
export function itemList(sheet: Sheet, first: number, items: readonly Span[]): void {
  if (items.length < 2) return;
  const gaps = itemGaps(sheet, items);
  const end = sheet.at((items.at(-1) as Span).end);
  sheet.group(first, end, breaksAt(gaps, 1), { sticky: withCommas(sheet, gaps) });
}

/** Lays out a list between two brackets. If the author broke the line after the opening bracket, the list breaks. */
export function bracketList(
  sheet: Sheet,
  open: number,
  close: number,
  items: readonly Span[],
  rules: GroupRules & { readonly perLine?: number; readonly first?: number } = {},
): void {
  if (items.length === 0 || !isBracketed(sheet, open, close)) return;
  const { perLine = 1, first = open, ...others } = rules;
  const gaps = itemGaps(sheet, items).filter((_, i) => i % perLine === 0);
  const breaks = [...breaksAt(gaps, 1), { gap: close, indent: 0 }];
  sheet.group(first, close + 1, breaks, { sticky: [gaps[0] as number], ...others });
}

export function itemLines(sheet: Sheet, node: Span & { readonly items: readonly Span[] }): void {
  itemList(sheet, sheet.at(node.start), node.items);
}

/** Starts a new line for each clause if the clauses don't fit on one line or the author broke the line before one. */
export function clauses(sheet: Sheet, first: number, end: number, words: readonly number[]): void {
  sheet.group(first, end, breaksAt(words, 1), { sticky: words });
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

export function isBracketed(sheet: Sheet, open: number, close: number): boolean {
  const token = sheet.tokens[open];
  const closer = token && closers[sheet.text.slice(token.start, token.end)];
  return closer !== undefined && close > open && sheet.reads(close, closer);
}

export function isRoundBracketed(sheet: Sheet, open: number, close: number): boolean {
  return sheet.reads(open, '(') && isBracketed(sheet, open, close);
}

/** Removes the spaces in `option=value`. `value` is the token after the equals sign. */
export function tightOption(sheet: Sheet, value: Span | undefined): void {
  if (value === undefined) return;
  const index = sheet.at(value.start);
  if (!sheet.reads(index - 1, '=')) return;
  sheet.mark(index, spacing.none);
  sheet.mark(index - 1, spacing.none);
}

export function tightBracket(sheet: Sheet, word: number): void {
  if (sheet.reads(word + 1, '(')) sheet.mark(word + 1, spacing.none);
}

/** Sets the spacing inside a node without children, such as a pattern, where a space may be significant. */
export function markLeaf(sheet: Sheet, node: AnyNode): void {
  const first = sheet.at(node.start);
  const end = sheet.at(node.end);
  sheet.markInside(first, end, spacing.written);
  if (node.kind === 'Literal') tightBracket(sheet, first);
}
