/** Filters and sorts the rows of a table for display. */

import { ascending } from '../columns/growable.ts';
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
  const isPlain = order.length === 0 && filters.length === 0;
  if (isPlain && !table.newestFirst) return undefined;
  const rows = isPlain
    ? ascending(table.rowCount)
    : await passing(table.rowCount, table.columns, filters, task);
  // Before it is ordered, so that among equal rows the newest comes first as well.
  if (table.newestFirst) rows.reverse();
  return await ordered(rows, table.columns, order, task);
}
