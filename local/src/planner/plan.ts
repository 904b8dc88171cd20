/**
 * The planned query as plain data: the SQL, and the meaning of the columns that it returns. `answers/` runs the SQL in
 * the engine and formats the result.
 */
import type { BoundQuery, NamedExpression, Span } from '../../../language/src/index.ts';
import type { DatasetLayout } from '../store/layout.ts';
import type { PlanLimits } from './planSize.ts';
import type { Relation } from './relation.ts';
import type { Sql } from './sql.ts';
import type { ValueType } from './values.ts';

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
  /** The estimated column count: 1 plus the number of delimiters in the first line, at most 4,096. */
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
 * The position of a client that reads events in time order. It has read the events up to the cursor, except late
 * events, whose row numbers are greater than `seen`. If the late events need several pages, it has read those up to
 * `late`.
 */
export interface ReadCursor extends Cursor {
  /** The dataset's last row number when the page was read. Absent if the cursor only identifies an event. */
  readonly seen?: bigint;
  readonly late?: Cursor & { readonly seen: bigint };
  /** The numbering of the row numbers. Absent in cursors from earlier versions. */
  readonly numbering?: number;
}

/** A condition that a column of strings equals one of `texts`. `table` is an SQL name, and `column` an unquoted one. */
export interface Lookup {
  readonly table: string;
  readonly column: string;
  readonly texts: readonly string[];
}

/** The events that `lookups` may find: those in the range, up to the row number of the last one that was searched. */
export interface Narrowed {
  readonly lookups: readonly Lookup[];
  readonly range: TimeRange;
  readonly lastRow: bigint;
}

export interface PlanContext {
  readonly layoutOf: (dataset: string) => DatasetLayout | undefined;
  /** Returns a view's query, or the reason that it can't be run. Returns undefined if no view has the name. */
  readonly viewOf?: (name: string) => ViewQuery | undefined;
  /** Returns a dataset's virtual fields: expressions computed as additional fields. */
  readonly virtualFieldsOf?: (dataset: string) => readonly NamedExpression[];
  /** Returns the names of the datasets that a `search` without tables reads. */
  readonly datasetNames: () => readonly string[];
  readonly externalFiles?: ReadonlyMap<string, ExternalFile>;
  readonly range: TimeRange;
  readonly rangeStated?: boolean;
  /** The events to which the store has narrowed the query. Ignored if the query no longer has the same look-ups. */
  readonly narrowed?: Narrowed;
  /** The default is `PLAN_LIMITS`. */
  readonly limits?: PlanLimits;
  /** The time that `now()` returns in all parts of the query. */
  readonly now: bigint;
  readonly defaultLimit: number;
  readonly defaultOrder?: readonly { readonly field: string; readonly desc: boolean }[];
  readonly maxBinAutoGroups?: number;
  /** Whether to add cursors to rows that are events of one dataset. */
  readonly paged?: boolean;
  /** The cursor after which the page starts. If `inclusive`, the page includes the event at the cursor. */
  readonly cursor?: ReadCursor & { readonly inclusive: boolean };
  /** Whether the main statement should also count the matched rows, if possible. */
  readonly countRows?: boolean;
  /** Whether to add each event's cursor as the column `_cursor`. */
  readonly cursorField?: boolean;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Called with each planned expression. Throws a `PlanError` if the engine can't compute the expression. */
  readonly check?: (node: Span, sql: string, columns: readonly CheckedColumn[]) => void;
}

/** A column that an expression may read, by its name in SQL. */
export interface CheckedColumn {
  readonly id: string;
  readonly type: ValueType;
}

/** `name` is the aggregate's name in the API, such as `distinct` for dcount. */
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
 * `columns` are in the order of the SQL's columns. `duckdbTypes` maps API types to DuckDB types. A column of another
 * type is JSON.
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
  /** SQL for the dataset's last row number, which is also returned if `maxCursor` needs it. */
  readonly lastRowSql?: string;
  /** Whether the SQL also returns a hidden column with the total number of aggregated rows. */
  readonly hasRowCount: boolean;
  /**
   * SQL that returns one row more than the default limit, which shows whether the limit dropped rows. Exports run `sql`
   * instead. Absent if the table doesn't end with the default limit.
   */
  readonly cut?: { readonly sql: string; readonly limit: number };
  /** The maximum number of rows; absent if unknown. */
  readonly maxRows?: bigint;
  /** Whether the table is known to have no rows. */
  readonly isEmpty: boolean;
  /** `size` is in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: bigint };
}

/** A common table expression in the statement: a tabular `let`, or a relation that is read more than once. */
export interface SharedTable {
  readonly name: string;
  readonly sql: Sql;
  /** Absent if the table was written directly as SQL. */
  readonly relation?: Relation;
}

/** How to compute a column's total from the main table's rows. `count` is a `sum` that is never null. */
export interface Merge {
  readonly column: number;
  readonly by: 'count' | 'sum' | 'min' | 'max';
}

/** A statement that returns a single row count, or rows with an index and a count. */
export interface Tally {
  readonly sql: string;
  /** How often the count at each index is added to the total. */
  readonly times: readonly number[];
  /** Whether the counts stay the same until the next write. Random rows and files may change without one. */
  readonly isRepeatable: boolean;
}

export interface PlannedCounts {
  /** The number of examined rows. If the query reads a dataset several times, the dataset's rows count each time. */
  readonly examined: Tally;
  /** Absent if all examined rows are known to match. */
  readonly matched?: Tally;
  /** The query's limit, if each result row is a matching event. A shorter result needs no separate count. */
  readonly limit?: bigint;
}

export interface Plan {
  readonly datasets: readonly string[];
  readonly range: TimeRange;
  /** The events to which the main pipeline's dataset is narrowed. */
  readonly narrowed?: Narrowed;
  /** Conditions that must all hold. Present if the main pipeline's dataset can be narrowed, but isn't yet. */
  readonly lookups?: readonly Lookup[];
  /** Present if the rows are events ordered by time. */
  readonly paged?: {
    readonly dataset: string;
    readonly forwards: boolean;
    readonly from?: ReadCursor;
  };
  readonly main: PlannedTable;
  readonly macros: readonly string[];
  /** Common table expressions, each after those that it reads. */
  readonly shared: readonly SharedTable[];
  /** The totals of a time-binned summarize: one row per group, without the time. */
  readonly totals?: PlannedTable;
  /** How to compute the columns of `totals` from the rows of `main`, if possible. */
  readonly merges?: readonly Merge[];
  readonly defaultLimit?: number;
  /** Counts the groups of a time series, but at most the default limit + 1. Absent if a table contains the count. */
  readonly groupCount?: string;
  readonly counts?: PlannedCounts;
  readonly messages: readonly { readonly code: string; readonly msg: string }[];
}
