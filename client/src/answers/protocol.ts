/**
 * The methods that the worker that holds the rows serves to the extension host, with their parameters and results.
 * Rows never cross the thread except as windows, bounded text and bounded lists.
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

/** An answer in the store. Given by the host, never used again, stable across a restart of the worker. */
export type AnswerId = string;

export interface TablePlace {
  readonly answer: AnswerId;
  readonly table: number;
}

/** Where an arriving body is kept as well. */
export interface Keeping {
  /** A folder that is the store's alone. */
  readonly folder: string;
  readonly about: AnswerAbout;
  /** Bytes that all kept answers may take; the oldest unpinned ones are removed. */
  readonly maxBytes: number;
  /** The kept answer that the body is a further page of, and which one, from 1. */
  readonly pageOf?: { readonly file: string; readonly number: number };
}

export interface ExactCell {
  readonly value: Cell;
  /** Exact text; empty for null. */
  readonly text: string;
}

export interface ExactRow {
  /** The number of the row as it came, from 0. */
  readonly number: number;
  /** By column index. */
  readonly cells: readonly ExactCell[];
}

export interface Arranged {
  readonly rowCount: number;
  readonly totalRows: number;
}

export interface Found {
  /** Cells that match, in all columns that were searched. */
  readonly total: number;
}

export type CopyFormat = Exclude<FormatId, 'xlsx' | 'parquet'>;

/** An export to a file; which formats there are is up to `export/`. */
interface ExportRequest extends TablePlace {
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The file to write. A failed export leaves no file, and an existing one as it was. */
  readonly path: string;
  /** The name of the table inside the file, where the format has one. */
  readonly name: string;
  /** The columns in display order, hidden ones left out if they are to be. */
  readonly columns: readonly number[];
  /** Leave filters and order aside. */
  readonly allRows: boolean;
}

interface ComparedTables {
  readonly before: TablePlace;
  readonly after: TablePlace;
  /** Names of columns of both tables that identify a row. Without any, rows are compared by all columns. */
  readonly keys: readonly string[];
  /** The new answer: one table with the rows that differ. */
  readonly into: AnswerId;
}

export interface Compared extends Pick<Decoded, 'head' | 'bytes'> {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface KeptAnswer {
  /** The name of its files without their extension. */
  readonly file: string;
  readonly about: AnswerAbout;
  readonly arrival: AnswerArrival;
  readonly pinned: boolean;
  readonly viewState: AnswerViewState;
  /** Rows of the first table. */
  readonly rowCount: number;
  /** Bytes on disk. */
  readonly bytes: number;
}

/** Counts of a followed query's body. */
export interface Followed {
  /** Rows of the body, and those of them that are new. */
  readonly received: number;
  readonly added: number;
  /** When its first and last event arrived, in RFC 3339; absent without any. */
  readonly earliest?: string;
  readonly latest?: string;
}

export interface Decoded {
  readonly head: AnswerHead;
  /** Bytes of memory that the rows take. */
  readonly bytes: number;
  /** The kept answer, if it was to be kept and could be. */
  readonly kept?: string;
  /** Why it could not be kept, as a message; the answer itself is complete. */
  readonly notKept?: string;
  readonly followed?: Followed;
}

/** Progress in the units of a method, such as rows. */
export interface TaskProgress {
  readonly done: number;
  readonly total: number;
}

type Method<Params, Result> = rpc.Method<Params, Result, TaskProgress>;

export interface Methods {
  /**
   * Starts to decode a body. With `appendTo`, the rows of its first table are appended to that table by the
   * names of columns, and the answer keeps its id; `answer` is then only the name of the decode. With `follow`,
   * only rows that are new are taken, in the order of arrival. Fails with `memory` once the rows take more than
   * `maxBytes`.
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
  /** The next bytes of the body, transferred. Answered once they are decoded: at most a few are under way. */
  chunk: Method<{ answer: AnswerId; bytes: ArrayBuffer }, null>;
  /** The body is complete. Fails where it is malformed or truncated. */
  finish: Method<{ answer: AnswerId; arrival: AnswerArrival }, Decoded>;
  /** Aborts a decode and removes everything kept of it. */
  abort: Method<{ answer: AnswerId }, null>;
  /** Forgets an answer; its file stays. */
  drop: Method<{ answer: AnswerId }, null>;

  /** Drawn cells; a span outside the table is cut to it. */
  window: Method<TablePlace & RowSpan & { columns: readonly number[] } & DrawOptions, DrawnWindow>;
  /** The sizes of columns as drawn, over the first rows, for a width that fits. */
  sizes: Method<
    TablePlace & { columns: readonly number[]; rows: number } & DrawOptions,
    readonly DrawnSize[]
  >;
  cell: Method<TablePlace & { row: number; column: number }, ExactCell>;
  row: Method<TablePlace & { row: number }, ExactRow>;

  /** Orders and filters a table; the display order that every other method reads. Long. */
  arrange: Method<
    TablePlace & { order: readonly ColumnOrder[]; filters: readonly ColumnFilter[] },
    Arranged
  >;
  /** Shows the last row first, or last, where no column orders the rows. The filters and the order stay. Long. */
  showNewest: Method<TablePlace & { first: boolean }, Arranged>;
  /** Looks for text in the exact and the drawn text of the given columns. Replaces the former search. Long. */
  find: Method<
    TablePlace & { text: string; options: FindOptions; columns: readonly number[] } & DrawOptions,
    Found
  >;
  /** The next or previous match from a place, which is not itself considered, around the ends. Null without any. */
  findNext: Method<
    TablePlace & { row: number; column: number; backwards: boolean },
    FoundPlace | null
  >;
  /** Which cells of a window match the search, as indexes `row * columns.length + column` into the window. */
  foundIn: Method<TablePlace & RowSpan & { columns: readonly number[] }, readonly number[]>;
  /** Long. */
  summary: Method<TablePlace & { column: number; top: number; bins: number }, ColumnSummary>;
  /** The values of a column over the rows that pass the filters of the other columns. Long. */
  values: Method<TablePlace & { column: number; search: string; limit: number }, ColumnValues>;
  /** Blocks may overlap; a cell counts once. Long. */
  figures: Method<TablePlace & { blocks: readonly CellBlock[] }, SelectionFigures>;
  /** Blocks are copied one below the other where they have the same columns; otherwise only the first. Long. */
  copy: Method<
    TablePlace & {
      blocks: readonly CellBlock[];
      format: CopyFormat;
      /** Of the format, such as `header`. */
      options: Readonly<Record<string, unknown>>;
      maxCharacters: number;
    },
    CopiedRows
  >;
  /** Long. */
  export: Method<ExportRequest, ExportSummary>;
  /** Long. */
  compare: Method<ComparedTables, Compared>;
  /** A chart of the rows that pass the filters, in display order. Long. */
  chart: Method<TablePlace & ChartRequest, ChartData>;
  /**
   * Returns exact values at the time nearest to `at`, in milliseconds since 1970. Long, unless its chart was the last.
   */
  chartPoint: Method<TablePlace & ChartRequest & { at: number }, ChartPoint>;
  /** Values of the first table for completion where a query compares a field. */
  valuesToOffer: Method<{ answer: AnswerId }, SeenColumn[]>;

  /** Decodes a kept answer again, with so many pages that were loaded later, under a new id. Long. */
  restore: Method<
    { answer: AnswerId; maxBytes: number; folder: string; file: string },
    Decoded & { kept: string; header: KeptAnswer; pages: number }
  >;
  /** Writes what a person has changed into the header of a kept answer. */
  updateKept: Method<
    { folder: string; file: string; pinned: boolean; viewState: AnswerViewState },
    null
  >;
  eraseKept: Method<{ folder: string; files: readonly string[] | 'all' }, null>;
}

export type MethodName = keyof Methods;
export type Params<Name extends MethodName> = Methods[Name]['params'];
export type Result<Name extends MethodName> = Methods[Name]['result'];

/** The reason why a call failed, as a message. */
export interface StoreFailure {
  readonly code: StoreFailureCode;
  readonly message: string;
}

export type StoreFailureCode =
  /** The body is not a tabular answer; the message says where. */
  | 'malformed'
  /** The answer was dropped, or lost with the worker. */
  | 'gone'
  | 'cancelled'
  /** A parameter is out of bounds or not understood, such as an invalid regular expression. */
  | 'invalid'
  | 'file'
  /** The answer needs more memory than there is. */
  | 'memory'
  | 'internal';
