/**
 * What the results view and its host say to each other. Rows stay in the host: the view asks for
 * windows of rows and draws text.
 */

export interface ViewColumn {
  readonly name: string;
  /** The type in the words of queries, and the unit. */
  readonly caption: string;
  readonly description?: string;
  /** Numbers are aligned to the right. */
  readonly align: 'left' | 'right';
  /** The width of the cells of its first rows, in characters. */
  readonly characters: number;
}

export interface ViewTable {
  /** What a tab is called, when there is more than one table. */
  readonly label: string;
  readonly columns: readonly ViewColumn[];
  readonly rowCount: number;
  /** The sort in effect, which the host keeps while the page is gone. */
  readonly order: RowOrder | null;
}

export interface ViewNotice {
  readonly severity: 'info' | 'warning' | 'error';
  /** A word or two for the status line. */
  readonly label: string;
  readonly message: string;
}

export interface ViewAction {
  readonly label: string;
  readonly command: string;
}

export type ViewState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'running'; readonly title: string; readonly startedAt: number }
  | { readonly kind: 'cancelled'; readonly title: string }
  | {
      readonly kind: 'failed';
      readonly title: string;
      readonly message: string;
      readonly traceId?: string;
      readonly actions: readonly ViewAction[];
    }
  | {
      readonly kind: 'result';
      /** Tells windows of this result from those of another. */
      readonly id: number;
      readonly title: string;
      /** The parts of the status line, such as `1,000 of 48,213 rows`. */
      readonly summary: readonly string[];
      readonly notices: readonly ViewNotice[];
      /** Shown above the rows, or in place of them. */
      readonly hint?: { readonly message: string; readonly action: ViewAction };
      readonly tables: readonly ViewTable[];
    };

/** A sort by one column, given by its index; without one the rows are as they came. */
export interface RowOrder {
  readonly column: number;
  readonly descending: boolean;
}

/** A cell as drawn: null for null, else its text, cut when it is very long. */
export type ViewCell = string | null;

export type ToView =
  | { readonly type: 'state'; readonly state: ViewState }
  | {
      readonly type: 'rows';
      readonly id: number;
      readonly table: number;
      readonly from: number;
      /** Row-major. */
      readonly rows: readonly (readonly ViewCell[])[];
    }
  | {
      readonly type: 'sorted';
      readonly id: number;
      readonly table: number;
      readonly order: RowOrder | null;
    };

export interface CellRange {
  readonly fromRow: number;
  readonly toRow: number;
  readonly fromColumn: number;
  readonly toColumn: number;
}

export type FromView =
  | { readonly type: 'ready' }
  | {
      readonly type: 'window';
      readonly id: number;
      readonly table: number;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly type: 'sort';
      readonly id: number;
      readonly table: number;
      readonly order: RowOrder | null;
    }
  | {
      readonly type: 'copy';
      readonly id: number;
      readonly table: number;
      readonly range: CellRange;
    }
  | {
      /** Show a whole value in an editor. */
      readonly type: 'open';
      readonly id: number;
      readonly table: number;
      readonly row: number;
      readonly column: number;
    }
  | { readonly type: 'command'; readonly command: string }
  | { readonly type: 'cancel' };
