/**
 * `union`: concatenates tables and merges their columns by name. A column with integers and reals becomes real. A
 * column with any other mixture of types becomes JSON.
 */
import type { BoundPipeline, BoundUnion, Span } from '../../../../language/src/index.ts';
import { PlanError } from '../errors.ts';
import type { Item, Relation } from '../relation.ts';
import { noColumnLeft, type Planning } from '../scope.ts';
import * as print from '../sql.ts';
import {
  columnsByName,
  columnValue,
  extended,
  Ids,
  newTable,
  type Table,
  type TableColumn,
} from '../table.ts';
import { as, isNumeric, nullOf, type ValueType } from '../values.ts';

/** Plans a union. `first` is the input table if the union is a stage. */
export function planUnion(
  union: BoundUnion & Span,
  first: Table | undefined,
  planning: Planning,
): Table {
  const tables = union.inputs.flatMap((input) => planInput(input, planning) ?? []);
  if (first !== undefined) tables.unshift(first);
  if (tables.length === 0) {
    throw new PlanError('unknown-dataset', union, 'No dataset matches this name.');
  }
  const ids = new Ids();
  const columns = mergedColumns(tables, union.columnsOf, ids);
  const source = union.withSource;
  if (columns.length === 0 && source === undefined) throw noColumnLeft(union);
  const sourceColumn: TableColumn | undefined =
    source === undefined ? undefined : { name: source, type: 'string', id: ids.free(source) };
  planning.size.addWritten(tables.length * columns.length, union);
  const inputs = tables.map((table, i): Relation => {
    const own = new Ids(table.taken);
    const items: Item[] = [];
    const byName = columnsByName(table);
    const kept = columns.map((column) => valueFor(column, byName.get(column.name), own, items));
    if (sourceColumn !== undefined) {
      const id = own.free(sourceColumn.id);
      kept.unshift(id);
      items.push({ id, sql: print.text(sourceName(table, i)) });
    }
    return { kind: 'keep', input: extended(table, items, own).relation, ids: kept };
  });
  const all = sourceColumn === undefined ? columns : [sourceColumn, ...columns];
  const table = newTable({ kind: 'union', inputs, ids: all.map(({ id }) => id) }, all, ids);
  return tables.every((part) => part.implied && part.order.length > 0) ? newestFirst(table) : table;
}

export const omittedViewCode = 'view_left_out';

/** Plans an input. Omits a view found by a pattern if it can't be planned or if the pattern is in a view's query. */
function planInput(input: BoundPipeline, planning: Planning): Table | undefined {
  const { source } = input;
  const isView = source.kind === 'dataset' && planning.context.layoutOf(source.name) === undefined;
  if (!isView || source.matched === undefined) return planning.planPipeline(input, planning);
  if (planning.isView) return undefined;
  try {
    return planning.planPipeline(input, planning);
  } catch (error) {
    // Don't omit this view: the size limit applies to all inputs together, so omitting one would hide the cause.
    if (!(error instanceof PlanError) || error.code === 'too-complex') throw error;
    planning.omittedViews.set(source.name, error.message);
    return undefined;
  }
}

function newestFirst(table: Table): Table {
  const time = table.columns.find(({ name, type }) => name === '_time' && type === 'datetime');
  return time === undefined
    ? table
    : { ...table, order: [{ id: time.id, desc: true, nullsFirst: false }] };
}

/** Returns the name of an input. As in Kusto, an input that isn't a dataset is named by its index. */
function sourceName(table: Table, i: number): string {
  return table.dataset ?? `union_arg${i}`;
}

function mergedColumns(
  tables: readonly Table[],
  of: BoundUnion['columnsOf'],
  ids: Ids,
): readonly TableColumn[] {
  const names = of === 'all' ? tables.map(columnsByName) : [];
  const shared = (name: string) => names.every((table) => table.has(name));
  const merged = new Map<string, TableColumn>();
  for (const column of tables.flatMap((table) => table.columns)) {
    if (of === 'all' && !shared(column.name)) continue;
    const before = merged.get(column.name);
    const type = before === undefined ? column.type : common(before.type, column.type);
    const id = before?.id ?? ids.free(column.name);
    merged.set(column.name, { name: column.name, type, id });
  }
  return [...merged.values()];
}

function common(left: ValueType, right: ValueType): ValueType {
  if (left === right) return left;
  return isNumeric(left) && isNumeric(right) ? 'real' : 'dynamic';
}

function valueFor(
  column: TableColumn,
  own: TableColumn | undefined,
  ids: Ids,
  items: Item[],
): string {
  if (own !== undefined && own.variants === undefined && own.type === column.type) return own.id;
  const id = ids.free(column.name);
  const sql = own === undefined ? nullOf(column.type).sql : as(columnValue(own), column.type);
  items.push({ id, sql });
  return id;
}
