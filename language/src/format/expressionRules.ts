/** Layout rules for expressions. */
import { functionNamed } from '../catalog/index.ts';
import type { Binary, DynamicLiteral, Expression } from '../syntax/tree.ts';
import { type AnyNode, children } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { bracketList, breaksAt, type Rules, tightBracket } from './rules.ts';
import { type Sheet, spacing } from './sheet.ts';

export const expressionRules: Rules = {
  Unary(sheet, node) {
    if (node.operator !== 'not') sheet.mark(sheet.at(node.start) + 1, spacing.none);
  },
  Binary: binary,
  InExpression(sheet, node) {
    const [first] = node.items;
    if (first === undefined || first.kind === 'Subquery') return;
    const open = sheet.at(first.start) - 1;
    if (open <= sheet.at(node.operatorSpan.start)) return;
    const filled = node.items.every(isConstant);
    bracketList(sheet, open, sheet.at(node.end) - 1, node.items, { filled });
  },
  Call(sheet, node) {
    const open = sheet.at(node.parentheses.start);
    const given = node.arguments;
    sheet.mark(open, spacing.none);
    if (given.length === 1 && isBlock(given[0] as Expression)) return;
    const perLine = argumentsPerLine(node.name.name);
    const first = sheet.at(node.start);
    bracketList(sheet, open, sheet.at(node.end) - 1, given, { perLine, first });
  },
  Index(sheet, node) {
    sheet.mark(sheet.at(node.target.end), spacing.none);
  },
  Slice(sheet, node) {
    sheet.mark(sheet.at(node.target.end), spacing.none);
    const colon = node.from === undefined ? sheet.at(node.target.end) + 1 : sheet.at(node.from.end);
    sheet.mark(colon + 1, spacing.none);
  },
  Parenthesized(sheet, node) {
    const open = sheet.at(node.start);
    bracketList(sheet, open, sheet.at(node.end) - 1, [node.expression], { sticky: [] });
  },
  DynamicLiteral: dynamicLiteral,
  TypeLiteral(sheet, node) {
    tightBracket(sheet, sheet.at(node.start));
  },
};

/** Operators grouped by precedence. */
const chains: readonly ReadonlySet<string>[] = [
  new Set(['or']),
  new Set(['and']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
];

const logical = new Set(['and', 'or']);

/**
 * Breaks lines before all operators of a chain or before none. If the author broke a line at `and` or `or`, breaks all.
 */
function binary(sheet: Sheet, node: Binary, parent: AnyNode | undefined): void {
  if (node.operator === ':') {
    const colon = sheet.at(node.operatorSpan.start);
    sheet.mark(colon, spacing.none);
    sheet.mark(colon + 1, spacing.none);
    return;
  }
  const chain = chains.find((operators) => operators.has(node.operator));
  if (chain === undefined || (parent?.kind === 'Binary' && chain.has(parent.operator))) return;
  const gaps = operatorsOf(node, chain).map(({ start }) => sheet.at(start));
  const indent = parent?.kind === 'Parenthesized' ? 0 : 1;
  const sticky = logical.has(node.operator) ? gaps.flatMap((gap) => [gap, gap + 1]) : [];
  sheet.group(sheet.at(node.start), sheet.at(node.end), breaksAt(gaps, indent), { sticky });
}

function operatorsOf(node: Expression, chain: ReadonlySet<string>): Span[] {
  if (node.kind !== 'Binary' || !chain.has(node.operator)) return [];
  const { left, operatorSpan, right } = node;
  return [...operatorsOf(left, chain), operatorSpan, ...operatorsOf(right, chain)];
}

function isBlock(value: Expression): boolean {
  return value.kind === 'Subquery' || value.kind === 'DynamicLiteral';
}

/** Returns the number of arguments per line, such as 2 for the pairs of `case`. */
function argumentsPerLine(name: string): number {
  return functionNamed(name)?.signatures.find(({ repeating }) => repeating)?.repeating ?? 1;
}

function isConstant(value: AnyNode): boolean {
  return value.kind === 'Literal' || (value.kind === 'Unary' && value.operand.kind === 'Literal');
}

/**
 * Lays out the arrays and objects in a `dynamic(…)` literal. They aren't nodes, so their brackets are found among the
 * tokens.
 */
function dynamicLiteral(sheet: Sheet, node: DynamicLiteral): void {
  const first = sheet.at(node.start);
  const end = sheet.at(node.end);
  tightBracket(sheet, first);
  const values = children(node);
  const open: { readonly index: number; readonly items: Span[]; plain: boolean }[] = [];
  let next = 0;
  for (let i = first; i < end; ) {
    const value = values[next];
    const startsItem = sheet.reads(i - 1, ',') || open.at(-1)?.index === i - 1;
    if (startsItem) open.at(-1)?.items.push(sheet.token(i));
    if (value !== undefined && sheet.at(value.start) === i) {
      const inside = open.at(-1);
      if (inside !== undefined && !isConstant(value)) inside.plain = false;
      next++;
      i = Math.max(i + 1, sheet.at(value.end));
      continue;
    }
    if (sheet.reads(i, '[') || sheet.reads(i, '{')) {
      const around = open.at(-1);
      if (around !== undefined) around.plain = false;
      open.push({ index: i, items: [], plain: sheet.reads(i, '[') });
    } else if (sheet.reads(i, ']') || sheet.reads(i, '}')) {
      const array = open.pop();
      if (array === undefined) return;
      const items = array.items.filter(({ start }) => start < sheet.token(i).start);
      bracketList(sheet, array.index, i, items, { filled: array.plain });
    }
    i++;
  }
}
