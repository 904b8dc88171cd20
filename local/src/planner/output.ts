/** Plans the output of a table: the SQL for its columns, and their names and types in the API. */

import { wireTypeOf } from '../../../language/src/index.ts';
import { pageCursor } from './paging.ts';
import type { PlannedColumn, PlannedTable } from './plan.ts';
import { printRelation } from './print.ts';
import { type Item, isEmpty, maxRows, type Relation } from './relation.ts';
import type { Sql } from './sql.ts';
import * as print from './sql.ts';
import type { WriteStatement } from './statement.ts';
import { columnValue, extended, groupNames, Ids, type Table, type TableColumn } from './table.ts';
import { type Value, value } from './values.ts';

function unitedColumns(table: Table): Table {
  if (table.columns.every((column) => column.variants === undefined)) return table;
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const columns = table.columns.map((column): TableColumn => {
    if (column.variants === undefined) return column;
    const id = ids.free(column.name);
    items.push({ id, sql: columnValue(column).sql });
    return { ...column, id };
  });
  return { ...extended(table, items, ids), columns };
}

function outputRelation(table: Table, hidden: readonly string[]): Relation {
  const sorted = withSort(unitedColumns(table));
  return {
    kind: 'keep',
    input: sorted.relation,
    ids: [...sorted.columns.map((column) => column.id), ...hidden],
  };
}

function withSort(table: Table): Table {
  const { relation, order } = table;
  if (order.length === 0) return table;
  if (relation.kind === 'sort' && relation.keys === order) return table;
  return { ...table, relation: { kind: 'sort', input: relation, keys: order } };
}

/** Returns a table's first column, which refers to the relation `query` as `t`. */
export function firstColumn(table: Table): { readonly first: Value; readonly query: Sql } {
  const [column] = table.columns;
  const first = column ? columnValue(column) : value(print.nullSql, 'dynamic');
  return { first, query: printRelation(table.relation) };
}

export function columnWireType(column: TableColumn): string {
  if (column.variants !== undefined) return column.variants.map(({ stored }) => stored).join('|');
  return column.shape ?? wireTypeOf(column.type);
}

function plannedColumn(column: TableColumn): PlannedColumn {
  const plain = { name: column.name, type: columnWireType(column) };
  return column.agg === undefined ? plain : { ...plain, agg: column.agg };
}

function orderNames({ columns, order }: Table): PlannedTable['order'] {
  const names = new Map(columns.map(({ id, name }) => [id, name]));
  const shown = new Set(columns.map(({ name }) => name));
  const found = new Map<string, boolean>();
  for (const { id, field, desc } of order) {
    const name = names.get(id);
    if (name !== undefined && !found.has(name)) found.set(name, desc);
    // Several sort keys may be computed for a field of `defaultOrder`. Use the direction of the last one.
    if (name === undefined && field !== undefined && shown.has(field)) found.set(field, desc);
  }
  return [...found].map(([field, desc]) => ({ field, desc }));
}

/** Raises the final limit by 1. Returns undefined if the table doesn't end with `limit`. */
function oneRowMore(table: Table, limit: bigint | undefined): Table | undefined {
  const { relation } = table;
  if (limit === undefined || relation.kind !== 'sort' || relation.limit !== limit) return undefined;
  return { ...table, relation: { ...relation, limit: limit + 1n } };
}

/** Plans the output of a table. `limit` is undefined if the default limit doesn't apply to the query. */
export function plannedTable(
  table: Table,
  statement: WriteStatement,
  limit?: bigint,
): PlannedTable {
  const { bin, rowCountId } = table;
  const cursor = pageCursor(table);
  const hidden = cursor === undefined ? [] : [cursor.time, cursor.row];
  if (rowCountId !== undefined) hidden.push(rowCountId);
  const relation = outputRelation(table, hidden);
  const rowLimit = maxRows(relation);
  const more = oneRowMore(table, limit);
  const binned = table.columns.some(({ name, id }) => name === bin?.field && id === bin.id);
  return {
    sql: statement(printRelation(relation)),
    relation,
    ...(cursor && { cursor: { numbering: cursor.numbering } }),
    hasRowCount: rowCountId !== undefined,
    columns: table.columns.map(plannedColumn),
    order: orderNames(table),
    groups: groupNames(table),
    ...(more && {
      cut: {
        sql: statement(printRelation(outputRelation(more, hidden))),
        limit: Number(limit),
      },
    }),
    ...(rowLimit === undefined ? {} : { maxRows: rowLimit }),
    isEmpty: isEmpty(relation),
    ...(bin !== undefined && binned ? { buckets: { field: bin.field, size: bin.size } } : {}),
  };
}
