/**
 * The user's arrangement of an answer. It is stored with the answer and on disk, so that a page looks the same after it
 * was hidden, moved or rebuilt. Columns are identified by index in the table, rows by position in display order.
 */

import type { ChartChoice } from './chart/chart.ts';

export interface ColumnOrder {
  readonly column: number;
  readonly descending: boolean;
}

export type TextMatch = 'contains' | 'equals' | 'startsWith' | 'regex';

/** Identifies a value in its column by its kind and exact text. Null identifies null. */
export type ValueKey = {
  readonly kind: 'number' | 'text' | 'boolean' | 'json';
  readonly text: string;
} | null;

/** A condition on one column. Null cells fail text, number and time conditions, even negated ones. */
export type ColumnFilter = { readonly column: number } & (
  | {
      /** A condition on the exact text of a value of any kind. */
      readonly kind: 'text';
      readonly match: TextMatch;
      readonly text: string;
      readonly caseSensitive: boolean;
      readonly negated?: boolean;
    }
  | {
      /**
       * Numbers from `from` to `to`, inclusive. An absent bound is unlimited. The bounds are decimal strings, so that
       * 64-bit integers stay exact.
       */
      readonly kind: 'number';
      readonly from?: string;
      readonly to?: string;
    }
  | {
      /** Times from `from` (inclusive) to `to` (exclusive), in RFC 3339 with up to nine fractional digits. */
      readonly kind: 'time';
      readonly from?: string;
      readonly to?: string;
    }
  | { readonly kind: 'isNull'; readonly negated?: boolean }
  | {
      /** Rows with one of the values or, if `negated`, rows with none of them. */
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
  /** The sort columns, primary column first; empty in the original order. */
  readonly order: readonly ColumnOrder[];
  /** The filters, all of which rows must pass. A column may have several filters. */
  readonly filters: readonly ColumnFilter[];
  /** The columns in display order, including hidden ones; empty in the original order. */
  readonly columnOrder: readonly number[];
  readonly hidden: readonly number[];
  /** The pinned columns at the left, in display order. */
  readonly pinned: readonly number[];
  /** Column widths in CSS pixels by column index. Columns without an entry fit their content. */
  readonly widths: Readonly<Record<string, number>>;
  readonly selection: readonly CellBlock[];
  /** The cell with keyboard focus, at a corner of the selection. */
  readonly active?: { readonly row: number; readonly column: number };
  /**
   * The number of rows scrolled out at the top, with a fraction, and the horizontal offset in pixels. `toActive`
   * scrolls to the active column instead of `left`, because only the page knows widths.
   */
  readonly scroll: { readonly row: number; readonly left: number; readonly toActive?: boolean };
  readonly find: { readonly text: string; readonly options: FindOptions };
  readonly wrap: boolean;
  /** Whether the table or its chart is shown; absent until the user chooses. */
  readonly shown?: 'table' | 'chart';
  readonly chart?: ChartChoice;
}

export interface AnswerViewState {
  readonly table: number;
  /** View states by table index. Tables without an entry have their initial arrangement. */
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

/** The path from a column's value to a member or element within it. */
export type ValuePath = readonly (string | number)[];
