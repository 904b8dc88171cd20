/** A table in memory: its columns as they came, and the rows in display order. */
import type { AnswerField, AnswerTable } from '../answer.ts';
import { Column } from './column.ts';

export class HeldTable {
  readonly name: string;
  fields: readonly AnswerField[];
  /** One per field, each with `rowCount` rows. */
  readonly columns: Column[];
  rowCount: number;
  /** Digits after the second by column, of times that are not stored as such, once they have been drawn. */
  readonly fractionDigits = new Map<number, number>();
  /** The rows that pass the filters, in order; absent while all rows are as they came. */
  arranged: Uint32Array | undefined;
  /** Whether rows that are in no other order are shown with the last one first. */
  newestFirst = false;
  /** How many rows ahead of the first were removed: row numbers count them. */
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

  /** The row as it came, of a row in display order. */
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
