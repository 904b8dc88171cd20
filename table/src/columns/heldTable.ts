/** A table in memory: its columns, and its rows' display order. */
import type { AnswerField, AnswerTable } from '../answer.ts';
import { Column } from './column.ts';

export class HeldTable {
  readonly name: string;
  fields: readonly AnswerField[];
  /** One column per field, each with `rowCount` rows. */
  readonly columns: Column[];
  rowCount: number;
  /** Fractional-second digits by column, cached for time columns that aren't stored as times. */
  readonly fractionDigits = new Map<number, number>();
  /** The filtered and sorted rows; absent if all rows are in their original order. */
  arranged: Uint32Array | undefined;
  /** Whether the last row comes first if no sort order applies. */
  newestFirst = false;
  /** The number of rows removed from the start. Displayed row numbers count them, so they don't change. */
  removed = 0;

  /** Adds a column for each field that lacks one, and pads all columns to `rowCount` rows. */
  constructor({ name, fields, rowCount }: AnswerTable, decoded: readonly Column[]) {
    this.name = name;
    this.fields = fields;
    this.rowCount = rowCount;
    this.columns = fields.map((_, index) => decoded[index] ?? new Column());
    for (const column of this.columns) padTo(column, rowCount);
  }

  get shownCount(): number {
    return this.arranged?.length ?? this.rowCount;
  }

  /** Converts a display position to an original row number. */
  rowAt(shown: number): number {
    return this.arranged === undefined ? shown : (this.arranged[shown] as number);
  }

  get bytes(): number {
    let bytes = this.arranged?.byteLength ?? 0;
    for (const column of this.columns) bytes += column.bytes;
    return bytes;
  }
}

/** Pads a column with nulls at the end. A column that is still being decoded may already have more rows. */
export function padTo(column: Column, rowCount: number): void {
  if (column.length >= rowCount) return;
  while (column.length < rowCount) column.addNull();
  column.store.trim();
}
