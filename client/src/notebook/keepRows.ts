// The first rows of results, to be saved with their cells: bounded, and drawn in UTC, so that the same result
// gives the same lines on every machine.
import type { ResultsStore } from '../results/store/resultsStore.ts';
import type { CellAnswer } from './askCell.ts';
import type { KeptOutput } from './file.ts';

const ROWS_MAX = 100;
const COLUMNS_MAX = 100;
const CHARACTERS_MAX = 64 * 1024;

/** The rows of an answer that are saved; undefined where the answer is gone. */
export async function rowsToKeep(
  { id, head }: CellAnswer,
  store: ResultsStore,
): Promise<KeptOutput | undefined> {
  const [table] = head.tables;
  if (table === undefined || store.get(id)?.state !== 'ready') return undefined;
  const fields = table.fields.slice(0, COLUMNS_MAX);
  const window = await store.rows('window', {
    answer: id,
    table: 0,
    from: 0,
    to: ROWS_MAX,
    columns: fields.map((_, index) => index),
    timeZone: 'utc',
  });
  const rows: (readonly (string | null)[])[] = [];
  let characters = 0;
  for (const row of window.rows) {
    characters += row.reduce((sum, cell) => sum + (cell?.length ?? 4), 0);
    if (characters > CHARACTERS_MAX) break;
    rows.push(row);
  }
  const columns = fields.map(({ name, type }) => ({ name, type }));
  return { columns, rows, rowCount: table.rowCount };
}
