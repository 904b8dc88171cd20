/**
 * The planned query as plain data: the SQL to run and the meaning of its rows. `answers/` runs the SQL in the engine
 * and formats the result.
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

/** A downloaded file of externaldata, at a path that the engine may read. */
export interface ExternalFile {
  readonly path: string;
  /** The number of delimiters of all formats in the first line plus 1, at most 4,096. */
  readonly width: number;
  /** Whether the file's first ASCII character other than whitespace is `[`. */
  readonly isList: boolean;
}

/** The position of an event in its dataset: the time, and the row to distinguish equal times. */
export interface Cursor {
  readonly time: bigint;
  readonly row: bigint;
}

/**
 * The position of a reader of events in order of time. The reader has read all events up to the cursor whose rows are
 * at most `seen`. Later rows arrived since, and it has read none of them, whatever their times. If a page could not
 * hold all of these late events, it has read the ones up to `late` whose rows are at most `late.seen`.
 */
export interface ReadCursor extends Cursor {
  /** The last row that existed when the page was read; absent for a cursor that only identifies an event. */
  readonly seen?: bigint;
  readonly late?: Cursor & { readonly seen: bigint };
  /** The numbering of the rows; absent in cursors of earlier versions. */
  readonly numbering?: number;
}

export interface PlanContext {
  /** Returns the layout of a dataset; undefined for an unknown name. */
  readonly layoutOf: (dataset: string) => DatasetLayout | undefined;
  /** Returns a view's query or the reason that it can't be run; undefined for an unknown name. */
  readonly viewOf?: (name: string) => ViewQuery | undefined;
  /** Returns a dataset's virtual fields: expressions that are appended as fields. */
  readonly virtualFieldsOf?: (dataset: string) => readonly NamedExpression[];
  /** Returns the names of all datasets that a search without tables reads. */
  readonly datasetNames: () => readonly string[];
  /** The downloaded files for `externaldata`, by URL. */
  readonly externalFiles?: ReadonlyMap<string, ExternalFile>;
  readonly range: TimeRange;
  /** Whether the request states the start of the range, instead of using the default. */
  readonly rangeStated?: boolean;
  /** The size limits of the plan; `PLAN_LIMITS` by default. */
  readonly limits?: PlanLimits;
  /** The result of `now()` in the entire statement. */
  readonly now: bigint;
  readonly defaultLimit: number;
  readonly defaultOrder?: readonly { readonly field: string; readonly desc: boolean }[];
  readonly maxBinAutoGroups?: number;
  /** Whether rows that are events of one dataset get cursors, so that they can be read in pages. */
  readonly paged?: boolean;
  /** The cursor after which a page starts; `inclusive` also returns the event at the cursor. */
  readonly cursor?: ReadCursor & { readonly inclusive: boolean };
  /** Whether the main statement also counts the matched rows, if it can. */
  readonly countRows?: boolean;
  /** Whether to add a column `_cursor` with every event's cursor. */
  readonly cursorField?: boolean;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A column's aggregate, by its name in the API (`distinct` for dcount). */
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
 * One result table. The SQL's columns are in the order of `columns`. Each has the DuckDB type that `duckdbTypes` lists
 * for its API type. A union or `unknown` is JSON.
 */
export interface PlannedTable {
  readonly sql: string;
  /** The relational plan of the SQL, which may read the plan's `shared` tables. */
  readonly relation: Relation;
  readonly columns: readonly PlannedColumn[];
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
  readonly groups: readonly string[];
  /** Present if the SQL returns each row's cursor in two more columns: the time and the row number in the dataset. */
  readonly cursor?: { readonly numbering: number };
  /** The table whose last row number is returned with the rows; present if `maxCursor` contains that number. */
  readonly lastRowOf?: string;
  /** Whether the SQL has one more column with the number of rows aggregated, equal in all rows. */
  readonly hasRowCount: boolean;
  /**
   * Present if the table ends with the default limit on rows: the SQL with one more row, which shows whether the answer
   * is truncated. Absent if the default limit counts groups. An answer runs it instead of `sql`. An export, which needs
   * exactly the limited rows, runs `sql`.
   */
  readonly cut?: { readonly sql: string; readonly limit: number };
  /** The maximum number of rows; absent if unknown. */
  readonly maxRows?: bigint;
  /** The bin of a time-binned summarize; `size` in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: bigint };
}

/** A common table expression of the statement: a tabular `let`, or a relation that the plan reads more than once. */
export interface SharedTable {
  readonly name: string;
  readonly sql: Sql;
  /** Absent if the table was written directly as SQL. */
  readonly relation?: Relation;
}

/** A total computed from the bins of a column of the main table. Counts are added up like sums, but are never null. */
export interface Merge {
  readonly column: number;
  readonly by: 'count' | 'sum' | 'min' | 'max';
}

/** A statement that returns one number, or several numbers as rows of an index and a number. */
export interface Tally {
  readonly sql: string;
  /** How often each number counts, by index. */
  readonly times: readonly number[];
}

/** Statements for counts that the answer itself doesn't contain. */
export interface PlannedCounts {
  /** Counts the rows in the range, once for each place that reads a dataset. */
  readonly examined: Tally;
  /** Counts the rows that match the leading filters; absent if all examined rows are known to match. */
  readonly matched?: Tally;
  /** The query's limit, if the answer has one row per matching event. A shorter answer needs no separate count. */
  readonly limit?: bigint;
}

export interface Plan {
  readonly datasets: readonly string[];
  readonly range: TimeRange;
  /**
   * Present if the rows are events with cursors in order of time: their dataset, whether they are in ascending order of
   * time, and the starting cursor.
   */
  readonly paged?: {
    readonly dataset: string;
    readonly forwards: boolean;
    readonly from?: ReadCursor;
  };
  readonly main: PlannedTable;
  readonly macros: readonly string[];
  /** Common table expressions; each reads only preceding ones. */
  readonly shared: readonly SharedTable[];
  /** The totals of a time-binned summarize: the same grouping without the time. */
  readonly totals?: PlannedTable;
  /** The way to compute each column of `totals` from the rows of `main`, if possible. */
  readonly merges?: readonly Merge[];
  /** The default limit, if it applies to the query. */
  readonly defaultLimit?: number;
  /** Counts the groups of a time series up to one more than the default limit, if no other table contains the count. */
  readonly groupCount?: string;
  /** Counts the examined and the matched rows; absent for a query that reads no dataset. */
  readonly counts?: PlannedCounts;
  /** Warnings for `status.messages`, such as a filter that is always true or a view that was left out. */
  readonly messages: readonly { readonly code: string; readonly msg: string }[];
}
