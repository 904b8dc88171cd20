/**
 * Binds `join` and `lookup`: the right side, the conditions, and the combined columns. A right column with a taken name
 * gets a number, as in Kusto. `lookup` omits the right side's keys.
 */

import { none, packed } from '../../append.ts';
import { didYouMean } from '../../problems.ts';
import type * as syntax from '../../syntax/tree.ts';
import { type Binder, hintFor, mayCopyColumns, report, type Scope, unbound } from '../binder.ts';
import type {
  BoundExpression,
  BoundOperator,
  BoundPipeline,
  Column,
  JoinCondition,
  JoinedColumn,
} from '../bound.ts';
import { anyColumns, ColumnList, Row, renumbered } from '../columns.ts';
import { bindExpression, unwrap } from '../expressions.ts';
import { bindPipeline } from '../pipelines.ts';
import { comparable, describeType } from '../types.ts';

/** The rows of the two tables. */
type Sides = NonNullable<Scope['sides']>;

type JoinNode = syntax.JoinOperator | syntax.LookupOperator;

/** For each kind of join: the sides whose columns it returns, and whether the service supports it. */
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

export function bindJoin(node: JoinNode, row: Row, binder: Binder): BoundOperator {
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
  const { keyword, start, end } = node;
  const columns =
    given === 'right'
      ? new JoinedColumns('right', rightColumns, none, none)
      : new JoinedColumns('left', input, from, added);
  return { kind: 'join', lookup, joinKind, right, conditions, columns, keyword, start, end };
}

/** Returns the right side's columns, renamed to avoid the left side's names. */
function underFreeNames(columns: readonly Column[], row: Row): readonly Column[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    const name = row.freeName(column.name, taken);
    taken.add(name);
    return renumbered(column, name);
  });
}

/** All columns of one side, then the columns added from the other side. Computed on first access. */
class JoinedColumns {
  readonly #side: 'left' | 'right';
  readonly #columns: ColumnList;
  /** Columns of the right side, and under the same index these columns after the join. */
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

function bindRight(node: syntax.Pipeline | syntax.Missing, binder: Binder): BoundPipeline {
  if (node.kind === 'Pipeline') return bindPipeline(node, binder);
  const { start, end } = node;
  const source = { kind: 'unknown' as const, columns: anyColumns, start, end };
  return { kind: 'pipeline', source, stages: none, columns: anyColumns, start, end };
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

/** Binds one condition, or several that are wrongly joined by `and`. */
function bindConditions(
  node: syntax.Expression,
  sides: Sides,
  operator: string,
  binder: Binder,
): JoinCondition[] {
  const conditions: JoinCondition[] = [];
  let rest: syntax.Expression = unwrap(node);
  const ands: syntax.Binary[] = [];
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
  node: syntax.Expression,
  sides: Sides,
  operator: string,
  binder: Binder,
): JoinCondition {
  const { start, end } = node;
  if (node.kind === 'Missing') return { left: unbound(node), right: unbound(node), start, end };
  if (node.kind !== 'Binary' || node.operator !== '==') {
    if (node.kind !== 'NameReference') report(binder, 'join-condition', node, { operator });
    const left = bindExpression(node, scopeOn('left', sides, binder));
    // Report a missing name once, even if both sides lack it.
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

/** Returns the side that an operand names with `$left` or `$right`. */
function sideNamed(node: syntax.Expression): 'left' | 'right' | undefined {
  let inner = unwrap(node);
  while (inner.kind === 'Member' || inner.kind === 'Index') inner = inner.target;
  if (inner.kind !== 'NameReference') return undefined;
  if (inner.name === '$left') return 'left';
  return inner.name === '$right' ? 'right' : undefined;
}

/** Returns the right side's columns that aren't join keys. */
function withoutKeys(
  columns: readonly Column[],
  conditions: readonly JoinCondition[],
): readonly Column[] {
  const keys = new Set<string>();
  for (const { right } of conditions) if (right.kind === 'column') keys.add(right.name);
  return columns.filter(({ name }) => !keys.has(name));
}
