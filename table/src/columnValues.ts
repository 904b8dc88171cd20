/** Lists a column's values for its filter, from the rows that pass the other columns' filters. */
import { passing } from './arrange/filters.ts';
import type { HeldTable } from './columns/heldTable.ts';
import { type BoundedCount, type CountedValue, commonest, countValues } from './countValues.ts';
import type { LongTask } from './rowSource.ts';
import { countedValues } from './summary.ts';
import { columnAt } from './tableSource.ts';
import type { ColumnFilter } from './viewState.ts';

export interface ColumnValues {
  /** The most frequent values first, up to the requested number. */
  readonly values: readonly CountedValue[];
  /** The number of different values that match the search. */
  readonly distinct: BoundedCount;
}

export async function columnValues(
  table: HeldTable,
  filters: readonly ColumnFilter[],
  index: number,
  search: string,
  limit: number,
  task: LongTask,
): Promise<ColumnValues> {
  const column = columnAt(table, index);
  const others = filters.filter((filter) => filter.column !== index);
  const rows = others.length === 0 ? undefined : await passing(table, others, task);
  const counts = await countValues(column, rows, task);
  const wanted = search.toLowerCase();
  const matching =
    wanted === ''
      ? counts.values
      : counts.values.filter(({ row }) => column.text(row)?.toLowerCase().includes(wanted));
  const values = countedValues(table, index, commonest(column, matching, limit));
  // Sort null by its count like other values, unless a search excludes it.
  if (counts.nulls === 0 || wanted !== '')
    return { values, distinct: { count: matching.length, exact: counts.exact } };
  const ofNull: CountedValue = { key: null, text: null, count: counts.nulls };
  const place = values.findIndex(({ count }) => count < counts.nulls);
  const withNull = [...values];
  withNull.splice(place < 0 ? values.length : place, 0, ofNull);
  return {
    values: withNull.slice(0, limit),
    distinct: { count: matching.length + 1, exact: counts.exact },
  };
}
