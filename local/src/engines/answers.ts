/** The interface to the engine that computes answers from the planner's SQL. */
import type { ExportFormat } from '../answers/exportFormats.ts';
import type { Part } from '../answers/shapes.ts';
import type { Merge, Plan, PlannedTable } from '../planner/plan.ts';
import type { DatasetLayout } from '../store/layout.ts';

/** The maximum number of rows that are read at once. */
export const SLICE_ROWS = 16_384;

/** Writes the parts of answers that engines compute differently, as the planner's SQL. */
export interface AnswerSql {
  /** Returns SQL for the JSON text of a column's values, which is never null. */
  readonly cell: (wireType: string, column: string) => string;
  /** Returns SQL for a number of 32 bits that distinguishes groups. `key` is SQL for the JSON of the group. */
  readonly groupId: (key: string) => string;
}

export interface TableParts {
  readonly table: PlannedTable;
  readonly parts: readonly Part[];
  /** Whether the cursors of the first and the last row are needed. The rows are in time order. */
  readonly hasEnds?: boolean;
}

/** A table whose rows the reader has computed. Each engine adds where it keeps them. */
export interface Computed extends TableParts {
  readonly count: number;
  readonly isCut: boolean;
  readonly aggregated?: number | undefined;
}

/** The cursors of the oldest and the newest row, and the dataset's last row number if the table has it. */
export type Ends = readonly [
  oldest: bigint,
  leastRow: bigint,
  newest: bigint,
  greatestRow: bigint,
  lastRow: bigint | null,
];

/** The tables of an answer before they are computed. */
export interface TablesToCompute {
  readonly main: TableParts;
  readonly totals?: TableParts;
  /** How to compute `totals` from the rows of `main`, if possible. */
  readonly merges?: readonly Merge[];
  /** Whether the rows of `main` are read twice, for the legacy series. */
  readonly readAgain: boolean;
}

export interface TimeSpan {
  readonly start: bigint;
  readonly end: bigint;
}

export interface BlockCounts {
  /** The number of blocks whose times overlap the range or are unknown. */
  readonly examined: number;
  /** The number of blocks whose times are all before or all after the range. */
  readonly skipped: number;
}

/** Computes one answer. */
export interface AnswerReader {
  readonly sql: AnswerSql;
  computeTables(tables: TablesToCompute): Promise<readonly Computed[]>;
  /** Computes the legacy series from the rows of a table that is read twice. */
  computeSeries(rows: Computed): Promise<Computed>;
  readCount(sql: string): Promise<number>;
  /** Reads the cursors of the first and last row of a table that has at least one row. */
  readEnds(rows: Computed): Promise<Ends>;
  /** Yields a table's JSON, part by part. */
  chunks(table: Computed): AsyncGenerator<Uint8Array>;
  /** Frees the tables. */
  drop(tables: readonly Computed[]): Promise<void>;
}

export type EngineName = 'DuckDB' | 'ClickHouse';

export interface AnswerEngine {
  readonly name: EngineName;
  /** Runs `work`. If `signal` aborts, stops the running statement and throws the signal's reason. */
  use<T>(plan: Plan, work: (reader: AnswerReader) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Returns SQL for the row number up to which a reader has seen all events of a dataset. */
  lastRowSql(layout: DatasetLayout): Promise<string>;
  /** Writes the rows of a plan's main statement to a file. Absent if the engine can't. */
  export?(plan: Plan, format: ExportFormat, path: string, signal: AbortSignal): Promise<void>;
  /** Prepares a plan's main statement. Throws an EngineError if the engine rejects it. */
  check(plan: Plan): Promise<void>;
  /** Runs a plan's main statement, and returns the engine's description of its steps as lines. */
  explain(plan: Plan, signal: AbortSignal): Promise<readonly string[]>;
}
