/**
 * A query's result as the client holds it: column-major, with values as they came over the wire. The
 * results view, the clipboard and the export all read this.
 */

/** An exact value of a cell: integers beyond 2^53 are bigint; null stands for null and for missing. */
export type Cell = null | boolean | number | bigint | string | readonly unknown[] | object;

export interface ResultColumn {
  readonly name: string;
  /** The wire type, such as `integer`, `datetime` or `integer|string`. */
  readonly type: string;
  readonly unit?: string;
  readonly description?: string;
}

export interface ResultTable {
  readonly name: string;
  readonly columns: readonly ResultColumn[];
  /** One array per column, each `rowCount` long. */
  readonly values: readonly (readonly Cell[])[];
  readonly rowCount: number;
}

/** A note shown beside the status line, such as the default limit. */
export interface ResultNotice {
  readonly severity: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
}

export interface QueryResult {
  readonly title: string;
  readonly query: string;
  readonly deployment: string;
  /** The range sent, in words, such as `last 1 hour`. */
  readonly rangeLabel: string;
  readonly tables: readonly ResultTable[];
  /** The service's own time, in microseconds. */
  readonly elapsedMicroseconds: number;
  /** From sending to having everything, in milliseconds. */
  readonly roundTripMilliseconds: number;
  readonly rowsExamined: number;
  readonly rowsMatched: number;
  /** Whether rows are summaries of matched rows, so that there are fewer for a reason. */
  readonly aggregated: boolean;
  readonly isPartial: boolean;
  readonly notices: readonly ResultNotice[];
  readonly traceId?: string;
}

/** A sentence about a result, with a command that follows from it. */
export interface ResultHint {
  readonly message: string;
  readonly action: ResultAction;
}

/** A button in the results view. */
export interface ResultAction {
  readonly label: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** What the results view shows: nothing yet, a running query, a result, or an error. */
export type ResultState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'running'; readonly title: string; readonly startedAt: number }
  | { readonly kind: 'result'; readonly result: QueryResult; readonly hint?: ResultHint }
  | { readonly kind: 'cancelled'; readonly title: string }
  | {
      readonly kind: 'failed';
      readonly title: string;
      readonly message: string;
      readonly code?: string;
      readonly traceId?: string;
      /** What the person can do: command identifiers with their labels. */
      readonly actions: readonly ResultAction[];
    };
