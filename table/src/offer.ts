/** Finds the column values that completion offers. Pauses between columns, so that other requests are served. */

import { ascending } from './columns/growable.ts';
import type { HeldTable } from './columns/heldTable.ts';
import { countValues } from './countValues.ts';
import { type OfferedColumn, offeredValues } from './distinct.ts';
import type { LongTask } from './rowSource.ts';

const rowsMax = 20_000;
const columnsMax = 300;

export async function valuesToOffer(
  table: HeldTable,
  aggregated: boolean,
  task: LongTask,
): Promise<OfferedColumn[]> {
  const offered: OfferedColumn[] = [];
  const rows = ascending(Math.min(rowsMax, table.rowCount));
  for (const [index, column] of table.columns.slice(0, columnsMax).entries()) {
    const counts = await countValues(column, rows, task);
    const cells = counts.values.map(({ row, count }) => [column.cell(row), count] as const);
    const values = offeredValues(cells, aggregated);
    const name = table.fields[index]?.name ?? '';
    if (values.length > 0) offered.push({ name, values });
    await task.pause(index, table.fields.length);
  }
  return offered;
}
