/**
 * The planned query as plain data: the SQL, and the meaning of the columns that it returns. `answers/` runs the SQL in
 * the engine and formats the result.
 */
import type { BoundQuery, NamedExpression } from '../../../language/src/index.ts';
import type { DatasetLayout } from '../store/layout.ts';
import type { PlanLimits } from './planSize.ts';
import type { Relation } from './relation.ts';
import type { Sql } from './sql.ts';

/** A view's bound query, or the reason that it can't be run. */
export type ViewQuery = { readonly bound: BoundQuery } | { readonly problem: string };

/** A half-open range of times in nanoseconds since 1970. */
export interface TimeRange {
  readonly start: bigint;
  readonly end: bigint;
}

/** A file downloaded for `externaldata`, at a path that DuckDB is allowed to read. */
export interface ExternalFile {
  readonly path: string;
  /** The estimated column count: 1 plus the number of delimiters (of any format) in the first line, at most 4,096. */
  readonly width: number;
  /** Whether the file starts with `[`, ignoring whitespace and non-ASCII characters. */
  readonly isList: boolean;
}

/** The position of an event in its dataset. The row number distinguishes events with equal times. */
export interface Cursor {
  readonly time: bigint;
  readonly row: bigint;
}

/**
 * The position of a client that reads events in time order:
 * - It has read the events up to the cursor whose row numbers are at most `seen`.
 * - It has read no events with greater row numbers, even before the cursor, because these events arrived later.
 * - If these late events need several pages, it has read those up to `late` with row numbers up to `late.seen`.
 */
export interface ReadCursor extends Cursor {
  /** The dataset's last row number when the page was read. Absent if the cursor only identifies an event. */
  readonly seen?: bigint;
  readonly late?: Cursor & { readonly seen: bigint };
  /** The numbering that the row numbers belong to. Absent in cursors from earlier versions. */
  readonly numbering?: number;
}

export interface PlanContext {
  /** Returns a dataset's layout, or undefined for an unknown name. */
  readonly layoutOf: (dataset: string) => DatasetLayout | undefined;
  /** Returns a view's query, or the reason that it can't be run, or undefined for an unknown name. */
  readonly viewOf?: (name: string) => ViewQuery | undefined;
  /** Returns a dataset's virtual fields: expressions computed as additional fields. */
  readonly virtualFieldsOf?: (dataset: string) => readonly NamedExpression[];
  /** Returns the names of the datasets that a `search` without tables reads. */
  readonly datasetNames: () => readonly string[];
  /** The files downloaded for `externaldata`, by URL. */
  readonly externalFiles?: ReadonlyMap<string, ExternalFile>;
  readonly range: TimeRange;
  /** Whether the request specifies the start of the range, so that it isn't a default. */
  readonly rangeStated?: boolean;
  /** The size limits of the plan; `PLAN_LIMITS` by default. */
  readonly limits?: PlanLimits;
  /** The time that `now()` returns in all parts of the query. */
  readonly now: bigint;
  readonly defaultLimit: number;
  readonly defaultOrder?: readonly { readonly field: string; readonly desc: boolean }[];
  readonly maxBinAutoGroups?: number;
  /** Whether rows get cursors if they are events of one dataset, so that they can be read in pages. */
  readonly paged?: boolean;
  /** The cursor after which the page starts. If `inclusive`, the page includes the event at the cursor. */
  readonly cursor?: ReadCursor & { readonly inclusive: boolean };
  /** Whether the main statement should also count the matched rows, if possible. */
  readonly countRows?: boolean;
  /** Whether to add the column `_cursor`, which contains each event's cursor. */
  readonly cursorField?: boolean;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The aggregate that computes a column. `name` is its name in the API, such as `distinct` for dcount. */
export interface PlannedAggregate {
  readonly name: string;
  readonly fields?: readonly string[];
  readonly args?: readonly unknown[];
}

export interface PlannedColumn {
  readonly name: string;
  /**
   * The type in the API: `datetime`, `string`, `integer`, `float`, `boolean`, `timespan`, `array`, `map`, `unknown` or
   * a union.
   */
  readonly type: string;
  readonly agg?: PlannedAggregate;
}

/**
 * One result table. `columns` are in the order of the SQL's columns. `duckdbTypes` has the DuckDB type of a column by
 * its API type. A column of type `unknown` or a union is JSON instead.
 */
export interface PlannedTable {
  readonly sql: string;
  /** The relational plan that `sql` was printed from. The relation may read the plan's `shared` tables. */
  readonly relation: Relation;
  readonly columns: readonly PlannedColumn[];
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
  readonly groups: readonly string[];
  /** Present if the SQL also returns each row's cursor, as two hidden columns: the time and the row number. */
  readonly cursor?: { readonly numbering: number };
  /** The table whose last row number the SQL also returns, because `maxCursor` needs it. */
  readonly lastRowOf?: string;
  /** Whether the SQL also returns, in every row, a hidden column with the total number of rows aggregated. */
  readonly hasRowCount: boolean;
  /**
   * Present if the table ends with the default limit on rows. This SQL returns one more row, which shows whether the
   * limit dropped rows. Queries run it instead of `sql`. Exports run `sql`, because they need exactly the limited rows.
   * Absent if the default limit counts groups.
   */
  readonly cut?: { readonly sql: string; readonly limit: number };
  /** The maximum number of rows; absent if unknown. */
  readonly maxRows?: bigint;
  /** The time bins of a summarize. `size` is in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: bigint };
}

/** A common table expression in the statement: a tabular `let`, or a relation that is read more than once. */
export interface SharedTable {
  readonly name: string;
  readonly sql: Sql;
  /** Absent if the table was written directly as SQL. */
  readonly relation?: Relation;
}

/** How a column's total is computed from the main table's rows. `count` is a `sum` that is never null. */
export interface Merge {
  readonly column: number;
  readonly by: 'count' | 'sum' | 'min' | 'max';
}

/** A statement that counts rows. It returns a single count, or rows that each contain an index and a count. */
export interface Tally {
  readonly sql: string;
  /** By index, the number of times that a count is added to the total. */
  readonly times: readonly number[];
}

/** Statements for counts that aren't in the result tables. */
export interface PlannedCounts {
  /** Counts the rows in the range. If the query reads a dataset several times, its rows count each time. */
  readonly examined: Tally;
  /** Counts the rows that match the leading filters. Absent if all examined rows are known to match. */
  readonly matched?: Tally;
  /** The query's limit, if each result row is a matching event. If fewer rows are returned, no count is needed. */
  readonly limit?: bigint;
}

export interface Plan {
  readonly datasets: readonly string[];
  readonly range: TimeRange;
  /**
   * Present if the rows are events ordered by time: the events' dataset, whether times ascend, and the starting cursor.
   */
  readonly paged?: {
    readonly dataset: string;
    readonly forwards: boolean;
    readonly from?: ReadCursor;
  };
  readonly main: PlannedTable;
  readonly macros: readonly string[];
  /** Common table expressions. Each reads only expressions that come earlier in the list. */
  readonly shared: readonly SharedTable[];
  /** The totals of a time-binned summarize: one row per group, without the time. */
  readonly totals?: PlannedTable;
  /** The computation of each column of `totals` from the rows of `main`. Absent if that isn't possible. */
  readonly merges?: readonly Merge[];
  /** The default limit. Absent if it doesn't apply to the query. */
  readonly defaultLimit?: number;
  /** Counts the groups of a time series, but at most the default limit + 1. Absent if a table contains the count. */
  readonly groupCount?: string;
  /** Counts the examined and matched rows. Absent if the query reads no dataset. */
  readonly counts?: PlannedCounts;
  /** Warnings for `status.messages`, such as a filter that is always true, or a view that was omitted. */
  readonly messages: readonly { readonly code: string; readonly msg: string }[];
}
