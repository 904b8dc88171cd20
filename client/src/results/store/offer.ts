/** The values of an answer's columns that completion offers, column by column so that others are served. */
import type { SeenColumn } from '../../../../server/src/protocol.ts';
import { valuesToOffer } from '../distinct.ts';
import type { LongTask } from './rowSource.ts';
import type { HeldTable } from './table/heldTable.ts';

const rowsMax = 20_000;
const columnsMax = 300;

export async function offeredValues(
  table: HeldTable,
  aggregated: boolean,
  task: LongTask,
): Promise<SeenColumn[]> {
  const offered: SeenColumn[] = [];
  const rowCount = Math.min(rowsMax, table.rowCount);
  for (const [index, { name, type }] of table.fields.slice(0, columnsMax).entries()) {
    const column = table.columns[index];
    const values = Array.from({ length: rowCount }, (_, row) => column?.cell(row) ?? null);
    const single = { name: '', columns: [{ name, type }], values: [values], rowCount };
    offered.push(...valuesToOffer({ tables: [single], aggregated }));
    await task.pause(index, table.fields.length);
  }
  return offered;
}
