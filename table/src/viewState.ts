/**
 * How a person has arranged an answer: kept with it, so that a page that is hidden, moved or rebuilt shows
 * the same, and stored on disk with it. Columns are given by their index in the table, rows by their place
 * in display order.
 */

import type { ChartChoice } from './chart/chart.ts';

export interface ColumnOrder {
  readonly column: number;
  readonly descending: boolean;
}

/** How filters and searches compare text. */
export type TextMatch = 'contains' | 'equals' | 'startsWith' | 'regex';

/** Identifies a value in its column by its kind and exact text. Null identifies null. */
export type ValueKey = {
  readonly kind: 'number' | 'text' | 'boolean' | 'json';
  readonly text: string;
} | null;

/** A condition on one column. Rows whose cell is null pass only `isNull` and a chosen null. */
export type ColumnFilter = { readonly column: number } & (
  | {
      /** On the exact text of the value, whatever its kind. */
      readonly kind: 'text';
      readonly match: TextMatch;
      readonly text: string;
      readonly caseSensitive: boolean;
      readonly negated?: boolean;
    }
  | {
      /** Numbers from `from` to `to`, both included; absent ends are open. Digits, so that 64 bits are exact. */
      readonly kind: 'number';
      readonly from?: string;
      readonly to?: string;
    }
  | {
      /** Times from `from`, included, to `to`, excluded: RFC 3339 with up to nine digits of the second. */
      readonly kind: 'time';
      readonly from?: string;
      readonly to?: string;
    }
  | { readonly kind: 'isNull'; readonly negated?: boolean }
  | {
      /** Rows with one of the chosen values, or with `negated` with any other value. */
      readonly kind: 'values';
      readonly values: readonly ValueKey[];
      readonly negated?: boolean;
    }
);

export interface FindOptions {
  readonly match: 'contains' | 'equals' | 'regex';
  readonly caseSensitive: boolean;
}

/** A rectangle of cells: rows `[fromRow, toRow)` in display order, and columns by index. */
export interface CellBlock {
  readonly fromRow: number;
  readonly toRow: number;
  readonly columns: readonly number[];
}

export interface TableViewState {
  /** The primary column first; empty in the original order. */
  readonly order: readonly ColumnOrder[];
  /** All must hold. A column may have several. */
  readonly filters: readonly ColumnFilter[];
  /** The columns in display order, including hidden ones; empty in the original order. */
  readonly columnOrder: readonly number[];
  readonly hidden: readonly number[];
  /** Columns that stay at the left, in display order. */
  readonly pinned: readonly number[];
  /** Widths in CSS pixels by column index; others have a width that fits. */
  readonly widths: Readonly<Record<string, number>>;
  readonly selection: readonly CellBlock[];
  /** The cell that has the keyboard, a corner of the selection. */
  readonly active?: { readonly row: number; readonly column: number };
  /**
   * The rows above those in view, with the part of one that is scrolled away, and the horizontal place in pixels.
   * With `toActive` the active column is scrolled to in place of `left`, because widths are known to the page only.
   */
  readonly scroll: { readonly row: number; readonly left: number; readonly toActive?: boolean };
  readonly find: { readonly text: string; readonly options: FindOptions };
  readonly wrap: boolean;
  /** Whether the table or its chart is in view; absent until a person has chosen. */
  readonly shown?: 'table' | 'chart';
  readonly chart?: ChartChoice;
}

export interface AnswerViewState {
  readonly table: number;
  /** By table index; a table without an entry is as it came. */
  readonly tables: readonly TableViewState[];
}

export const initialTableViewState: TableViewState = {
  order: [],
  filters: [],
  columnOrder: [],
  hidden: [],
  pinned: [],
  widths: {},
  selection: [],
  scroll: { row: 0, left: 0 },
  find: { text: '', options: { match: 'contains', caseSensitive: false } },
  wrap: false,
};

export const initialViewState: AnswerViewState = { table: 0, tables: [] };

/** A member or an element of a value, below the value of a column. */
export type ValuePath = readonly (string | number)[];
