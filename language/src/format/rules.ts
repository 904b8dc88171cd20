/** The means by which nodes say how they are laid out. */

import type { AnyNode } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { type Break, type GroupRules, lineEnd, type Sheet, spacing } from './sheet.ts';

type OfKind<K> = Extract<AnyNode, { kind: K }>;

/** By kind of node: what it says in a sheet of its own gaps; those inside its children are theirs. */
export type Rules = {
  readonly [K in AnyNode['kind']]?: (
    sheet: Sheet,
    node: OfKind<K>,
    parent: AnyNode | undefined,
  ) => void;
};

/** The first tokens of nodes. */
export function firsts(sheet: Sheet, nodes: readonly Span[]): number[] {
  return nodes.map(({ start }) => sheet.at(start));
}

export function breaksAt(gaps: readonly number[], indent: number): Break[] {
  return gaps.map((gap) => ({ gap, indent }));
}

/** Where the lines of items start: at the item, or at a comma before it that a comment holds off. */
function itemGaps(sheet: Sheet, items: readonly Span[]): number[] {
  return firsts(sheet, items).map((gap) =>
    sheet.reads(gap - 1, ',') && sheet.lineEnds[gap - 1] === lineEnd.forced ? gap - 1 : gap,
  );
}

/** Gaps before items and, since some write commas first, before the commas in front of them. */
function withCommas(sheet: Sheet, gaps: readonly number[]): number[] {
  return gaps.flatMap((gap) => (sheet.reads(gap - 1, ',') ? [gap - 1, gap] : [gap]));
}

/**
 * Items one below the other under the word before them, from the token `first` on. They stay so where
 * the author has put them so. One item alone stays where it is.
 */
export function itemList(sheet: Sheet, first: number, items: readonly Span[]): void {
  if (items.length < 2) return;
  const gaps = itemGaps(sheet, items);
  const end = sheet.at((items.at(-1) as Span).end);
  sheet.group(first, end, breaksAt(gaps, 1), { sticky: withCommas(sheet, gaps) });
}

/**
 * Items in brackets, the opening one being the token `open`, in lines of `perLine` items. They stay in
 * several lines where the author has broken the line behind the bracket.
 */
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

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Whether two tokens are a bracket and its end. */
export function isBracketed(sheet: Sheet, open: number, close: number): boolean {
  const token = sheet.tokens[open];
  const closer = token && closers[sheet.text.slice(token.start, token.end)];
  return closer !== undefined && close > open && sheet.reads(close, closer);
}

/** Whether two tokens are a round bracket and its end, as a pipeline inside another has around it. */
export function isRoundBracketed(sheet: Sheet, open: number, close: number): boolean {
  return sheet.reads(open, '(') && isBracketed(sheet, open, close);
}

/** `option=value` without blanks, `value` being the token behind the sign. */
export function tightOption(sheet: Sheet, value: Span | undefined): void {
  if (value === undefined) return;
  const index = sheet.at(value.start);
  if (!sheet.reads(index - 1, '=')) return;
  sheet.mark(index, spacing.none);
  sheet.mark(index - 1, spacing.none);
}

/** No blank before a bracket that belongs to the word before it. */
export function tightBracket(sheet: Sheet, word: number): void {
  if (sheet.reads(word + 1, '(')) sheet.mark(word + 1, spacing.none);
}

/** A node without children is a name, a pattern or a constant: a blank in it may have a meaning. */
export function markLeaf(sheet: Sheet, node: AnyNode): void {
  const first = sheet.at(node.start);
  const end = sheet.at(node.end);
  sheet.markInside(first, end, spacing.written);
  if (node.kind === 'Literal') tightBracket(sheet, first);
}
