/**
 * Handles limits, orders and totals after a time-binned summarize. If the time bin is first in `by`, a limit counts
 * groups instead of rows: it keeps all bins of the groups that rank highest over the entire range. The totals table has
 * one row per group, without the time, and passes through the same later stages.
 */
import {
  type BoundExpression,
  type BoundOperator,
  type BoundStage,
  factsOf,
} from '../../../language/src/index.ts';
import { limited } from './lateColumns.ts';
import { planSummarize } from './operators/summarize.ts';
import type { Merge } from './plan.ts';
import { withPrecomputed } from './precompute.ts';
import { printRelation } from './print.ts';
import { depthOf, type OrderKey, type Relation } from './relation.ts';
import { type Planning, share } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import {
  type GroupColumn,
  groupNames,
  type Table,
  type TableColumn,
  type TimeBin,
} from './table.ts';

type PlanStage = (stage: BoundStage, table: Table, planning: Planning) => Table;

/**
 * Keeps only the rows of the top `count` groups. Keeps the first `count` rows instead in these cases:
 * - The time bin isn't first in `by`, or is the only group.
 * - A group column isn't visible.
 * - The groups can't be planned without the time.
 */
export function limitGroups(
  table: Table,
  count: bigint,
  planning: Planning,
  planStage: PlanStage,
): Table {
  const { bin } = table;
  if (bin === undefined || !bin.first || bin.groups.length === 0) return limited(table, count);
  const isShown = ({ name, id }: GroupColumn) =>
    table.columns.some((column) => column.id === id || column.name === name);
  if (!bin.groups.every(isShown)) return limited(table, count);
  const plain = withoutTimeGroup(bin, planning);
  if (plain === undefined) return limited(table, count);
  const keys = bin.groups.map(({ id, name }) => ({ id, total: idOf(plain, name) }));
  const totals = withLaterColumns(plain, bin, planning, planStage) ?? plain;
  const ranked = totals.implied
    ? { ...totals, order: defaultRank(totals) }
    : withGroupTies(totals, plain);
  const { relation, groups } = bin.stages.every(({ operator }) => keepsBins(operator))
    ? { relation: table.relation, groups: ranked }
    : groupsWithBins(ranked, keys, table.relation, planning);
  const top = limited(groups, count);
  const { rowCountId } = table;
  const read = [...table.columns, ...table.order, ...bin.groups].map(({ id }) => id);
  const ids = [...new Set(rowCountId === undefined ? read : [...read, rowCountId])];
  const items = ids.map((id) => ({ id, sql: print.column(id, 'l') }));
  const on = print.join(
    keys.map(({ id, total }) => print.sameColumn(id, total)),
    ' AND ',
  );
  const { precomputed: _precomputed, ...rest } = table;
  return {
    ...rest,
    relation: {
      kind: 'join',
      left: relation,
      right: top.relation,
      clause: { kind: 'SEMI', on },
      items,
    },
  };
}

export function countOfGroups({ relation: input }: Table, bin: TimeBin, limit: bigint): Sql {
  const groups = bin.groups.map(({ id }) => ({ id, sql: print.column(id) }));
  const all: Relation = { kind: 'aggregate', input, groups, aggregates: [] };
  const some: Relation = { kind: 'sort', input: all, keys: [], limit: limit + 1n };
  const aggregates = [{ id: 'groups', sql: sql`count(*)` }];
  return printRelation({ kind: 'aggregate', input: some, groups: [], aggregates });
}

/** Sorts tied groups in the same order in the series and its totals. */
function withGroupTies(table: Table, totals: Table): Table {
  const known = new Set(table.order.map(({ id }) => id));
  const ties = (totals.groups ?? [])
    .filter(({ id }) => !known.has(id))
    .map(({ id }): OrderKey => ({ id, desc: false, nullsFirst: true }));
  return { ...table, order: [...table.order, ...ties] };
}

function idOf(table: Table, name: string): string {
  return (table.columns.find((column) => column.name === name) as TableColumn).id;
}

const keepsBins = (operator: BoundOperator): boolean => factsOf(operator).rows === 'all';

/**
 * Applies the later stages to the totals, except stages that drop rows, so that the totals have the computed columns
 * and the order of the bins. Returns undefined if a stage needs the time.
 */
function withLaterColumns(
  totals: Table,
  bin: TimeBin,
  planning: Planning,
  planStage: PlanStage,
): Table | undefined {
  return planWithoutTime(totals, bin.stages, planning, (stage, table, inner) => {
    const operator = withoutTime(stage.operator, bin.field);
    return operator !== undefined && keepsBins(operator)
      ? planStage({ ...stage, operator }, table, inner)
      : table;
  });
}

function withoutTimeGroup(bin: TimeBin, planning: Planning): Table | undefined {
  return planWithoutTime(bin.input, [bin.operator], planning, (operator, table, withoutTime) =>
    withPrecomputed(table, withoutTime, (rows, inner) =>
      planSummarize(operator, rows, inner, { withoutTime: true }),
    ),
  );
}

function planWithoutTime<Step>(
  table: Table,
  steps: readonly Step[],
  planning: Planning,
  plan: (step: Step, table: Table, planning: Planning) => Table,
): Table | undefined {
  const withoutTime = { isNeeded: false };
  let planned = table;
  for (const step of steps) {
    planned = plan(step, planned, { ...planning, withoutTime });
    if (withoutTime.isNeeded) return undefined;
  }
  return planned;
}

/** Keeps the totals of groups that still have bins. The bins become a shared table, because they are read twice. */
function groupsWithBins(
  totals: Table,
  keys: readonly { readonly id: string; readonly total: string }[],
  bins: Relation,
  planning: Planning,
): { readonly relation: Relation; readonly groups: Table } {
  const name = share(planning, 'bins', printRelation(bins), bins);
  const relation: Relation = { kind: 'table', name, depth: depthOf(bins) };
  const ids = new Set([...keys.map(({ total }) => total), ...totals.order.map(({ id }) => id)]);
  const items = [...ids].map((id) => ({ id, sql: print.column(id, 'l') }));
  const on = print.join(
    keys.map(({ id, total }) => print.sameColumn(total, id)),
    ' AND ',
  );
  return {
    relation,
    groups: {
      ...totals,
      relation: {
        kind: 'join',
        left: totals.relation,
        right: relation,
        clause: { kind: 'SEMI', on },
        items,
      },
    },
  };
}

/** Sorts by the first numeric non-group column, descending, and then by the group columns. */
function defaultRank(table: Table): readonly OrderKey[] {
  const groups = new Set(groupNames(table));
  const first = table.columns.find(({ name, type }) => !groups.has(name) && canRank(type));
  const ties = table.columns
    .filter(({ name, variants }) => groups.has(name) && variants === undefined)
    .map(({ id }): OrderKey => ({ id, desc: false, nullsFirst: true }));
  return first === undefined ? ties : [{ id: first.id, desc: true, nullsFirst: false }, ...ties];
}

function canRank(type: TableColumn['type']): boolean {
  return type === 'long' || type === 'real' || type === 'timespan';
}

/** Sorts groups that the query doesn't sort: by the time if they have one, then by the default sort keys. */
export function withDefaultOrder(table: Table): Table {
  if (!table.implied || table.order.length > 0 || (table.groups ?? []).length === 0) return table;
  const rank = defaultRank(table).filter(({ id }) =>
    table.columns.some((column) => column.id === id),
  );
  const { bin } = table;
  const time = bin === undefined ? undefined : table.columns.find(({ name }) => name === bin.field);
  if (time === undefined) return { ...table, order: rank };
  const first: OrderKey = { id: time.id, desc: false, nullsFirst: true };
  return { ...table, order: [first, ...rank.filter(({ id }) => id !== time.id)] };
}

/**
 * Plans the totals of a time-binned summarize and applies the later stages. Returns undefined if one of them needs the
 * time, or if the time is the only column.
 */
export function planTotals(
  table: Table,
  planning: Planning,
  planStage: PlanStage,
): Table | undefined {
  const { bin } = table;
  if (bin === undefined) return undefined;
  const plain = withoutTimeGroup(bin, planning);
  if (plain === undefined || plain.columns.length === 0) return undefined;
  const totals = planWithoutTime(plain, bin.stages, planning, (stage, before, inner) => {
    const operator = withoutTime(stage.operator, bin.field);
    if (operator === undefined) return before;
    const ranked =
      operator.kind === 'limit' ? withGroupTies(withDefaultOrder(before), plain) : before;
    return planStage({ ...stage, operator }, ranked, inner);
  });
  return totals?.columns.length === 0 ? undefined : totals;
}

/** Aggregates whose totals can be computed from bins, except `min` of reals, whose total is NaN if any value is. */
const mergeable = ['count', 'sum', 'min', 'max'] as const;

/**
 * Computes the totals from the rows of a time series without other groups, which avoids a second scan. Returns
 * undefined if a later stage may have changed the rows.
 */
export function mergesOf(table: Table): readonly Merge[] | undefined {
  const { bin } = table;
  if (bin === undefined || bin.groups.length > 0) return undefined;
  if (bin.stages.some(({ operator }) => operator.kind !== 'sort')) return undefined;
  const merges = table.columns.flatMap(({ name, type, agg }, column) => {
    const by = mergeable.find((name) => agg?.name === name || agg?.name === `${name}if`);
    return name === bin.field || by === undefined || (by === 'min' && type === 'real')
      ? []
      : [{ column, by }];
  });
  return merges.length === table.columns.length - 1 ? merges : undefined;
}

/** Removes sort keys and columns that are only the time. Returns undefined if no sort key remains. */
function withoutTime(operator: BoundOperator, time: string): BoundOperator | undefined {
  const isOther = ({ expression }: { readonly expression: BoundExpression }) =>
    expression.kind !== 'column' || expression.name !== time;
  switch (operator.kind) {
    case 'sort': {
      const keys = operator.keys.filter(isOther);
      return keys.length === 0 ? undefined : { ...operator, keys };
    }
    case 'project':
      return { ...operator, items: operator.items.filter(isOther) };
    case 'select':
      return { ...operator, columns: operator.columns.filter(({ from }) => from !== time) };
    default:
      return operator;
  }
}
