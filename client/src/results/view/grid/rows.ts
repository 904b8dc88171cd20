/** The grid's rows: windows of formatted cells, and the severity that colors the start of a row. */
import { channel } from '../channel.ts';
import { pending, severityClass } from '../columns.ts';
import type { OpenTable } from '../table/openTable.ts';
import { type DrawnRow, RowBlocks } from '../windows.ts';

/** Returns the blocks of rows, and the data source for SlickGrid. */
export function gridRows(
  open: OpenTable,
  columns: readonly number[],
  onRows: (rows: number[]) => void,
  isNew: (row: DrawnRow) => boolean,
) {
  const severity = open.table.columns.findIndex((column) => column.severity);
  const place = columns.indexOf(severity);
  // Request a hidden severity column too, because it colors the rows.
  const asked = severity < 0 || place >= 0 ? columns : [...columns, severity];
  const cell = place >= 0 ? place : columns.length;
  const blocks = new RowBlocks(
    open.rowCount,
    (from, to, signal) => {
      const search = open.view.find.text !== '';
      const params = { ...open.place, columns: asked, from, to, search };
      return channel.request('window', params, signal);
    },
    onRows,
  );
  const source = {
    getLength: () => blocks.rowCount,
    getItem: (row: number) => blocks.row(row) ?? pending,
    getItemMetadata: (row: number) => {
      const drawn = blocks.row(row);
      const ofSeverity = severity < 0 ? undefined : severityClass(drawn?.cells[cell]);
      const classes = [ofSeverity, drawn && isNew(drawn) ? 'arrived' : undefined];
      const cssClasses = classes.filter((name) => name !== undefined).join(' ');
      return cssClasses === '' ? null : { cssClasses };
    },
  };
  return { blocks, source };
}
