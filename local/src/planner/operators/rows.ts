/** Operators that select or order rows: where, sort, top, limit, sample, count, distinct. */
import type {
  BoundExpression,
  BoundOperator,
  BoundSortKey,
} from '../../../../language/src/index.ts';
import { PlanError } from '../errors.ts';
import { mayBeNaN, planExpression } from '../expressions.ts';
import { limited } from '../lateColumns.ts';
import { withTies } from '../paging.ts';
import type { Item, OrderKey } from '../relation.ts';
import { planConjuncts } from '../scalarOperators.ts';
import { type Planning, scopeOf } from '../scope.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { addColumn, columnValue, extended, filtered, Ids, newTable, type Table } from '../table.ts';
import { convert, scalarOf, type Value, value } from '../values.ts';

type Operator<Kind extends BoundOperator['kind']> = Extract<BoundOperator, { kind: Kind }>;

export function planWhere(operator: Operator<'where'>, table: Table, planning: Planning): Table {
  const conjuncts = planConjuncts(operator.predicate, scopeOf(table, planning));
  return conjuncts.reduce(filterOnce, table);
}

/** Filters a table. A volatile condition is first computed as a column, so that DuckDB can't move it below a join. */
function filterOnce(table: Table, condition: Sql): Table {
  if (!print.has(condition, 'volatile')) return filtered(table, condition);
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const { id } = addColumn('chosen', value(condition, 'bool'), ids, items);
  return filtered(extended(table, items, ids), print.column(id));
}

export function planSort(operator: Operator<'sort'>, table: Table, planning: Planning): Table {
  return sorted(operator.keys, table, planning);
}

/**
 * Sorts a table. By default, nulls come first in ascending and last in descending order. As in Kusto, NaN sorts between
 * nulls and numbers. Dynamic numbers sort numerically and count as less than other dynamic values.
 */
export function sorted(keys: readonly BoundSortKey[], table: Table, planning: Planning): Table {
  return withTies({ ...withSortKeys(keys, table, planning), implied: false });
}

export function withSortKeys(
  keys: readonly BoundSortKey[],
  table: Table,
  planning: Planning,
): Table {
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const scope = scopeOf(table, planning);
  const order = keys.flatMap((key): OrderKey[] => {
    const desc = key.direction === 'desc';
    const nullsFirst = key.nulls === undefined ? !desc : key.nulls === 'first';
    const plain = key.expression.kind === 'column' ? key.expression.name : undefined;
    const column = table.columns.find(({ name }) => name === plain);
    const isPlain = column !== undefined && column.variants === undefined;
    const of = isPlain ? columnValue(column) : planExpression(key.expression, scope);
    const { id } = isPlain ? column : addColumn('sort key', of, ids, items);
    const own: OrderKey = { id, desc, nullsFirst, ...(isPlain ? {} : { of: of.sql }) };
    const helper = (name: string, computed: Value, keyed: Omit<OrderKey, 'id' | 'of'>) => ({
      ...keyed,
      id: addColumn(name, computed, ids, items).id,
      of: of.sql,
    });
    if (of.type === 'dynamic') {
      const bySize = { desc, nullsFirst: desc };
      return [
        helper('missing', value(sql`(${of.sql} IS NULL)`, 'bool'), {
          desc: nullsFirst,
          nullsFirst,
        }),
        helper('number', value(sql`apl.json_number(${of.sql})`, 'real'), bySize),
        helper('whole', value(sql`apl.sort_whole(${of.sql})`, 'long'), bySize),
        own,
      ];
    }
    if (of.type !== 'real' || !mayBeNaN(key.expression)) return [own];
    const isNone = value(sql`isnan(${of.sql})`, 'bool');
    return [helper('no number', isNone, { desc: nullsFirst, nullsFirst }), own];
  });
  return { ...extended(table, items, ids), order };
}

export function planTop(operator: Operator<'top'>, table: Table, planning: Planning): Table {
  const count = countOf(operator.count, table, planning);
  return limited(sorted(operator.keys, table, planning), count);
}

/** Returns a row count. Rejects a count that isn't a nonnegative constant. */
export function countOf(node: BoundExpression, table: Table, planning: Planning): bigint {
  const count = scalarOf(convert(planExpression(node, scopeOf(table, planning)), 'long'));
  if (typeof count === 'bigint' && count >= 0n) return count;
  throw new PlanError(
    'invalid-argument',
    node,
    'The number of rows must be a constant of 0 or more.',
  );
}

export function planSample(operator: Operator<'sample'>, table: Table, planning: Planning): Table {
  const ratio = scalarOf(convert(planExpression(operator.ratio, scopeOf(table, planning)), 'real'));
  if (typeof ratio !== 'number' || ratio <= 0 || ratio > 1) {
    throw new PlanError(
      'invalid-argument',
      operator.ratio,
      'sample requires a proportion between 0 and 1, such as 0.1. For a number of rows, use take.',
    );
  }
  return { ...table, relation: { kind: 'sample', input: table.relation, ratio } };
}

export function planCount(operator: Operator<'count'>, table: Table, planning: Planning): Table {
  const ids = new Ids();
  const items: Item[] = [];
  const count = { sql: sql`count(*)`, type: 'long' as const };
  const column = { ...addColumn('count', count, ids, items), agg: { name: 'count' } };
  const counted = newTable(
    { kind: 'aggregate', input: table.relation, groups: [], aggregates: items },
    [column],
    ids,
  );
  return planning.countingOperator === operator
    ? withRowCount(counted, ids, items, false)
    : counted;
}

/**
 * Adds a hidden column with the total number of aggregated rows. A window function over the groups would slow down
 * percentiles by 50 %.
 */
export function withRowCount(table: Table, ids: Ids, aggregates: Item[], grouped: boolean): Table {
  const rows = ids.free('rows aggregated');
  aggregates.push({ id: rows, sql: sql`count(*)` });
  if (!grouped) return { ...table, rowCountId: rows };
  const rowCountId = ids.free('rows of all groups');
  return {
    ...table,
    relation: { kind: 'total', input: table.relation, of: rows, id: rowCountId },
    rowCountId,
  };
}

export function planDistinct(
  operator: Operator<'distinct'>,
  table: Table,
  planning: Planning,
): Table {
  const scope = scopeOf(table, planning);
  const ids = new Ids();
  const groups: Item[] = [];
  const columns = operator.items.flatMap((item) => {
    if (item.expression.kind !== 'star') {
      return [addColumn(item.name, planExpression(item.expression, scope), ids, groups)];
    }
    return table.columns.map((column) => addColumn(column.name, columnValue(column), ids, groups));
  });
  const { aggregates, ...order } = orderOfGroups(table, groups, ids);
  return {
    ...newTable({ kind: 'aggregate', input: table.relation, groups, aggregates }, columns, ids),
    ...order,
  };
}

/**
 * Returns the order of the groups: the leading sort keys that are also group columns. A computed key is read from any
 * row of the group, because all of them have the same key.
 */
function orderOfGroups({ order: keys, implied }: Table, groups: readonly Item[], ids: Ids) {
  const aggregates: Item[] = [];
  const order: OrderKey[] = [];
  for (const key of implied ? [] : keys) {
    const column = print.column(key.id);
    const group = groups.find((item) => print.same(item.sql, key.of ?? column));
    if (group === undefined) break;
    if (key.of === undefined) {
      order.push({ ...key, id: group.id });
      continue;
    }
    const id = ids.free(key.id);
    aggregates.push({ id, sql: sql`any_value(${column})` });
    order.push({ ...key, id, of: print.column(group.id) });
  }
  return { aggregates, order, implied: order.length === 0 };
}
