/** A table in memory: its columns, and the display order of its rows. */
import type { AnswerField, AnswerTable } from '../answer.ts';
import { Column } from './column.ts';

export class HeldTable {
  readonly name: string;
  fields: readonly AnswerField[];
  /** One per field, each with `rowCount` rows. */
  readonly columns: Column[];
  rowCount: number;
  /** Fractional-second digits by column, cached when a column of times that aren't stored as times is drawn. */
  readonly fractionDigits = new Map<number, number>();
  /** The filtered and sorted rows; absent if all rows are in their original order. */
  arranged: Uint32Array | undefined;
  /** Whether rows that are in no other order are shown with the last one first. */
  newestFirst = false;
  /** The number of removed rows before the first. Row numbers include them. */
  removed = 0;

  /** Takes decoded columns: as many as there are fields, and all as long as the longest. */
  constructor({ name, fields, rowCount }: AnswerTable, decoded: readonly Column[]) {
    this.name = name;
    this.fields = fields;
    this.rowCount = rowCount;
    this.columns = fields.map((_, index) => decoded[index] ?? new Column());
    for (const column of this.columns) padTo(column, rowCount);
  }

  /** The number of rows in display order. */
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

/** Adds nulls at the end. */
export function padTo(column: Column, rowCount: number): void {
  if (column.length === rowCount) return;
  while (column.length < rowCount) column.addNull();
  column.store.trim();
}
