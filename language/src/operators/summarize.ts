/** The operator `summarize`, which aggregates groups of rows. Group-by columns come first, as in service responses. */
import { append, none } from '../append.ts';
import { type Binder, define, mayCopyColumns, report, type Scope } from '../binding/binder.ts';
import type { BoundExpression, Column, NamedExpression } from '../binding/bound.ts';
import { ColumnList, type Row, renumbered } from '../binding/columns.ts';
import { derivedName, isShownName, Names } from '../binding/derivedNames.ts';
import { bindExpression } from '../binding/expressions.ts';
import { bindGroups, columnOf, guessedNames, nameItem } from '../binding/namedItems.ts';
import { aggregateNamed } from '../catalog/index.ts';
import { defined } from '../defined.ts';
import { clauses, itemList } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { assignments } from '../syntax/grammar/assignments.ts';
import { atAnyClause, needClause } from '../syntax/grammar/keywords.ts';
import { atWord } from '../syntax/grammar/sql.ts';
import type { Assignment, Call, Expression } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import {
  type BoundOperatorNode,
  groupingFacts,
  type OperatorCore,
  type OperatorEditing,
  type OperatorNode,
  type Own,
} from './operator.ts';

export interface SummarizeOperator extends OperatorNode {
  readonly kind: 'SummarizeOperator';
  readonly aggregates: readonly Assignment[];
  readonly by?: Span;
  readonly groups: readonly Assignment[];
}

export interface BoundSummarize extends BoundOperatorNode {
  readonly kind: 'summarize';
  readonly aggregates: readonly NamedExpression[];
  readonly groups: readonly NamedExpression[];
  /** The index in `groups` of the first time bin. */
  readonly timeGroup?: number;
}

export const core: OperatorCore<SummarizeOperator, BoundSummarize> = {
  facts: { ...groupingFacts, namesWhatItReads: true, namesItems: true },
  children: ['aggregates', 'groups'],
  operands: ['aggregates', 'groups'],
  parse: summarizeOperator,
  bind: bindSummarize,
  items: ({ aggregates, groups }) => [...aggregates, ...groups],
};

const atGroupBy = (c: Cursor): boolean => atWord(c, 'group', 0) && atWord(c, 'by', 1);

const atBy = (c: Cursor): boolean => c.at('by') || atAnyClause(c) || atGroupBy(c);

function summarizeOperator(c: Cursor, keyword: Span): Own<SummarizeOperator> {
  const aggregates = atBy(c) ? none : assignments(c, atBy);
  if (atGroupBy(c)) {
    const span = { start: c.token.start, end: c.peek(1).end };
    c.report('foreign-operator', span, { found: c.shown(span), instead: 'by' });
    c.advance();
  }
  const by = atBy(c) || atWord(c, 'by', 0) ? c.token : undefined;
  if (by !== undefined && atWord(c, 'by', 0) && !c.at('by')) c.advance();
  else if (by !== undefined) needClause(c, 'by', keyword);
  const groups = by === undefined ? none : assignments(c);
  const span = by && { start: by.start, end: by.end };
  return { kind: 'SummarizeOperator', aggregates, ...defined({ by: span }), groups };
}

function bindSummarize(node: SummarizeOperator, row: Row, binder: Binder): Own<BoundSummarize> {
  const names = new Names();
  const columns: Column[] = [];
  const groups = bindGroups(node.groups, row, names, columns, binder);
  const groupNames = columns.map(({ name }) => name);
  const guessed = guessedNames(groups);
  const aggregates: NamedExpression[] = [];
  let open = false;
  for (const assignment of node.aggregates) {
    const place = isPath(assignment.expression) ? 'expected' : 'allowed';
    const scope: Scope = { binder, row, aggregates: place };
    const expression = bindExpression(assignment.expression, scope);
    if (isCondition(expression) && !holdsAggregate(expression)) {
      report(binder, 'no-aggregate', assignment.expression);
    }
    const spread = spreadOf(assignment, expression);
    if (spread !== undefined) {
      const made = spreadColumns(assignment, spread, row, groupNames, names, binder);
      for (const name of made.guessed) guessed.add(name);
      aggregates.push(made.item);
      append(columns, made.columns);
      open ||= made.open;
      continue;
    }
    checkNames(assignment, expression, binder);
    const item = nameItem(assignment, expression, names, columns, binder);
    aggregates.push(item);
    if (!item.named && !isForeseeableAggregate(expression)) guessed.add(item.name);
  }
  const all = ColumnList.guessing(columns, guessed);
  row.replace(open ? all.opened() : all, 'summarize');
  const timeGroup = groups.findIndex(({ expression }) => isTimeBin(expression));
  return { kind: 'summarize', aggregates, groups, ...(timeGroup < 0 ? {} : { timeGroup }) };
}

/** Reports `(a, b) = sum(x)`, because only aggregates such as `arg_max` return several columns. */
function checkNames(node: Assignment, expression: BoundExpression, binder: Binder): void {
  const [first] = node.names ?? none;
  const last = node.names?.at(-1);
  if (expression.kind !== 'call' || !expression.aggregate) return;
  if (first === undefined || last === undefined) return;
  const span = { start: first.start, end: last.end };
  const values = { name: `${expression.name}()`, count: String(node.names?.length) };
  report(binder, 'several-names', span, values);
}

/** Returns whether an expression is a comparison or calculation, which must contain an aggregate. */
function isCondition({ kind }: BoundExpression): boolean {
  return kind === 'binary' || kind === 'in' || kind === 'between';
}

/** Returns whether a condition contains an aggregate, or an operand that doesn't require an aggregate. */
function holdsAggregate(expression: BoundExpression): boolean {
  switch (expression.kind) {
    case 'call':
      return expression.aggregate || expression.arguments.some(holdsAggregate);
    case 'binary':
      return holdsAggregate(expression.left) || holdsAggregate(expression.right);
    case 'in':
      return holdsAggregate(expression.left) || expression.items.some(holdsAggregate);
    case 'between':
      return [expression.left, expression.low, expression.high].some(holdsAggregate);
    case 'unary':
      return holdsAggregate(expression.operand);
    case 'member':
    case 'slice':
      return holdsAggregate(expression.target);
    // A named constant or a subquery doesn't require an aggregate. An unbound expression has already been reported.
    case 'error':
    case 'let':
    case 'parameter':
    case 'subquery':
      return true;
    default:
      return false;
  }
}

function isPath(expression: Expression): boolean {
  let node = expression;
  while (node.kind === 'Member' || node.kind === 'Index' || node.kind === 'Parenthesized') {
    node = node.kind === 'Parenthesized' ? node.expression : node.target;
  }
  return node.kind === 'NameReference';
}

/** Returns whether the documentation determines the name of an unnamed aggregate's column. */
function isForeseeableAggregate(expression: BoundExpression): boolean {
  if (expression.kind !== 'call') return expression.kind === 'error';
  const [first] = expression.arguments;
  return isShownName(expression.name) && (first === undefined || first.kind === 'column');
}

function isTimeBin(expression: BoundExpression): boolean {
  if (expression.kind !== 'call') return false;
  if (expression.name !== 'bin' && expression.name !== 'bin_auto') return false;
  const [value] = expression.arguments;
  if (value === undefined) return false;
  return value.type === 'datetime' || (value.kind === 'column' && value.name === '_time');
}

type BoundCall = Extract<BoundExpression, { readonly kind: 'call' }>;

/** Returns the call of an aggregate that returns several columns, such as `arg_max`. */
function spreadOf(node: Assignment, expression: BoundExpression): BoundCall | undefined {
  if (expression.kind !== 'call' || node.expression.kind !== 'Call') return undefined;
  return aggregateNamed(expression.name)?.spreads === 'columns' ? expression : undefined;
}

/**
 * Returns the item of an aggregate such as `arg_max`, with one column for each argument. `*` adds all remaining
 * columns.
 */
function spreadColumns(
  node: Assignment,
  call: BoundCall,
  row: Row,
  groups: readonly string[],
  names: Names,
  binder: Binder,
): { item: NamedExpression; columns: Column[]; guessed: string[]; open: boolean } {
  const args = (node.expression as Call).arguments;
  const columns: Column[] = [];
  /** A later `*` doesn't add these columns again. */
  const shown: string[] = [];
  const guessed: string[] = [];
  const given = (place: number) => node.names?.[place] ?? (place === 0 ? node.name : undefined);
  let open = false;
  for (const [index, argument] of call.arguments.entries()) {
    const written = args[index] as Expression;
    if (argument.kind === 'star') {
      const all = mayCopyColumns(binder, row.columns.list.length);
      open ||= row.open || !all;
      if (!all) continue;
      const taken = new Set([...groups, ...shown]);
      for (const column of row.columns.list) {
        if (taken.has(column.name)) continue;
        const own = given(columns.length);
        const shownAs = renumbered(column, names.free(own?.name ?? column.name));
        columns.push(own === undefined ? shownAs : { ...shownAs, definition: own });
      }
      continue;
    }
    const isNamed = written.kind === 'NamedArgument';
    const value = isNamed ? written.value : written;
    const inner = argument.kind === 'named' ? argument.value : argument;
    if (argument.kind === 'column') shown.push(argument.name);
    const own = given(columns.length);
    const name =
      own?.name ?? (isNamed ? written.name.name : derivedName(value)) ?? `Column${index + 1}`;
    const column = columnOf(names.free(name), inner, own ?? (isNamed ? written.name : written));
    columns.push(column);
    const isCertain = inner.kind === 'column' || inner.kind === 'error';
    if (own === undefined && !isNamed && !isCertain) guessed.push(column.name);
  }
  const [first] = columns;
  const name = first?.name ?? names.unnamed();
  for (const [place, column] of columns.entries()) {
    const own = given(place);
    if (own === undefined) break;
    define(binder, own, column.name, { kind: 'column', column });
  }
  const { start, end } = node;
  const item: NamedExpression = {
    name,
    named: node.name !== undefined,
    columns: columns.map((column) => column.name),
    expression: call,
    start,
    end,
  };
  return { item, columns, guessed, open };
}

export const editing: OperatorEditing = {
  slots: { first: 'aggregates', clauses: { by: 'items' }, likely: { by: ['bin_auto(_time)'] } },
  layout: {
    SummarizeOperator(sheet, node) {
      const first = sheet.at(node.start);
      if (node.by === undefined) return itemList(sheet, first, node.aggregates);
      const by = sheet.at(node.by.start);
      if (node.aggregates.length > 0) clauses(sheet, first, sheet.at(node.end), [by]);
      itemList(sheet, first, node.aggregates);
      itemList(sheet, by, node.groups);
    },
  },
  prose: {
    syntax: 'summarize name = aggregate, … by name = group, …',
    summary: 'Computes aggregates over groups of rows.',
    example: 'logs | summarize requests = count(), avg(duration_ms) by bin_auto(_time), method',
    snippet: 'summarize ${1:count()} by ${2:bin_auto(_time)}',
    clauses: { by: 'The groups. Returns a row for each combination of their values.' },
  },
};
