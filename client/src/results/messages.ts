/**
 * What the results view and its host say to each other. Rows stay in the host: the view asks for
 * windows of rows and draws text.
 */

export interface ViewColumn {
  readonly name: string;
  /** As a person reads it, in the words of queries. */
  readonly type: string;
  readonly unit?: string;
  readonly description?: string;
  /** Numbers stand to the right. */
  readonly align: 'left' | 'right';
  /** The width that its first rows want, in characters. */
  readonly characters: number;
}

export interface ViewTable {
  /** What a tab is called, when there is more than one table. */
  readonly label: string;
  readonly columns: readonly ViewColumn[];
  readonly rowCount: number;
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
      readonly tables: readonly ViewTable[];
    };

/** Which rows, in which order. `column` is an index; without a sort the rows stand as they came. */
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
  | { readonly type: 'sorted'; readonly id: number; readonly table: number };

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
  | { readonly type: 'command'; readonly command: string }
  | { readonly type: 'cancel' };
