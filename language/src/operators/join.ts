/**
 * The operators `join` and `lookup`, which add the columns of matching rows in another table. A right column whose name
 * is taken gets a number, as in Kusto. `lookup` omits the right join keys.
 */
import { none, packed } from '../append.ts';
import {
  type Binder,
  hintFor,
  mayCopyColumns,
  report,
  type Scope,
  unbound,
} from '../binding/binder.ts';
import type { BoundExpression, BoundPipeline, Column } from '../binding/bound.ts';
import { ColumnList, Row, renumbered } from '../binding/columns.ts';
import { bindExpression, unwrap } from '../binding/expressions.ts';
import { bindPipeline, sourceAlone } from '../binding/pipelines.ts';
import { unknownSource } from '../binding/sources.ts';
import { comparable, describeType } from '../binding/types.ts';
import { words } from '../catalog/words.ts';
import type { OperatorSlots } from '../context/slots.ts';
import { defined } from '../defined.ts';
import { clauses, isRoundBracketed, itemList, tightOption } from '../format/rules.ts';
import type { Sheet } from '../format/sheet.ts';
import { didYouMean } from '../problems.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import { needClause } from '../syntax/grammar/keywords.ts';
import { list } from '../syntax/grammar/lists.ts';
import { optWordOption } from '../syntax/grammar/properties.ts';
import { tableOperand } from '../syntax/grammar/sources.ts';
import type { Binary, Expression, Missing, Name, Pipeline } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

interface JoinBody {
  readonly joinKind?: Name;
  readonly right: Pipeline | Missing;
  readonly conditions: readonly Expression[];
}

export interface JoinOperator extends OperatorNode, JoinBody {
  readonly kind: 'JoinOperator';
}

export interface LookupOperator extends OperatorNode, JoinBody {
  readonly kind: 'LookupOperator';
}

export interface BoundJoin extends BoundOperatorNode {
  readonly kind: 'join';
  readonly lookup: boolean;
  readonly joinKind: string;
  readonly right: BoundPipeline;
  readonly conditions: readonly JoinCondition[];
  readonly columns: { readonly list: readonly JoinedColumn[] };
}

/** An output column of a join. `side` and `from` identify its source column. */
export interface JoinedColumn {
  readonly name: string;
  readonly side: 'left' | 'right';
  readonly from: string;
}

export interface JoinCondition extends Span {
  readonly left: BoundExpression;
  readonly right: BoundExpression;
}

const shared = {
  facts: { rows: 'combined', order: 'lost', columns: 'combined' },
  children: ['joinKind', 'right', 'conditions'],
  operands: ['right', 'conditions'],
  bind: bindJoin,
} as const;

export const core: OperatorCore<JoinOperator, BoundJoin> = {
  ...shared,
  row: {
    options: [
      {
        name: 'kind',
        summary: 'Which rows to keep.',
        type: 'word',
        values: words({
          inner: 'Matching rows, once for each match. The default.',
          innerunique: 'Matching rows, each left row with its first match only.',
          leftouter: 'All rows of the left side, with null where nothing matches.',
        }),
        defaultValue: 'inner',
      },
    ],
  },
  parse: (c, keyword) => ({ kind: 'JoinOperator', ...joinBody(c, keyword) }),
};

export const lookupCore: OperatorCore<LookupOperator, BoundJoin> = {
  ...shared,
  row: {
    options: [
      {
        name: 'kind',
        summary: 'Which rows to keep.',
        type: 'word',
        values: words({
          leftouter: 'All rows of the left side, with null where nothing matches. The default.',
          inner: 'Only matching rows.',
        }),
        defaultValue: 'leftouter',
      },
    ],
  },
  parse: (c, keyword) => ({ kind: 'LookupOperator', ...joinBody(c, keyword) }),
};

function joinBody(c: Cursor, keyword: Span): JoinBody {
  const joinKind = optWordOption(c, 'kind');
  const right = joinTable(c);
  const conditions = needClause(c, 'on', keyword) ? list(c, expression) : none;
  return { ...defined({ joinKind }), right, conditions };
}

function joinTable(c: Cursor): Pipeline | Missing {
  if (!c.atEnd && !c.at('on')) return tableOperand(c);
  c.expected('expected-table');
  return c.missing();
}

type Sides = NonNullable<Scope['sides']>;

type JoinNode = JoinOperator | LookupOperator;

/** The sides whose columns each kind of join returns. `runs`: whether the service supports the kind. */
const kinds: Readonly<Record<string, { sides: 'both' | 'left' | 'right'; runs: boolean }>> = {
  inner: { sides: 'both', runs: true },
  innerunique: { sides: 'both', runs: true },
  leftouter: { sides: 'both', runs: true },
  rightouter: { sides: 'both', runs: false },
  fullouter: { sides: 'both', runs: false },
  leftanti: { sides: 'left', runs: false },
  leftsemi: { sides: 'left', runs: false },
  rightanti: { sides: 'right', runs: false },
  rightsemi: { sides: 'right', runs: false },
};

function bindJoin(node: JoinNode, row: Row, binder: Binder): Own<BoundJoin> {
  const lookup = node.kind === 'LookupOperator';
  const right = bindRight(node.right, binder);
  const rightColumns = ColumnList.from(right.columns);
  const joinKind = bindKind(node, lookup, binder);
  const sides = { left: row, right: new Row(rightColumns) };
  const conditions = packed(
    node.conditions.flatMap((condition) =>
      bindConditions(condition, sides, lookup ? 'lookup' : 'join', binder),
    ),
  );
  const input = row.columns;
  const given = (Object.hasOwn(kinds, joinKind) ? kinds[joinKind]?.sides : undefined) ?? 'both';
  let from: readonly Column[] = none;
  let added: readonly Column[] = none;
  if (given === 'right') row.replace(rightColumns, 'join');
  else if (given === 'both') {
    const copied = mayCopyColumns(binder, rightColumns.list.length);
    if (copied) {
      from = lookup ? withoutKeys(rightColumns.list, conditions) : rightColumns.list;
      added = underFreeNames(from, row);
      row.extend(added);
    }
    if (!copied || rightColumns.open) row.openUp();
  }
  const columns =
    given === 'right'
      ? new JoinedColumns('right', rightColumns, none, none)
      : new JoinedColumns('left', input, from, added);
  return { kind: 'join', lookup, joinKind, right, conditions, columns };
}

/** Returns the right side's columns. A column whose name is taken gets a number. */
function underFreeNames(columns: readonly Column[], row: Row): readonly Column[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    const name = row.freeName(column.name, taken);
    taken.add(name);
    return renumbered(column, name);
  });
}

/** Computes the output columns of a join on first use. */
class JoinedColumns {
  readonly #side: 'left' | 'right';
  readonly #columns: ColumnList;
  /** The columns of the right side. `#added` has the same columns under their output names. */
  readonly #from: readonly Column[];
  readonly #added: readonly Column[];

  constructor(
    side: 'left' | 'right',
    columns: ColumnList,
    from: readonly Column[],
    added: readonly Column[],
  ) {
    this.#side = side;
    this.#columns = columns;
    this.#from = from;
    this.#added = added;
  }

  get list(): readonly JoinedColumn[] {
    const own = this.#columns.list.map(({ name }) => ({ name, side: this.#side, from: name }));
    const added = this.#added.map(({ name }, index) => {
      const from = (this.#from[index] as Column).name;
      return { name, side: 'right' as const, from };
    });
    return [...own, ...added];
  }
}

function bindRight(node: Pipeline | Missing, binder: Binder): BoundPipeline {
  if (node.kind === 'Pipeline') return bindPipeline(node, binder);
  return sourceAlone(unknownSource(node));
}

function bindKind(node: JoinNode, lookup: boolean, binder: Binder): string {
  if (node.joinKind === undefined) return lookup ? 'leftouter' : 'inner';
  const { name } = node.joinKind;
  const known = lookup ? ['leftouter', 'inner'] : Object.keys(kinds);
  if (name !== '' && !known.includes(name)) {
    const hint = hintFor(binder, name, known);
    const values = { name, hint: didYouMean(hint) || ` Expected one of ${known.join(', ')}.` };
    report(binder, 'join-kind', node.joinKind, values, hint);
  } else if (kinds[name]?.runs === false) {
    report(binder, 'join-kind-unsupported', node.joinKind, { name });
  }
  return name;
}

/** Binds one condition, or several conditions that are wrongly joined by `and`. */
function bindConditions(
  node: Expression,
  sides: Sides,
  operator: string,
  binder: Binder,
): JoinCondition[] {
  const conditions: JoinCondition[] = [];
  let rest: Expression = unwrap(node);
  const ands: Binary[] = [];
  while (rest.kind === 'Binary' && rest.operator === 'and') {
    ands.push(rest);
    rest = unwrap(rest.left);
  }
  conditions.push(bindCondition(rest, sides, operator, binder));
  for (const and of ands.reverse()) {
    report(binder, 'join-condition-and', and.operatorSpan, { operator }, ',');
    conditions.push(bindCondition(unwrap(and.right), sides, operator, binder));
  }
  return conditions;
}

function bindCondition(
  node: Expression,
  sides: Sides,
  operator: string,
  binder: Binder,
): JoinCondition {
  const { start, end } = node;
  if (node.kind === 'Missing') return { left: unbound(node), right: unbound(node), start, end };
  if (node.kind !== 'Binary' || node.operator !== '==') {
    if (node.kind !== 'NameReference') report(binder, 'join-condition', node, { operator });
    const left = bindExpression(node, scopeOn('left', sides, binder));
    // Report a name only once if both sides lack it.
    const before = binder.problems.length;
    const right = bindExpression(node, scopeOn('right', sides, binder));
    if (left.kind === 'error') binder.problems.length = before;
    return { left: onSide(left, 'left'), right: onSide(right, 'right'), start, end };
  }
  const swapped = sideNamed(node.left) === 'right' || sideNamed(node.right) === 'left';
  const first = bindExpression(node.left, scopeOn(swapped ? 'right' : 'left', sides, binder));
  const second = bindExpression(node.right, scopeOn(swapped ? 'left' : 'right', sides, binder));
  if (!comparable(first.type, second.type)) {
    const values = { left: describeType(first.type), right: describeType(second.type), hint: '' };
    report(binder, 'never-equal', node, values);
  }
  const [left, right] = swapped ? [second, first] : [first, second];
  return { left: onSide(left, 'left'), right: onSide(right, 'right'), start, end };
}

function scopeOn(side: 'left' | 'right', sides: Sides, binder: Binder): Scope {
  return { binder, row: sides[side], sides, aggregates: 'refused' };
}

function onSide(expression: BoundExpression, side: 'left' | 'right'): BoundExpression {
  return expression.kind === 'column' ? { ...expression, side } : expression;
}

function sideNamed(node: Expression): 'left' | 'right' | undefined {
  let inner = unwrap(node);
  while (inner.kind === 'Member' || inner.kind === 'Index') inner = inner.target;
  if (inner.kind !== 'NameReference') return undefined;
  if (inner.name === '$left') return 'left';
  return inner.name === '$right' ? 'right' : undefined;
}

function withoutKeys(
  columns: readonly Column[],
  conditions: readonly JoinCondition[],
): readonly Column[] {
  const keys = new Set<string>();
  for (const { right } of conditions) if (right.kind === 'column') keys.add(right.name);
  return columns.filter(({ name }) => !keys.has(name));
}

const slots: OperatorSlots = { first: 'table', clauses: { on: 'on' }, opensHelp: true };

const clauseProse = {
  on: 'The fields to match: fields of both tables, or $left.a == $right.b, separated by commas.',
};

export const editing: OperatorEditing = {
  slots,
  layout: { JoinOperator: layOutJoin },
  prose: {
    syntax: 'join kind=kind (table) on field, left == right, …',
    summary: 'Combines the rows of two tables where fields match.',
    example: 'logs | join kind=leftouter (users | project id, name) on $left.user_id == $right.id',
    note: 'The default kind is inner. innerunique returns only the first match of each left row. Separate conditions with commas, not with and.',
    snippet: 'join kind=${1|inner,innerunique,leftouter|} (${2:table}) on ${3:field}',
    clauses: clauseProse,
  },
};

export const lookupEditing: OperatorEditing = {
  slots,
  layout: { LookupOperator: layOutJoin },
  prose: {
    syntax: 'lookup kind=kind table on field, left == right, …',
    summary: 'Adds the columns of a smaller table where fields match.',
    example: 'logs | lookup kind=inner (users | project user_id, name) on user_id',
    snippet: 'lookup kind=${1|leftouter,inner|} ${2:table} on ${3:field}',
    clauses: clauseProse,
  },
};

/**
 * Lays out a join. `on` follows the closing bracket of a table. After a table without brackets, `on` starts a new line
 * if it does so in the source text or if the join is too long.
 */
function layOutJoin(sheet: Sheet, node: JoinNode): void {
  tightOption(sheet, node.joinKind);
  const [condition] = node.conditions;
  if (condition === undefined) return;
  const first = sheet.at(node.start);
  const on = sheet.at(condition.start) - 1;
  const { right } = node;
  const bracketed = isRoundBracketed(sheet, sheet.at(right.start), sheet.at(right.end) - 1);
  if (!bracketed) clauses(sheet, first, sheet.at(node.end), [on]);
  itemList(sheet, on, node.conditions);
}
