/**
 * What follows a time-binned summarize. A limit counts groups, not rows, when the time stands first among
 * them: those that are greatest over the whole range keep all their bins. The totals table is the same
 * grouping without the time, through the same later stages.
 */
import type { BoundOperator, BoundStage } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import { limited } from './operators/rows.ts';
import { planSummarize } from './operators/summarize.ts';
import type { Merge } from './plan.ts';
import type { OrderKey } from './relation.ts';
import type { Planning } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import type { Table, TableColumn } from './table.ts';

/** The table with the rows of its `count` greatest groups only. */
export function limitGroups(table: Table, count: bigint, planning: Planning): Table {
  const { bin } = table;
  if (bin === undefined || !bin.first || bin.groups.length === 0) return limited(table, count);
  const present = new Set(table.columns.map((column) => column.name));
  if (bin.groups.some((group) => !present.has(group))) return limited(table, count);
  const totals = planSummarize(bin.operator, bin.input, planning, { withoutTime: true });
  const top = limited({ ...totals, order: rankOf(table, totals) }, count);
  const ties = bin.groups.map((name): Sql => {
    const [left, right] = [
      print.column(idOf(table, name), 'l'),
      print.column(idOf(totals, name), 'r'),
    ];
    return sql`${left} IS NOT DISTINCT FROM ${right}`;
  });
  const tie = { kind: 'SEMI', on: print.join(ties, ' AND ') } as const;
  const { counted } = table;
  const read = [...table.columns, ...table.order].map((column) => column.id);
  const ids = [...new Set(counted === undefined ? read : [...read, counted])];
  const items = ids.map((id) => ({ id, sql: print.column(id, 'l') }));
  const relation = { kind: 'join', left: table.relation, right: top.relation, tie, items } as const;
  return { ...table, relation };
}

function idOf(table: Table, name: string): string {
  return (table.columns.find((column) => column.name === name) as TableColumn).id;
}

/** Groups rank by the order that the query asked for, else by the first number that it computes. */
function rankOf(table: Table, totals: Table): readonly OrderKey[] {
  const names = new Map(table.columns.map((column) => [column.id, column.name]));
  const asked = table.implied ? [] : table.order;
  const keys = asked.flatMap((key): readonly OrderKey[] => {
    const column = totals.columns.find(({ name }) => name === names.get(key.id));
    return column === undefined ? [] : [{ ...key, id: column.id }];
  });
  return keys.length > 0 ? keys : defaultRank(totals);
}

/** The greatest of the first number beside the groups; the groups break ties. */
function defaultRank(table: Table): readonly OrderKey[] {
  const groups = new Set(table.groups);
  const first = table.columns.find(({ name, type }) => !groups.has(name) && ranks(type));
  const ties = table.columns
    .filter(({ name, variants }) => groups.has(name) && variants === undefined)
    .map(({ id }): OrderKey => ({ id, desc: false, nullsFirst: true }));
  return first === undefined ? ties : [{ id: first.id, desc: true, nullsFirst: false }, ...ties];
}

function ranks(type: TableColumn['type']): boolean {
  return type === 'long' || type === 'real' || type === 'timespan';
}

/** The order of groups that the query did not order: by time where they have one, greatest first. */
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
 * The totals of a time-binned summarize through the stages after it; undefined when one of these needs
 * the time, so that totals would not mean the same.
 */
export function planTotals(
  table: Table,
  stages: readonly BoundStage[],
  planning: Planning,
  planStage: (stage: BoundStage, table: Table, planning: Planning) => Table,
): Table | undefined {
  const { bin } = table;
  if (bin === undefined) return undefined;
  const after = stages.slice(stages.findLastIndex(({ operator }) => operator === bin.operator) + 1);
  try {
    return after.reduce(
      (totals, stage) => {
        const operator = withoutTime(stage.operator, bin.field);
        if (operator === undefined) return totals;
        const ranked = operator.kind === 'limit' ? withDefaultOrder(totals) : totals;
        return planStage({ ...stage, operator }, ranked, planning);
      },
      planSummarize(bin.operator, bin.input, planning, { withoutTime: true }),
    );
  } catch (error) {
    if (error instanceof PlanError && error.code === 'unknown-column') return undefined;
    throw error;
  }
}

/** Aggregates whose bins merge into the same total; the least of numbers does not, since NaN rules it. */
const mergeable: ReadonlyMap<string, Merge['by']> = new Map([
  ['count', 'count'],
  ['countif', 'count'],
  ['sum', 'sum'],
  ['sumif', 'sum'],
  ['min', 'min'],
  ['minif', 'min'],
  ['max', 'max'],
  ['maxif', 'max'],
]);

/**
 * How the rows of a series without other groups give its totals, so that nothing is read once more; undefined
 * where they do not, or where a later stage may have changed them.
 */
export function mergesOf(
  table: Table,
  stages: readonly BoundStage[],
): readonly Merge[] | undefined {
  const { bin } = table;
  if (bin === undefined || bin.groups.length > 0) return undefined;
  const after = stages.slice(stages.findLastIndex(({ operator }) => operator === bin.operator) + 1);
  if (after.some(({ operator }) => operator.kind !== 'sort')) return undefined;
  const merges = table.columns.flatMap(({ name, type, agg }, column) => {
    const by = mergeable.get(agg?.name ?? '');
    return name === bin.field || by === undefined || (by === 'min' && type === 'real')
      ? []
      : [{ column, by }];
  });
  return merges.length === table.columns.length - 1 ? merges : undefined;
}

/** A stage without the parts that only order by or show the time; undefined when nothing is left. */
function withoutTime(operator: BoundOperator, time: string): BoundOperator | undefined {
  switch (operator.kind) {
    case 'sort': {
      const keys = operator.keys.filter(
        ({ expression }) => expression.kind !== 'column' || expression.name !== time,
      );
      return keys.length === 0 ? undefined : { ...operator, keys };
    }
    case 'project': {
      const items = operator.items.filter(
        ({ expression }) => expression.kind !== 'column' || expression.name !== time,
      );
      return { ...operator, items };
    }
    case 'select':
      return { ...operator, columns: operator.columns.filter(({ from }) => from !== time) };
    default:
      return operator;
  }
}
