/**
 * The order, the filters and the active column of a tab's answer, carried over to the answer of its next run by
 * the names and the types of columns. A filter of a column that is gone or has another type is left out. A query
 * that was edited and has the columns that it had takes over how these are arranged, too.
 */
import { columnKeys } from './arrangements.ts';
import type { AnswerTable } from './store/answer.ts';
import type { HeldAnswer } from './store/heldAnswer.ts';
import type { ColumnFilter, TableViewState } from './store/viewState.ts';

interface CarriedColumn<T> {
  readonly key: string;
  readonly value: T;
}

interface CarriedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly order: readonly CarriedColumn<boolean>[];
  readonly filters: readonly CarriedColumn<ColumnFilter>[];
  readonly active?: string;
}

export interface CarriedRows {
  readonly about: HeldAnswer['about'];
  readonly sources: string;
  readonly tables: readonly CarriedTable[];
}

export function carriedRows({ about, head, viewState }: HeldAnswer): CarriedRows {
  const tables = head.tables.map((table, index): CarriedTable => {
    const { order = [], filters = [], active } = viewState.tables[index] ?? {};
    const keys = columnKeys(table);
    const activeKey = active && keys[active.column];
    const keyed = <T>(column: number, value: T) => {
      const key = keys[column];
      return key === undefined ? [] : [{ key, value }];
    };
    return {
      name: table.name,
      columns: keys,
      order: order.flatMap(({ column, descending }) => keyed(column, descending)),
      filters: filters.flatMap((filter) => keyed(filter.column, filter)),
      ...(activeKey !== undefined && { active: activeKey }),
    };
  });
  return { about, sources: sourcesOf(head.tables), tables };
}

/** Whether an answer is of the same query, or of one that was edited and still reads the same datasets. */
export function belongsTo(carried: CarriedRows, { about, head }: HeldAnswer): boolean {
  const { query } = carried.about;
  return about.query === query || sourcesOf(head.tables) === carried.sources;
}

/** Whether a table has all columns that the same one of the former answer had. */
export function hasColumns({ tables }: CarriedRows, table: AnswerTable): boolean {
  const former = tables.find(({ name }) => name === table.name)?.columns ?? [];
  const keys = new Set(columnKeys(table));
  return former.length > 0 && former.every((key) => keys.has(key));
}

/** Returns the view state of a table with the carried order and filters, and the first cell of the carried column active. */
export function withCarried(
  view: TableViewState,
  table: AnswerTable,
  carried: CarriedRows,
): TableViewState {
  const own = carried.tables.find(({ name }) => name === table.name);
  if (own === undefined) return view;
  const keys = columnKeys(table);
  const placed = <T, R>(parts: readonly CarriedColumn<T>[], make: (at: number, value: T) => R) =>
    parts.flatMap(({ key, value }) => {
      const column = keys.indexOf(key);
      return column < 0 ? [] : [make(column, value)];
    });
  const active = own.active === undefined ? -1 : keys.indexOf(own.active);
  const isDrawn = active >= 0 && !view.hidden.includes(active);
  return {
    ...view,
    ...(isDrawn && {
      active: { row: 0, column: active },
      scroll: { row: 0, left: 0, toActive: true },
    }),
    order: placed(own.order, (column, descending) => ({ column, descending })),
    filters: placed(own.filters, (column, filter) => ({ ...filter, column })),
  };
}

function sourcesOf(tables: readonly AnswerTable[]): string {
  return JSON.stringify(tables.map(({ name, sources }) => [name, sources]));
}
