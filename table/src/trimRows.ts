/** Removes the oldest rows of a table that exceeds a limit. */

import type { Column } from './columns/column.ts';
import type { HeldTable } from './columns/heldTable.ts';
import type { LongTask } from './rowSource.ts';

/** The share of the row limit that is kept. A lower share means fewer removals, each of which copies the kept rows. */
const keptShare = 0.8;

export async function trimRows(
  table: HeldTable,
  { maxRows, maxBytes }: { readonly maxRows: number; readonly maxBytes: number },
  task: LongTask,
): Promise<void> {
  if (table.rowCount > maxRows) await keepLast(table, Math.ceil(maxRows * keptShare), task);
  while (table.bytes > maxBytes && table.rowCount > 1)
    await keepLast(table, Math.floor(table.rowCount / 2), task);
}

async function keepLast(table: HeldTable, count: number, task: LongTask): Promise<void> {
  const from = table.rowCount - count;
  const kept: Column[] = [];
  for (const column of table.columns) {
    kept.push(column.tail(from));
    if (task.due) await task.pause(kept.length, table.columns.length);
  }
  // Replace all columns at once, because windows are formatted during pauses.
  table.columns.splice(0, table.columns.length, ...kept);
  table.rowCount = count;
  table.removed += from;
  table.arranged = undefined;
  table.fractionDigits.clear();
}
