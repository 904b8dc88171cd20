// Saved rows as a page draws them: like cells of the results, with invisible characters made visible, since the file
// may come from anyone.
import { shownText } from '../results/cells.ts';
import { visibleText } from '../results/visibleText.ts';
import type { KeptOutput } from './file.ts';
import type { SavedRows } from './shownOutput.ts';

export function savedRows({ columns, rows, rowCount }: KeptOutput): SavedRows {
  return {
    columns: columns.map(({ name, type }) => ({
      name: visibleText(name),
      type: visibleText(type),
    })),
    rows: rows.map((row) => row.map((cell, at) => shownText(cell, columns[at]?.type ?? ''))),
    rowCount,
  };
}
