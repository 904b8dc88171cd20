/**
 * What a planned query is: the SQL to run and what its rows mean. It is a value one can print; running
 * it is the store's business, shaping its answer that of `answers/`.
 */
import type { BoundQuery, NamedExpression } from '../../../language/src/index.ts';
import type { DatasetLayout } from '../store/layout.ts';
import type { PlanLimits } from './planSize.ts';
import type { Relation } from './relation.ts';
import type { Sql } from './sql.ts';

/** The query that a view stands for, bound; or why it cannot be run. */
export type ViewQuery = { readonly bound: BoundQuery } | { readonly problem: string };

/** Times are nanoseconds since 1970; the range is half-open. */
export interface TimeRange {
  readonly start: bigint;
  readonly end: bigint;
}

/** What was read for an externaldata, where the engine may read it. */
export interface ExternalFile {
  readonly path: string;
  /** As many values as the first line may have, whatever divides them. */
  readonly width: number;
  /** Whether it begins with `[`. */
  readonly isList: boolean;
}

/** The place of an event among all of its dataset: its time, and the row that tells equal times apart. */
export interface Cursor {
  readonly time: bigint;
  readonly row: bigint;
}

/**
 * Where a reader of events in the order of time is: it has read all up to the cursor, of those that the dataset had
 * up to the row `seen`. Of the rows after that one, which have come since, it has read none, whatever their times;
 * or, where a page has not held them all, those up to `late` of the rows up to `late.seen`.
 */
export interface ReadCursor extends Cursor {
  /** Absent for a cursor that only names an event. */
  readonly seen?: bigint;
  readonly late?: Cursor & { readonly seen: bigint };
  /** The numbering of all its rows; absent in a cursor of an earlier version. */
  readonly numbering?: number;
}

export interface PlanContext {
  /** The layout of a dataset, or undefined when there is none of that name. */
  readonly layoutOf: (dataset: string) => DatasetLayout | undefined;
  /** A view's query or why it cannot be run, or undefined when there is no view of that name. */
  readonly viewOf?: (name: string) => ViewQuery | undefined;
  /** Expressions over a dataset's fields that stand behind them as fields of their own. */
  readonly virtualFieldsOf?: (dataset: string) => readonly NamedExpression[];
  /** The names of all datasets, for a search through everything. */
  readonly datasetNames: () => readonly string[];
  /** The files that hold what externaldata reads, by address. */
  readonly externalFiles?: ReadonlyMap<string, ExternalFile>;
  readonly range: TimeRange;
  /** Whether the request says where the range starts, or it is the default. */
  readonly rangeStated?: boolean;
  /** How large the plan may be; `PLAN_LIMITS` if absent. */
  readonly limits?: PlanLimits;
  /** The time `now()` answers for the whole statement. */
  readonly now: bigint;
  /** The limit put on a query that states none. */
  readonly defaultLimit: number;
  readonly defaultOrder?: readonly { readonly field: string; readonly desc: boolean }[];
  readonly maxBinAutoGroups?: number;
  /** Whether the cursors of events are wanted, for reading them in pages. */
  readonly paged?: boolean;
  /** The event to go on from, where a page of events is asked for; `inclusive` has it on the page. */
  readonly cursor?: ReadCursor & { readonly inclusive: boolean };
  /** Whether the answer's own statement is to tell how many rows were looked at, where it can. */
  readonly counted?: boolean;
  /** Whether a column `_cursor` tells the cursor of every event. */
  readonly cursorField?: boolean;
  /** Values of the request's `variables`, by name. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The aggregate behind a column, with the engine's name for it (`distinct` for dcount). */
export interface PlannedAggregate {
  readonly name: string;
  readonly fields?: readonly string[];
  readonly args?: readonly unknown[];
}

export interface PlannedColumn {
  readonly name: string;
  /** The type on the wire: `datetime`, `string`, `integer`, `float`, `boolean`, `timespan`, `array`, `map`, `unknown` or a union. */
  readonly type: string;
  readonly agg?: PlannedAggregate;
}

/**
 * One result table. The SQL's columns stand in the order of `columns`; each is of the DuckDB type of its
 * wire type (`duckdbTypes`), a union or `unknown` being JSON.
 */
export interface PlannedTable {
  readonly sql: string;
  /** What the SQL says, as a relational plan; it may read the plan's `shared` tables. */
  readonly relation: Relation;
  readonly columns: readonly PlannedColumn[];
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
  readonly groups: readonly string[];
  /** Present where two more columns of SQL hold the cursor of each row: its time, and its row in the dataset. */
  readonly cursor?: { readonly numbering: number };
  /** The table whose last row is returned with the rows; present where the answer has cursors. */
  readonly lastRowOf?: string;
  /** Whether one more column of SQL tells, the same in each row, how many rows were aggregated. */
  readonly counted: boolean;
  /** Where the default limit bounds its rows: the SQL with one row more, which says whether there are others. */
  readonly cut?: { readonly sql: string; readonly limit: number };
  /** The most rows that it can have; absent where nothing bounds them. */
  readonly most?: bigint;
  /** The bin of a time-binned summarize; `size` in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: bigint };
}

/** A common table expression of the statement: a `let` of a table, or what an operator reads twice. */
export interface SharedTable {
  readonly name: string;
  readonly sql: Sql;
  /** Absent where it is written as SQL at once. */
  readonly relation?: Relation;
}

/**
 * A total out of what the bins have: the column's place in the main table, and what is made of it. Counts are
 * added like sums, but are never missing.
 */
export interface Merge {
  readonly column: number;
  readonly by: 'count' | 'sum' | 'min' | 'max';
}

/** A statement of one number, or of several: each row is then the place of a number, and the number. */
export interface Tally {
  readonly sql: string;
  /** How often each number counts, by its place. */
  readonly times: readonly number[];
}

/** Statements for what the answer itself does not tell. */
export interface PlannedCounts {
  /** The rows in the range, of every dataset and for each place that the query reads it at. */
  readonly examined: Tally;
  /** Absent where nothing is filtered. */
  readonly matched?: {
    /** One number: the events that the query begins with and its filters let through. Absent where it begins otherwise. */
    readonly events?: string;
    /** What filters let through of everything else that is read. */
    readonly others?: Tally;
  };
  /** Where each event that the query begins with is a row of the answer unless that has as many as this: its limit. */
  readonly limit?: bigint;
}

export interface Plan {
  readonly datasets: readonly string[];
  readonly range: TimeRange;
  /** The dataset whose events are the rows, whether they are in ascending order of time, and where they begin, where they have cursors. */
  readonly paged?: {
    readonly dataset: string;
    readonly forwards: boolean;
    readonly from?: ReadCursor;
  };
  readonly main: PlannedTable;
  /** The names of the macros that the statements need. */
  readonly macros: readonly string[];
  /** In order: each reads only those before it. */
  readonly shared: readonly SharedTable[];
  /** The same grouping without time, for a time-binned summarize. */
  readonly totals?: PlannedTable;
  /** How the rows of `main` give the totals, where they do; one for each column of `totals`. */
  readonly merges?: readonly Merge[];
  /** The default limit, where it was put on the query. */
  readonly defaultLimit?: number;
  /** Counts the groups of a time series up to one more than the default limit, where no other table says it. */
  readonly groupCount?: string;
  /** How many rows the query looks at; absent for one that reads no dataset. */
  readonly counts?: PlannedCounts;
  /** Compiler notices for `status.messages`, text starting `line: L, col: C: `. */
  readonly messages: readonly { readonly code: string; readonly msg: string }[];
}
