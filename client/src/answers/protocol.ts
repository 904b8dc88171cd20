/**
 * The methods that the worker provides to the extension host, with their parameters and results. The worker stores the
 * rows and sends only windows, bounded text and bounded lists of them. Methods marked "Long" report progress and can be
 * cancelled.
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

/** The place on disk where an arriving body is stored. */
export interface Keeping {
  /** A folder that only the store uses. */
  readonly folder: string;
  readonly about: AnswerAbout;
  /** The maximum size of all kept answers. Beyond it, the oldest unpinned ones are removed. */
  readonly maxBytes: number;
  /** The kept answer that the body extends, and the number of the page, from 1. */
  readonly pageOf?: { readonly file: string; readonly number: number };
}

export interface ExactCell {
  readonly value: Cell;
  /** The exact text, empty for null. */
  readonly text: string;
}

export interface ExactRow {
  /** The row's number in order of arrival, from 0. */
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

/** An export to a file. `table/src/export` defines the formats. */
interface ExportRequest extends TablePlace {
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The file to write. A failed export creates no file and leaves an existing one unchanged. */
  readonly path: string;
  /** The table's name inside the file, if the format has one. */
  readonly name: string;
  /** The columns to export, in display order. */
  readonly columns: readonly number[];
  /** Whether to ignore the filters and the order. */
  readonly allRows: boolean;
}

interface ComparedTables {
  readonly before: TablePlace;
  readonly after: TablePlace;
  /** The names of the columns that identify a row in both tables. If empty, rows are compared by all columns. */
  readonly keys: readonly string[];
  /** The id of the new answer, whose only table contains the rows that differ. */
  readonly into: AnswerId;
}

export interface Compared extends Pick<Decoded, 'head' | 'bytes'> {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface KeptAnswer {
  /** The answer's file name without extension. */
  readonly file: string;
  readonly about: AnswerAbout;
  readonly arrival: AnswerArrival;
  readonly pinned: boolean;
  readonly viewState: AnswerViewState;
  /** The number of rows in the first table. */
  readonly rowCount: number;
  /** Bytes on disk. */
  readonly bytes: number;
}

export interface Followed {
  /** The number of rows in the body, and of new ones among them. */
  readonly received: number;
  readonly added: number;
  /** The arrival times of the first and last new event, in RFC 3339. Absent if there are none. */
  readonly earliest?: string;
  readonly latest?: string;
}

export interface Decoded {
  readonly head: AnswerHead;
  /** The memory used by the rows, in bytes. */
  readonly bytes: number;
  /** The answer's file name, if it was stored on disk. */
  readonly kept?: string;
  /** The reason why the answer is not on disk, as a message. The answer itself is complete. */
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
   * only identifies the decoding. With `follow`, only new rows are added, in order of arrival. Decoding fails with
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
  /** Transfers the next bytes of the body. Resolves once they are decoded, which limits the buffers in transit. */
  chunk: Method<{ answer: AnswerId; bytes: ArrayBuffer }, null>;
  /** Completes the body. Fails if it is malformed or truncated. */
  finish: Method<{ answer: AnswerId; arrival: AnswerArrival }, Decoded>;
  /** Aborts decoding and removes its data from memory and disk. */
  abort: Method<{ answer: AnswerId }, null>;
  /** Removes an answer from memory. Its file remains. */
  drop: Method<{ answer: AnswerId }, null>;

  /** Returns drawn cells. A range beyond the table is clipped. */
  window: Method<TablePlace & RowSpan & { columns: readonly number[] } & DrawOptions, DrawnWindow>;
  /** Returns the drawn sizes of columns, measured over the first rows, which determine the initial widths. */
  sizes: Method<
    TablePlace & { columns: readonly number[]; rows: number } & DrawOptions,
    readonly DrawnSize[]
  >;
  cell: Method<TablePlace & { row: number; column: number }, ExactCell>;
  row: Method<TablePlace & { row: number }, ExactRow>;

  /** Orders and filters a table. All other methods use the resulting display order. Long. */
  arrange: Method<
    TablePlace & { order: readonly ColumnOrder[]; filters: readonly ColumnFilter[] },
    Arranged
  >;
  /** Places the newest row first or last if no column orders the rows. Filters and order are unchanged. Long. */
  showNewest: Method<TablePlace & { first: boolean }, Arranged>;
  /** Searches the exact and drawn text of the given columns, and replaces the previous search. Long. */
  find: Method<
    TablePlace & { text: string; options: FindOptions; columns: readonly number[] } & DrawOptions,
    Found
  >;
  /** Returns the match after or before a cell, wrapping around at the ends. Null if nothing matches. */
  findNext: Method<
    TablePlace & { row: number; column: number; backwards: boolean },
    FoundPlace | null
  >;
  /** Returns the matching cells of a window, as indexes `row * columns.length + column` into the window. */
  foundIn: Method<TablePlace & RowSpan & { columns: readonly number[] }, readonly number[]>;
  /** Long. */
  summary: Method<TablePlace & { column: number; top: number; bins: number }, ColumnSummary>;
  /** Returns a column's values over the rows that pass the filters of the other columns. Long. */
  values: Method<TablePlace & { column: number; search: string; limit: number }, ColumnValues>;
  /** Returns figures of the cells in the blocks. Cells in several blocks count once. Long. */
  figures: Method<TablePlace & { blocks: readonly CellBlock[] }, SelectionFigures>;
  /** Copies the first block and all others with the same columns, one below the other. Long. */
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
  /** Long. */
  export: Method<ExportRequest, ExportSummary>;
  /** Long. */
  compare: Method<ComparedTables, Compared>;
  /** Returns a chart of the rows that pass the filters, in display order. Long. */
  chart: Method<TablePlace & ChartRequest, ChartData>;
  /** Returns exact values at the time nearest to `at`, in milliseconds since 1970. Long for a new chart. */
  chartPoint: Method<TablePlace & ChartRequest & { at: number }, ChartPoint>;
  /** Returns values of the first table, which completion offers where a query compares a field. */
  valuesToOffer: Method<{ answer: AnswerId }, SeenColumn[]>;

  /** Decodes a kept answer and its later pages, and returns the number of these pages. Long. */
  restore: Method<
    { answer: AnswerId; maxBytes: number; folder: string; file: string },
    Decoded & { kept: string; header: KeptAnswer; pages: number }
  >;
  /** Writes a person's changes to the header of a kept answer. */
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
  /** The body is not a tabular answer. The message states where it is malformed. */
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
