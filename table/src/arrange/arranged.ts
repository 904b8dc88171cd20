/** Filters and sorts the rows of a table for display. */

import type { HeldTable } from '../columns/heldTable.ts';
import type { LongTask } from '../rowSource.ts';
import type { ColumnFilter, ColumnOrder } from '../viewState.ts';
import { passing } from './filters.ts';
import { ordered } from './order.ts';

/** Returns undefined if all rows stay in their original order. Throws `Invalid`. */
export async function arrangedRows(
  table: HeldTable,
  filters: readonly ColumnFilter[],
  order: readonly ColumnOrder[],
  task: LongTask,
): Promise<Uint32Array | undefined> {
  if (order.length === 0 && filters.length === 0 && !table.newestFirst) return undefined;
  const rows = await passing(table, filters, task);
  // Before it is ordered, so that among equal rows the newest comes first as well.
  if (table.newestFirst) rows.reverse();
  return await ordered(rows, table.columns, order, task);
}
