/**
 * `summarize`: the aggregates become columns of the grouped table, and the rest of each expression is computed from
 * these columns. Grouping by a bin of `_time` makes a time series. Later stages can limit its groups, and the totals
 * table has the same groups without the time.
 */
import type {
  BoundExpression,
  BoundOperator,
  NamedExpression,
} from '../../../../language/src/index.ts';
import { aggregateOf, planSpread } from '../aggregates.ts';
import { planExpression } from '../expressions.ts';
import type { TimeRange } from '../plan.ts';
import { PrecomputedColumns } from '../precompute.ts';
import type { Item } from '../relation.ts';
import { type Planning, type Scope, scopeOf } from '../scope.ts';
import * as print from '../sql.ts';
import {
  addColumn,
  extended,
  Ids,
  newTable,
  type Table,
  type TableColumn,
  type TimeBin,
} from '../table.ts';
import { binSize } from '../timeBins.ts';
import type { Value } from '../values.ts';
import { withRowCount } from './rows.ts';

type Summarize = Extract<BoundOperator, { kind: 'summarize' }>;

export interface SummarizeOptions {
  readonly withoutTime?: boolean;
  /** The length in nanoseconds that `rate` divides by, instead of the size of the time bin or the query's range. */
  readonly window?: bigint | undefined;
}

export function planSummarize(
  operator: Summarize,
  table: Table,
  planning: Planning,
  { withoutTime = false, window }: SummarizeOptions = {},
): Table {
  planning.size.addOfStage(operator.aggregates.length + operator.groups.length, operator);
  const rows = scopeOf(table, planning);
  const size = timeBinSize(operator, rows);
  const ids = new Ids();
  const groups: Item[] = [];
  const kept = operator.groups.filter((_, i) => !withoutTime || i !== operator.timeGroup);
  const groupColumns = kept.map((group) =>
    addColumn(group.name, planExpression(group.expression, rows), ids, groups),
  );
  const aggregates: Item[] = [];
  const computed: Item[] = [];
  const { range } = planning.context;
  const onlyBins = size !== undefined && !withoutTime && operator.groups.length === 1;
  const limit = onlyBins && hasTimesInRange(table) ? { maxGroups: maxBins(range, size) } : {};
  const grouped = newTable(
    { kind: 'aggregate', input: table.relation, groups, aggregates, ...limit },
    groupColumns,
    ids,
  );
  const precomputed = new PrecomputedColumns(grouped, ids);
  /** Finds an aggregate's existing column, because precomputing may plan the same aggregate twice. */
  const known = ({ sql: of }: Value) => aggregates.find((item) => print.same(item.sql, of));
  const scope: Scope = {
    ...scopeOf(grouped, { ...planning, precomputed }),
    aggregates: {
      window: window ?? (size === undefined || withoutTime ? range.end - range.start : size),
      groups: new Set(operator.groups.map((group) => group.name)),
      rows,
      collect: (aggregate) => {
        const { id } = known(aggregate) ?? addColumn('aggregate', aggregate, ids, aggregates);
        return { ...aggregate, sql: print.column(id) };
      },
    },
  };
  const made = operator.aggregates.flatMap((item) =>
    itemColumns(item, scope, ids, aggregates, computed),
  );
  const countsRows = !withoutTime && planning.countingOperator === operator;
  const whole = countsRows ? withRowCount(grouped, ids, aggregates, groups.length > 0) : grouped;
  const result = {
    ...extended(precomputed.extend(whole), computed, ids),
    columns: [...groupColumns, ...made],
    taken: ids.taken,
    groups: groupColumns.map(({ name, id }) => ({ name, id })),
  };
  return size === undefined || withoutTime ? result : { ...result, bin: binOf(size) };

  function binOf(size: bigint): TimeBin {
    const { timeGroup: at } = operator;
    const time = groupColumns[at as number] as TableColumn;
    const others = groupColumns.filter((column) => column !== time);
    return {
      field: time.name,
      id: time.id,
      size,
      groups: others.map(({ name, id }) => ({ name, id })),
      first: at === 0,
      operator,
      input: table,
      stages: [],
    };
  }
}

function itemColumns(
  item: NamedExpression,
  scope: Scope,
  ids: Ids,
  aggregates: Item[],
  computed: Item[],
): readonly TableColumn[] {
  const { expression } = item;
  const agg = aggregateOf(expression);
  if (agg === undefined) {
    return [addColumn(item.name, planExpression(expression, scope), ids, computed)];
  }
  const add = (name: string, value: Value) => ({ ...addColumn(name, value, ids, aggregates), agg });
  if (item.columns !== undefined && expression.kind === 'call') {
    const names = item.columns;
    return planSpread(expression, scope).map((value, i) => add(names[i] ?? item.name, value));
  }
  return [add(item.name, planWhole(expression, scope))];
}

/** Plans an item that consists of a single aggregate, without an intermediate column. */
function planWhole(expression: BoundExpression, scope: Scope): Value {
  if (scope.aggregates === undefined) return planExpression(expression, scope);
  const aggregates = { ...scope.aggregates, collect: (aggregate: Value) => aggregate };
  return planExpression(expression, { ...scope, aggregates });
}

/** Returns the size of a bin of `_time`. A bin of any other time column is an ordinary group-by key. */
function timeBinSize(operator: Summarize, scope: Scope): bigint | undefined {
  const { timeGroup } = operator;
  const group = timeGroup === undefined ? undefined : operator.groups[timeGroup];
  if (group === undefined || group.expression.kind !== 'call') return undefined;
  const [time] = group.expression.arguments;
  if (time?.kind !== 'column' || time.name !== '_time') return undefined;
  return binSize(group.expression, scope);
}

/** Returns whether `_time` is still the column filtered by the query's range. */
function hasTimesInRange({ inRange, columns }: Table): boolean {
  return columns.some(({ name, id }) => name === '_time' && id === inRange);
}

function maxBins({ start, end }: TimeRange, size: bigint): bigint {
  return (end - start) / size + 2n;
}
