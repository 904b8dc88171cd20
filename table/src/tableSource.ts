/** Provides the rows and columns of a table to the writers of `export/`. */

import type { AnswerField } from './answer.ts';
import type { Column } from './columns/column.ts';
import type { HeldTable } from './columns/heldTable.ts';
import { cutSpan, type RowSpan } from './drawn.ts';
import { Invalid } from './invalid.ts';
import type { Cell } from './result.ts';
import type { RowSource } from './rowSource.ts';

/** Reads the rows of the spans in the table's current order. */
export function tableSource(
  name: string,
  table: HeldTable,
  columns: readonly number[],
  spans: readonly RowSpan[] | 'shown' | 'all',
): RowSource {
  const held = columns.map((index) => columnAt(table, index));
  const rows = rowsOf(table, spans);
  const rowCount = rows?.length ?? table.rowCount;
  const rowAt = rows === undefined ? (row: number) => row : (row: number) => rows[row] as number;
  return {
    name,
    columns: columns.map((index) => table.fields[index] as AnswerField),
    rowCount,
    cell: (row, column): Cell => (held[column] as Column).cell(rowAt(row)),
    text: (row, column) => (held[column] as Column).text(rowAt(row)),
  };
}

export function columnAt(table: HeldTable, index: number): Column {
  const column = table.columns[index];
  if (column === undefined) throw new Invalid(`There is no column ${index}.`);
  return column;
}

/** Returns original row numbers; undefined means all rows in their original order. */
function rowsOf(
  table: HeldTable,
  spans: readonly RowSpan[] | 'shown' | 'all',
): Uint32Array | undefined {
  if (spans === 'all') return undefined;
  if (spans === 'shown') return table.arranged;
  const cut = spans.map((span) => cutSpan(span, table.shownCount));
  const rows = new Uint32Array(cut.reduce((count, { from, to }) => count + to - from, 0));
  let at = 0;
  for (const { from, to } of cut)
    for (let shown = from; shown < to; shown++) rows[at++] = table.rowAt(shown);
  return rows;
}
