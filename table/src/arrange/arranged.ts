/** Filters and sorts the rows of a table for display. */

import type { HeldTable } from '../columns/heldTable.ts';
import type { LongTask } from '../rowSource.ts';
import type { ColumnFilter, ColumnOrder } from '../viewState.ts';
import { passing } from './filters.ts';
import { ordered } from './order.ts';

/** Returns the filtered and sorted rows; undefined if all rows are in their original order. Throws `Invalid`. */
export async function arrangedRows(
  table: HeldTable,
  filters: readonly ColumnFilter[],
  order: readonly ColumnOrder[],
  task: LongTask,
): Promise<Uint32Array | undefined> {
  if (order.length === 0 && filters.length === 0 && !table.newestFirst) return undefined;
  const rows = await passing(table, filters, task);
  // Reverse the rows before sorting, so that the newest of several equal rows comes first.
  if (table.newestFirst) rows.reverse();
  return await ordered(rows, table.columns, order, task);
}
