/** One table's rows in the order that the view asked for: windows to draw, and ranges for the clipboard. */
import { cellText, compareCells, fractionDigitsOf, shownText } from './cells.ts';
import type { CellRange, RowOrder, ViewCell } from './messages.ts';
import type { Cell, ResultColumn, ResultTable } from './result.ts';

export class TableRows {
  readonly table: ResultTable;
  /** Row numbers in display order; absent while rows are as they came. */
  #permutation: Uint32Array | undefined;
  #order: RowOrder | null = null;
  /** Digits after the second by column, once a time of the column is drawn. */
  readonly #fractionDigits = new Map<number, number>();

  constructor(table: ResultTable) {
    this.table = table;
  }

  /** The sort in effect; null while rows stand as they came. */
  get order(): RowOrder | null {
    return this.#order;
  }

  /** Sorts by a column, stably, nulls last in either direction; null takes the sort away. */
  sort(order: RowOrder | null): void {
    const values = order === null ? undefined : this.table.values[order.column];
    if (order === null || values === undefined) {
      this.#order = null;
      this.#permutation = undefined;
      return;
    }
    const rows = Uint32Array.from({ length: this.table.rowCount }, (_, row) => row);
    const cell = (row: number): Cell => values[row] ?? null;
    const direction = order.descending ? -1 : 1;
    rows.sort((a, b) => {
      const [left, right] = [cell(a), cell(b)];
      if (left === null || right === null) return compareCells(left, right) || a - b;
      return direction * compareCells(left, right) || a - b;
    });
    this.#order = order;
    this.#permutation = rows;
  }

  /** Rows `[from, to)` as drawn, row-major; a range outside the table is cut to it. */
  window(from: number, to: number): ViewCell[][] {
    const rows: ViewCell[][] = [];
    for (let row = Math.max(0, from); row < Math.min(to, this.table.rowCount); row++)
      rows.push(
        this.table.columns.map((column, index) =>
          shownText(this.cell(row, index), column.type, this.#digits(index)),
        ),
      );
    return rows;
  }

  /** The width of a column's first rows as drawn, in characters. */
  characters(index: number, sampledRows: number): number {
    const { type } = this.table.columns[index] as ResultColumn;
    let most = 0;
    for (const cell of (this.table.values[index] ?? []).slice(0, sampledRows))
      most = Math.max(most, shownText(cell, type, this.#digits(index))?.length ?? 1);
    return most;
  }

  /** The range as text: tabs between cells, exact values, with the columns' names when it is more than one cell. */
  copyText(range: CellRange): string {
    const single = range.fromRow === range.toRow && range.fromColumn === range.toColumn;
    const lines: string[] = [];
    if (!single)
      lines.push(
        this.table.columns
          .slice(range.fromColumn, range.toColumn + 1)
          .map((column) => quoted(column.name))
          .join('\t'),
      );
    for (let row = range.fromRow; row <= Math.min(range.toRow, this.table.rowCount - 1); row++) {
      const cells: string[] = [];
      for (let column = range.fromColumn; column <= range.toColumn; column++) {
        const text = cellText(this.cell(row, column));
        cells.push(single ? text : quoted(text));
      }
      lines.push(cells.join('\t'));
    }
    return lines.join('\n');
  }

  /** The value at a row in display order. */
  cell(row: number, column: number): Cell {
    const stored = this.#permutation === undefined ? row : (this.#permutation[row] as number);
    return this.table.values[column]?.[stored] ?? null;
  }

  #digits(column: number): number {
    if (this.table.columns[column]?.type !== 'datetime') return 0;
    const known = this.#fractionDigits.get(column);
    if (known !== undefined) return known;
    const digits = fractionDigitsOf(this.table.values[column] ?? []);
    this.#fractionDigits.set(column, digits);
    return digits;
  }
}

/** A cell for a spreadsheet: quoted when it holds what would break the row. */
function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
