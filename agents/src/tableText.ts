// Writes a table of an answer within a budget: its columns with a summary, then rows as JSON arrays.
import { counted } from '../../formats/src/counts.ts';
import { FENCE_TOKENS, fenced, LineBudget } from './answer.ts';
import { cellText, nameText } from './cellText.ts';
import type { AnswerTable } from './context.ts';
import { COLUMN_TOKENS_MAX } from './limits.ts';
import { columnSummary } from './summary.ts';

export interface WrittenTable {
  readonly text: string;
  /** The number of the first row that was not written; the number of rows if all were. */
  readonly nextRow: number;
}

/** Tokens of the notes around the lists. */
const NOTE_TOKENS = 120;

/** Characters that cells are shortened to, tried in this order until a row fits. */
const CELL_CHARACTERS = [undefined, 60, 20, 8] as const;

export const rowCountOf = ({ columns }: AnswerTable): number => columns[0]?.length ?? 0;

/** Writes the table from row `firstRow` on. The columns are described only at the start. */
export function writeTable(table: AnswerTable, firstRow: number, maxTokens: number): WrittenTable {
  const rowCount = rowCountOf(table);
  const columnTokens =
    firstRow === 0 ? Math.min(COLUMN_TOKENS_MAX, maxTokens / 2) : COLUMN_TOKENS_MAX;
  const columns = new LineBudget(columnTokens);
  let shown = 0;
  for (const [index, field] of table.fields.entries()) {
    const values = table.columns[index] ?? [];
    const summary = firstRow === 0 ? columnSummary(field.type, values) : '';
    const name = `${nameText(field.name)} ${field.type}`;
    const line =
      firstRow > 0 ? nameText(field.name) : `${name}${summary === '' ? '' : `: ${summary}`}`;
    if (!columns.add(line)) break;
    shown += 1;
  }
  const head =
    firstRow === 0 ? `Columns:\n${columns.text}` : `Columns: ${columns.lines.join(', ')}`;
  const left = maxTokens - (columnTokens - columns.left) - NOTE_TOKENS - FENCE_TOKENS;
  const rows = new LineBudget(left);
  let next = firstRow;
  for (; next < rowCount; next += 1) {
    if (!addRow(rows, table, next, shown, next === firstRow)) break;
  }
  const hidden = table.fields.length - shown;
  const body =
    rowCount === 0
      ? `${head}\nNo rows.`
      : `${head}\nRows ${firstRow + 1} to ${next}, of ${shown === table.fields.length ? 'these' : 'the first'} columns:\n${rows.text}`;
  const notes = [
    ...(hidden > 0
      ? [
          `${counted(hidden, 'column')} of ${table.fields.length} not shown. Use project to select columns.`,
        ]
      : []),
    ...(next < rowCount ? [`${counted(rowCount - next, 'row')} of ${rowCount} not shown.`] : []),
  ];
  return { text: [fenced(body, 'events'), ...notes].join('\n'), nextRow: next };
}

/** Adds a row if it fits. The first row is shortened until it does. */
function addRow(
  rows: LineBudget,
  table: AnswerTable,
  row: number,
  columnCount: number,
  mustFit: boolean,
): boolean {
  for (const maxCharacters of CELL_CHARACTERS) {
    const cells = table.columns
      .slice(0, columnCount)
      .map((column) => cellText(column[row], maxCharacters));
    if (rows.add(`[${cells.join(',')}]`)) return true;
    if (!mustFit) return false;
  }
  // Not even short cells of all columns fit, so the row ends early.
  const cells: string[] = [];
  for (const column of table.columns.slice(0, columnCount)) {
    cells.push(cellText(column[row], 8));
    if (cells.length % 25 === 0 && cells.join(',').length > rows.left) break;
  }
  while (cells.length > 0 && !rows.add(`[${cells.join(',')},…`)) cells.length = cells.length >> 1;
  return true;
}
