/** The operator `make-series`, which returns arrays over equal time steps, one for each aggregate and group. */
import { none } from '../append.ts';
import { type Binder, type Scope, unbound } from '../binding/binder.ts';
import type { BoundExpression, Column, NamedExpression } from '../binding/bound.ts';
import { ColumnList, type Row } from '../binding/columns.ts';
import { derivedName, Names } from '../binding/derivedNames.ts';
import { bindExpression } from '../binding/expressions.ts';
import { bindGroups, columnOf, nameItem, ofType, retype } from '../binding/namedItems.ts';
import { checkWord } from '../binding/options.ts';
import { words } from '../catalog/words.ts';
import { widths } from '../context/constants.ts';
import { defined } from '../defined.ts';
import { clauses, itemList, tightOption } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { assignment, assignments } from '../syntax/grammar/assignments.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import { needClause } from '../syntax/grammar/keywords.ts';
import { list } from '../syntax/grammar/lists.ts';
import { optWordOption } from '../syntax/grammar/properties.ts';
import type { Assignment, Expression, Name, Node } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import {
  type BoundOperatorNode,
  groupingFacts,
  type OperatorCore,
  type OperatorEditing,
  type OperatorNode,
  type Own,
} from './operator.ts';

export interface MakeSeriesOperator extends OperatorNode {
  readonly kind: 'MakeSeriesOperator';
  /** The value of Kusto's option `kind`, such as `nonempty`. APL's documentation doesn't include it. */
  readonly seriesKind?: Name;
  readonly aggregates: readonly SeriesAggregate[];
  readonly on?: Expression;
  readonly from?: Expression;
  readonly to?: Expression;
  readonly step?: Expression;
  /** Whether `from`, `to` and `step` are the arguments of `in range(…)`. */
  readonly inRange?: true;
  readonly groups: readonly Assignment[];
}

export interface SeriesAggregate extends Node {
  readonly kind: 'SeriesAggregate';
  readonly assignment: Assignment;
  readonly defaultValue?: Expression;
}

export interface BoundMakeSeries extends BoundOperatorNode {
  readonly kind: 'make-series';
  /** Whether an empty input produces one row of default values. */
  readonly nonEmpty: boolean;
  readonly aggregates: readonly BoundSeries[];
  /** The time or number that is divided into steps. `onName` is the name of its output column. */
  readonly on: BoundExpression;
  readonly onName: string;
  readonly from?: BoundExpression;
  readonly to?: BoundExpression;
  readonly step?: BoundExpression;
  /** Whether `in range(…)` sets `from`, `to` and `step`. The last bin then contains `to`. */
  readonly inRange: boolean;
  readonly groups: readonly NamedExpression[];
}

/** One aggregate of make-series, and the default value for steps without rows. */
export interface BoundSeries {
  readonly item: NamedExpression;
  readonly defaultValue?: BoundExpression;
}

export const core: OperatorCore<MakeSeriesOperator, BoundMakeSeries> = {
  facts: { ...groupingFacts, namesWhatItReads: true, namesItems: true },
  children: ['seriesKind', 'aggregates', 'on', 'from', 'to', 'step', 'groups'],
  operands: ['aggregates', 'on', 'from', 'to', 'step', 'groups'],
  parse: makeSeriesOperator,
  bind: bindMakeSeries,
  items: ({ aggregates, groups }) => [...aggregates.map(({ item }) => item), ...groups],
};

const seriesClauses = new Set(['on', 'from', 'to', 'step', 'by', 'in', 'with', 'as']);

const atSeriesClause = (c: Cursor): boolean =>
  c.kind === 'word' && seriesClauses.has(c.textOf(c.token));

const clauseOrder = ['on', 'from', 'to', 'step', 'by'] as const;
type SeriesClause = (typeof clauseOrder)[number];

type SeriesClauses = Pick<MakeSeriesOperator, 'on' | 'from' | 'to' | 'step' | 'inRange'>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Parses make-series. Reports a misplaced clause, but still parses it if possible. */
function makeSeriesOperator(c: Cursor, keyword: Span): Own<MakeSeriesOperator> {
  const seriesKind = optWordOption(c, 'kind');
  const aggregates = atSeriesClause(c) ? [] : list(c, seriesAggregate, { stop: atSeriesClause });
  if (aggregates.length === 0) c.expected('expected-expression');
  const clauses: Mutable<SeriesClauses> = {};
  let groups: readonly Assignment[] = none;
  const problems = c.problems.length;
  for (let next = 0; atSeriesClause(c); ) {
    const word = seriesClauseHere(c, next, clauses);
    c.advance();
    if (word === 'by') groups = assignments(c, atSeriesClause);
    else if (word === 'on') Object.assign(clauses, seriesAxis(expression(c)));
    else clauses[word] = expression(c);
    next = clauseOrder.indexOf(word) + 1;
  }
  const missing = clauses.on === undefined ? 'on' : clauses.step === undefined ? 'step' : undefined;
  if (missing !== undefined && c.problems.length === problems) needClause(c, missing, keyword);
  return { kind: 'MakeSeriesOperator', ...defined({ seriesKind }), aggregates, ...clauses, groups };
}

/** Returns the axis and, for `x in range(start, end, step)`, the clauses that the range sets. */
function seriesAxis(on: Expression): SeriesClauses {
  const [range] = on.kind === 'InExpression' && on.operator === 'in' ? on.items : [];
  if (on.kind !== 'InExpression' || range?.kind !== 'Call') return { on };
  const [from, to, step] = range.arguments;
  if (from === undefined || to === undefined || step === undefined) return { on };
  return { on: on.left, from, to, step, inRange: true };
}

/** Returns the keyword of the clause that starts here or was probably meant here. Reports a misplaced keyword. */
function seriesClauseHere(
  c: Cursor,
  next: number,
  has: { readonly on?: Expression; readonly step?: Expression },
): SeriesClause {
  const written = clauseOrder.find((word) => c.at(word));
  const at = written === undefined ? -1 : clauseOrder.indexOf(written);
  const needed = has.on === undefined ? 0 : has.step === undefined ? 3 : 4;
  if (written !== undefined && at >= next && at <= needed) return written;
  const word = clauseOrder[Math.min(next, needed)] as SeriesClause;
  c.expected('expected-word', { word });
  // If the misplaced keyword appears again later, the expected keyword was probably meant here.
  const others = written === 'by' ? clauseOrder : [written];
  return written === undefined || isAhead(c, others) ? word : written;
}

function isAhead(c: Cursor, words: readonly (string | undefined)[]): boolean {
  for (let ahead = 1; c.peek(ahead).kind !== 'end'; ahead++) {
    if (words.some((word) => word !== undefined && c.at(word, ahead))) return true;
  }
  return false;
}

function seriesAggregate(c: Cursor): SeriesAggregate {
  const found = assignment(c);
  let defaultValue: Expression | undefined;
  if (c.at('default') && c.at('=', 1)) {
    c.advance();
    c.advance();
    defaultValue = expression(c);
  }
  const parts = { assignment: found, ...defined({ defaultValue }) };
  return { kind: 'SeriesAggregate', ...parts, ...c.since(found) };
}

function bindMakeSeries(node: MakeSeriesOperator, row: Row, binder: Binder): Own<BoundMakeSeries> {
  const scope: Scope = { binder, row, aggregates: 'allowed' };
  const plain: Scope = { ...scope, aggregates: 'refused' };
  const optional = (part: Expression | undefined): BoundExpression | undefined =>
    part === undefined ? undefined : bindExpression(part, plain);
  if (node.seriesKind !== undefined) {
    checkWord('kind', ['nonempty'], node.seriesKind.name, node.seriesKind, binder);
  }
  const names = new Names();
  const columns: Column[] = [];
  const groups = bindGroups(node.groups, row, names, columns, binder);
  const aggregates: BoundSeries[] = [];
  for (const { assignment, defaultValue } of node.aggregates) {
    const expression = bindExpression(assignment.expression, scope);
    const before = columns.length;
    const item = nameItem(assignment, expression, names, columns, binder);
    retype(columns, before, 'dynamic');
    aggregates.push({ item, ...defined({ defaultValue: optional(defaultValue) }) });
  }
  const on = optional(node.on) ?? unbound({ start: node.end, end: node.end });
  const [from, to, step] = [node.from, node.to, node.step].map(optional);
  const onName = names.free((node.on && derivedName(node.on)) ?? '_time');
  const made = node.on && columnOf(onName, on, node.on);
  columns.push(ofType(made ?? { name: onName, type: 'dynamic' }, 'dynamic'));
  // The name is a guess, because documented examples call this column both `time` and `_time`.
  row.replace(ColumnList.guessing(columns, new Set([onName])), 'make-series');
  return {
    kind: 'make-series',
    nonEmpty: node.seriesKind?.name === 'nonempty',
    aggregates,
    on,
    onName,
    ...defined({ from, to, step }),
    inRange: node.inRange === true,
    groups,
  };
}

export const editing: OperatorEditing = {
  slots: {
    first: 'aggregates',
    modified: 'aggregates',
    opensHelp: true,
    clauses: { on: 'expression', from: 'constant', to: 'constant', step: 'constant', by: 'items' },
    likely: { from: ['ago(1d)', 'ago(7d)'], to: ['now()'], step: widths },
  },
  layout: {
    MakeSeriesOperator(sheet, node) {
      const first = sheet.at(node.start);
      tightOption(sheet, node.seriesKind);
      const words = [node.on, node.groups[0]].map((clause) =>
        clause === undefined ? 0 : sheet.at(clause.start) - 1,
      );
      clauses(
        sheet,
        first,
        sheet.at(node.end),
        words.filter((word) => word > first),
      );
      itemList(sheet, first, node.aggregates);
      itemList(sheet, words[1] as number, node.groups);
    },
    SeriesAggregate(sheet, node) {
      tightOption(sheet, node.defaultValue);
    },
  },
  prose: {
    syntax:
      'make-series name = aggregate default=value, … on time from start to end step size by group, …',
    summary: 'Creates arrays of aggregates over regular time steps for each group.',
    example:
      'logs | make-series requests = count() default=0 on _time from ago(1h) to now() step 5m by method',
    note: 'Without from and to, the series covers the time range of the query.',
    snippet: 'make-series ${1:count()} default=${2:0} on ${3:_time} step ${4:1m} by ${5:field}',
    clauses: {
      on: 'The field that defines the steps, usually _time.',
      from: 'The start of the first step.',
      to: 'The end of the last step.',
      step: 'The width of a step.',
      by: 'The groups. Returns a row with its arrays for each combination of values.',
    },
    modifiers: /* @__PURE__ */ words({
      'default=': 'The value of a step without rows. Default: null.',
    }),
  },
};
