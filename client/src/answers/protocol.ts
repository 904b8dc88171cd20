/**
 * The methods that the worker provides to the extension host, with their parameters and results. The worker stores the
 * rows and sends only windows, bounded text and bounded lists of them. Methods marked "Long-running" report progress
 * and can be cancelled.
 */
import type { SeenColumn } from '../../../server/src/protocol.ts';
import type { AnswerAbout, AnswerArrival, AnswerHead } from '../../../table/src/answer.ts';
import type { ChartData, ChartPoint, ChartRequest } from '../../../table/src/chart/chart.ts';
import type { ColumnValues } from '../../../table/src/columnValues.ts';
import type { DrawnSize, DrawnWindow, DrawOptions, RowSpan } from '../../../table/src/drawn.ts';
import type { CopiedRows, ExportSummary } from '../../../table/src/export/exportRows.ts';
import type { FormatId } from '../../../table/src/export/formats.ts';
import type { FoundPlace } from '../../../table/src/find.ts';
import type { Follow } from '../../../table/src/following.ts';
import type { Cell } from '../../../table/src/result.ts';
import type { SelectionFigures } from '../../../table/src/selectionFigures.ts';
import type { ColumnSummary } from '../../../table/src/summary.ts';
import type {
  AnswerViewState,
  CellBlock,
  ColumnFilter,
  ColumnOrder,
  FindOptions,
} from '../../../table/src/viewState.ts';
import type * as rpc from '../rpc/calls.ts';

export type { ColumnValues } from '../../../table/src/columnValues.ts';
export type { CountedValue } from '../../../table/src/countValues.ts';
export type { DrawnCell, DrawnSize, DrawnWindow } from '../../../table/src/drawn.ts';
export type { FoundPlace } from '../../../table/src/find.ts';
export type { Follow } from '../../../table/src/following.ts';
export type { SelectionFigures } from '../../../table/src/selectionFigures.ts';
export type { ColumnSummary, Histogram } from '../../../table/src/summary.ts';

/** Identifies an answer in the store. Assigned by the host, never reused, and stable across worker restarts. */
export type AnswerId = string;

export interface TablePlace {
  readonly answer: AnswerId;
  readonly table: number;
}

/** The location on disk where an arriving body is stored. */
export interface Keeping {
  /** A folder that only the store uses. */
  readonly folder: string;
  readonly about: AnswerAbout;
  /** The maximum total size of all answers on disk. Beyond it, the oldest unpinned answers are removed. */
  readonly maxBytes: number;
  /** The answer on disk that the body extends, and the number of the added page, from 1. */
  readonly pageOf?: { readonly file: string; readonly number: number };
}

export interface ExactCell {
  readonly value: Cell;
  /** The exact text; empty for null. */
  readonly text: string;
}

export interface ExactRow {
  /** The row's position in order of arrival, from 0. */
  readonly number: number;
  readonly cells: readonly ExactCell[];
}

export interface Arranged {
  readonly rowCount: number;
  readonly totalRows: number;
}

export interface Found {
  readonly total: number;
}

export type CopyFormat = Exclude<FormatId, 'xlsx' | 'parquet'>;

/** An export to a file. The formats are defined in `table/src/export`. */
interface ExportRequest extends TablePlace {
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The file to write. A failed export creates no file and leaves an existing one unchanged. */
  readonly path: string;
  /** The table's name inside the file, if the format has one. */
  readonly name: string;
  /** The indexes of the columns to export, in display order. */
  readonly columns: readonly number[];
  /** Whether to ignore the filters and the order. */
  readonly allRows: boolean;
}

interface ComparedTables {
  readonly before: TablePlace;
  readonly after: TablePlace;
  /** The names of the columns that identify a row in both tables. If empty, entire rows are compared. */
  readonly keys: readonly string[];
  /** The ID of the new answer. Its only table contains the rows that differ. */
  readonly into: AnswerId;
}

export interface Compared extends Pick<Decoded, 'head' | 'bytes'> {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface KeptAnswer {
  /** The name of the answer's file, without extension. */
  readonly file: string;
  readonly about: AnswerAbout;
  readonly arrival: AnswerArrival;
  readonly pinned: boolean;
  readonly viewState: AnswerViewState;
  /** The number of rows in the first table. */
  readonly rowCount: number;
  /** The answer's size on disk in bytes. */
  readonly bytes: number;
}

export interface Followed {
  /** The number of rows in the body, and how many of them are new. */
  readonly received: number;
  readonly added: number;
  /** The arrival times of the first and last new event, in RFC 3339; absent if there are no new events. */
  readonly earliest?: string;
  readonly latest?: string;
}

export interface Decoded {
  readonly head: AnswerHead;
  /** The memory used by the rows, in bytes. */
  readonly bytes: number;
  /** The name of the answer's file, if the answer was stored on disk. */
  readonly kept?: string;
  /** The reason why the answer isn't on disk, as a message. The answer in memory is complete nevertheless. */
  readonly notKept?: string;
  readonly followed?: Followed;
}

export interface TaskProgress {
  readonly done: number;
  readonly total: number;
}

type Method<Params, Result> = rpc.Method<Params, Result, TaskProgress>;

export interface Methods {
  /**
   * Starts decoding a body. With `appendTo`, its first table is appended to that table by column name, and `answer`
   * only identifies the decoding task. With `follow`, only new rows are added, in order of arrival. Decoding fails with
   * `memory` once the rows need more than `maxBytes`.
   */
  begin: Method<
    {
      answer: AnswerId;
      maxBytes: number;
      appendTo?: TablePlace;
      keep?: Keeping;
      follow?: Follow;
    },
    null
  >;
  /**
   * Decodes the next bytes of the body, which are shared. The caller may overwrite them once the call has resolved.
   * Returns the number of complete rows so far if they arrive row by row, or 0.
   */
  chunk: Method<{ answer: AnswerId; bytes: Uint8Array<SharedArrayBuffer> }, number>;
  /**
   * Makes the rows so far readable while the rest arrives. Null if they can't be shown before all have arrived. Only
   * `window`, `sizes`, `cell`, `row` and `foundIn` may be called on them.
   */
  firstRows: Method<{ answer: AnswerId }, Pick<Decoded, 'head' | 'bytes'> | null>;
  /** Completes the body. Fails if it is malformed or truncated. */
  finish: Method<{ answer: AnswerId; arrival: AnswerArrival }, Decoded>;
  /** Aborts decoding and removes its data from memory and disk. */
  abort: Method<{ answer: AnswerId }, null>;
  /** Removes an answer from memory. Its file remains. */
  drop: Method<{ answer: AnswerId }, null>;

  /** Returns formatted cells. A range beyond the end of the table is clipped. */
  window: Method<TablePlace & RowSpan & { columns: readonly number[] } & DrawOptions, DrawnWindow>;
  /** Returns the formatted sizes of columns, measured over the first rows. They determine the initial widths. */
  sizes: Method<
    TablePlace & { columns: readonly number[]; rows: number } & DrawOptions,
    readonly DrawnSize[]
  >;
  cell: Method<TablePlace & { row: number; column: number }, ExactCell>;
  row: Method<TablePlace & { row: number }, ExactRow>;

  /** Sorts and filters a table. All other methods use the resulting display order. Long-running. */
  arrange: Method<
    TablePlace & { order: readonly ColumnOrder[]; filters: readonly ColumnFilter[] },
    Arranged
  >;
  /** Sets whether the newest row is first or last while no column sorts the rows. Keeps the filters. Long-running. */
  showNewest: Method<TablePlace & { first: boolean }, Arranged>;
  /** Searches the exact and the formatted text of the given columns. Replaces the previous search. Long-running. */
  find: Method<
    TablePlace & { text: string; options: FindOptions; columns: readonly number[] } & DrawOptions,
    Found
  >;
  /** Returns the match after or before a cell, wrapping around at the table's ends. Null if nothing matches. */
  findNext: Method<
    TablePlace & { row: number; column: number; backwards: boolean },
    FoundPlace | null
  >;
  /** Returns the matching cells of a window as indexes: `row * columns.length + column` within the window. */
  foundIn: Method<TablePlace & RowSpan & { columns: readonly number[] }, readonly number[]>;
  /** Summarizes a column over the filtered rows. Long-running. */
  summary: Method<TablePlace & { column: number; top: number; bins: number }, ColumnSummary>;
  /** Returns a column's values over the rows that pass the other columns' filters. Long-running. */
  values: Method<TablePlace & { column: number; search: string; limit: number }, ColumnValues>;
  /** Returns counts, sums and extremes of the selected cells. Overlapping cells count once. Long-running. */
  figures: Method<TablePlace & { blocks: readonly CellBlock[] }, SelectionFigures>;
  /** Copies the first block, followed by all other blocks with the same columns. Long-running. */
  copy: Method<
    TablePlace & {
      blocks: readonly CellBlock[];
      format: CopyFormat;
      /** Format options, such as `header`. */
      options: Readonly<Record<string, unknown>>;
      maxCharacters: number;
    },
    CopiedRows
  >;
  /** Exports rows to a file. Long-running. */
  export: Method<ExportRequest, ExportSummary>;
  /** Compares two tables. Long-running. */
  compare: Method<ComparedTables, Compared>;
  /** Returns a chart of the filtered rows, in display order. Long-running. */
  chart: Method<TablePlace & ChartRequest, ChartData>;
  /** Returns exact values at the time nearest to `at`, in milliseconds since 1970. Long-running for a new chart. */
  chartPoint: Method<TablePlace & ChartRequest & { at: number }, ChartPoint>;
  /** Returns the column values in the first table. Completion offers them in comparisons with the column's field. */
  valuesToOffer: Method<{ answer: AnswerId }, SeenColumn[]>;

  /** Decodes an answer on disk and its later pages. Returns the number of these pages. Long-running. */
  restore: Method<
    { answer: AnswerId; maxBytes: number; folder: string; file: string },
    Decoded & { kept: string; header: KeptAnswer; pages: number }
  >;
  /** Writes the user's changes to the header of an answer on disk. */
  updateKept: Method<
    { folder: string; file: string; pinned: boolean; viewState: AnswerViewState },
    null
  >;
  eraseKept: Method<{ folder: string; files: readonly string[] | 'all' }, null>;
}

export type MethodName = keyof Methods;
export type Params<Name extends MethodName> = Methods[Name]['params'];
export type Result<Name extends MethodName> = Methods[Name]['result'];

export interface StoreFailure {
  readonly code: StoreFailureCode;
  readonly message: string;
}

export type StoreFailureCode =
  /** The body isn't a tabular answer. The message states the error's position, if known. */
  | 'malformed'
  /** The answer was dropped, or lost when the worker ended. */
  | 'gone'
  | 'cancelled'
  /** A parameter is out of bounds or invalid, such as a malformed regular expression. */
  | 'invalid'
  | 'file'
  /** The answer needs more memory than is available. */
  | 'memory'
  | 'internal';
