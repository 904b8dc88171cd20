/** Operators that compute and select columns: extend, extend-valid, project, and four that select columns by name. */
import type { BoundOperator, NamedExpression } from '../../../../language/src/index.ts';
import { planExpression } from '../expressions.ts';
import type { Item } from '../relation.ts';
import { noColumnLeft, type Planning, rejectMissing, scopeOf, unknownColumn } from '../scope.ts';
import { type Sql, sql } from '../sql.ts';
import {
  addColumn,
  columnsByName,
  extended,
  Ids,
  type Table,
  type TableColumn,
  withColumns,
} from '../table.ts';
import { type Value, value } from '../values.ts';

type Operator<Kind extends BoundOperator['kind']> = Extract<BoundOperator, { kind: Kind }>;

/** Plans `extend` and `extend-valid`. A new column that replaces an existing column moves to the end. */
export function planExtend(operator: Operator<'extend'>, table: Table, planning: Planning): Table {
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const scope = scopeOf(table, planning);
  const byName = columnsByName(table);
  const made = new Map<string, TableColumn>();
  for (const item of operator.items) {
    const planned = planExpression(item.expression, scope);
    if (!operator.valid) {
      made.set(item.name, computed(item, planned, byName, ids, items));
      continue;
    }
    const before = scope.find(item.name);
    const fallback = before?.type === planned.type ? before.sql : sql`NULL`;
    const kept = sql`CASE WHEN ${validity(planned)} THEN ${planned.sql} ELSE ${fallback} END`;
    made.set(item.name, addColumn(item.name, { ...value(kept, planned.type) }, ids, items));
  }
  return {
    ...extended(table, items, ids),
    columns: withColumns(table.columns, [...made.values()]),
  };
}

/** Returns the condition for `extend-valid` to accept a new value. A rejected value doesn't change the column. */
function validity(of: Value): Sql {
  switch (of.type) {
    case 'string':
      return sql`${of.sql} <> ''`;
    case 'long':
    case 'timespan':
      return sql`${of.sql} <> 0`;
    case 'real':
      return sql`(${of.sql} <> 0 AND isfinite(${of.sql}))`;
    case 'bool':
      return of.sql;
    case 'dynamic':
      return sql`apl.length_of(${of.sql}) > 0`;
    case 'datetime':
      return sql`${of.sql} IS NOT NULL`;
  }
}

/** Returns an item's column. If the item's expression is only a column, reuses that column under the item's name. */
function computed(
  item: NamedExpression,
  planned: Value,
  byName: ReadonlyMap<string, TableColumn>,
  ids: Ids,
  items: Item[],
): TableColumn {
  if (item.expression.kind === 'column') {
    const source = byName.get(item.expression.name);
    if (source !== undefined) return { ...source, name: item.name };
  }
  return addColumn(item.name, planned, ids, items);
}

export function planProject(
  operator: Operator<'project'>,
  table: Table,
  planning: Planning,
): Table {
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const scope = scopeOf(table, planning);
  const byName = columnsByName(table);
  const columns = operator.items.flatMap((item): readonly TableColumn[] => {
    if (item.expression.kind === 'star') return table.columns;
    return [computed(item, planExpression(item.expression, scope), byName, ids, items)];
  });
  return { ...extended(table, items, ids), columns };
}

/** Plans project-away, project-keep, project-rename and project-reorder, which compute no columns. */
export function planSelect(operator: Operator<'select'>, table: Table, planning: Planning): Table {
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const columns = operator.columns.flatMap(({ name, from }) => {
    const column = byName.get(from);
    if (column !== undefined) return [{ ...column, name }];
    rejectMissing(unknownColumn(from, operator), planning);
    return [];
  });
  if (columns.length === 0) rejectMissing(noColumnLeft(operator), planning);
  return { ...table, columns };
}
