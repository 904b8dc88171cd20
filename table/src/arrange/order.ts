/** Sorts rows by several columns. The sort is stable, with nulls last in either direction. */

import type { Column } from '../columns/column.ts';
import type { LongTask } from '../rowSource.ts';
import type { ColumnOrder } from '../viewState.ts';
import { inverted, radixSort } from './radix.ts';

/** Returns the sorted rows, and overwrites `rows`. The first column in `order` is the primary sort column. */
export async function ordered(
  rows: Uint32Array,
  columns: readonly Column[],
  order: readonly ColumnOrder[],
  task: LongTask,
): Promise<Uint32Array> {
  let sorted = rows;
  for (const [done, { column: index, descending }] of [...order].reverse().entries()) {
    await task.pause(done, order.length);
    const column = columns[index];
    if (column === undefined || sorted.length < 2) continue;
    const split = nullsLast(sorted, column);
    const keys = await column.store.sortKeys(task);
    if (task.due) await task.pause(done, order.length);
    const values = split.rows.subarray(0, split.values);
    const result = await radixSort(values, descending ? inverted(keys) : keys, task);
    if (result.buffer !== split.rows.buffer) split.rows.set(result);
    sorted = split.rows;
  }
  return sorted;
}

/** Returns the rows with nulls last, and the number of non-null rows. Both groups keep their order. */
function nullsLast(rows: Uint32Array, column: Column): { rows: Uint32Array; values: number } {
  const nullRows = column.store.nulls;
  if (nullRows === undefined) return { rows, values: rows.length };
  const result = new Uint32Array(rows.length);
  let values = 0;
  let nulls = rows.length;
  for (const row of rows) {
    if (nullRows.has(row)) result[--nulls] = row;
    else result[values++] = row;
  }
  result.subarray(values).reverse();
  return { rows: result, values };
}
