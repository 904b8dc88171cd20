/** The rows of the grid: drawn cells by windows, and the severity that colors the start of a row. */
import type { ViewTable } from '../../messages.ts';
import { pending, severityClass } from '../columns.ts';
import { type DrawnRow, RowBlocks } from '../windows.ts';
import type { GridOptions } from './options.ts';

/** The row source for SlickGrid, whose items are drawn rows. */
export interface RowSource {
  getLength(): number;
  getItem(row: number): DrawnRow;
  getItemMetadata(row: number): { cssClasses: string } | null;
}

export function gridRows(
  table: ViewTable,
  columns: readonly number[],
  onWindow: GridOptions['onWindow'],
  onRows: (rows: number[]) => void,
  isNew: (row: DrawnRow) => boolean,
): { readonly blocks: RowBlocks; readonly source: RowSource } {
  const severity = table.columns.findIndex((column) => column.severity);
  const place = columns.indexOf(severity);
  // A hidden severity still colors the rows.
  const asked = severity < 0 || place >= 0 ? columns : [...columns, severity];
  const cell = place >= 0 ? place : columns.length;
  const blocks = new RowBlocks(
    table.rowCount,
    (from, to, signal) => onWindow(asked, from, to, signal),
    onRows,
  );
  const source: RowSource = {
    getLength: () => blocks.rowCount,
    getItem: (row) => blocks.row(row) ?? pending,
    getItemMetadata: (row) => {
      const drawn = blocks.row(row);
      const ofSeverity = severity < 0 ? undefined : severityClass(drawn?.cells[cell]);
      const classes = [ofSeverity, drawn && isNew(drawn) ? 'arrived' : undefined];
      const cssClasses = classes.filter((name) => name !== undefined).join(' ');
      return cssClasses === '' ? null : { cssClasses };
    },
  };
  return { blocks, source };
}
