/**
 * What the extension host and the worker that holds the rows say to each other: one table of methods with
 * their parameters and results. Every call has a number; it is answered once, with a result or a failure,
 * and may be preceded by progress. Rows never cross the thread except as windows, bounded text and bounded
 * lists.
 */
import type { SeenColumn } from '../../../../server/src/protocol.ts';
import type { ChartData, ChartPoint, ChartRequest } from '../../charts/chart.ts';
import type { Cell, ResultNotice } from '../result.ts';
import type { AnswerAbout, AnswerArrival, AnswerHead } from './answer.ts';
import type {
  AnswerViewState,
  CellBlock,
  ColumnFilter,
  ColumnOrder,
  FindOptions,
  ValueKey,
} from './viewState.ts';

/** An answer in the store. Given by the host, never used again, stable across a restart of the worker. */
export type AnswerId = string;

export interface TablePlace {
  readonly answer: AnswerId;
  readonly table: number;
}

/** Rows `[from, to)` of a table in display order. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
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

export interface DrawOptions {
  /** Times are drawn in UTC or in the time zone of this machine. */
  readonly timeZone: 'utc' | 'local';
}

export interface DrawnSize {
  /** Of the widest cell, with the room that points in a line need. */
  readonly characters: number;
  /** The digits after the point of the longest fraction, where the column has numbers. */
  readonly decimals?: number;
}

/** A cell as drawn: null for null, otherwise its text, cut when it is very long, on one line. */
export type DrawnCell = string | null;

export interface DrawnWindow {
  readonly from: number;
  /** Row-major: one array per row, in the order of the requested columns. */
  readonly rows: readonly (readonly DrawnCell[])[];
  /** The number of each row as it came, from 0: the row numbers that stay while rows are ordered. */
  readonly numbers: readonly number[];
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

export interface FoundPlace {
  readonly row: number;
  readonly column: number;
  /** Which match this is, from 1, in reading order. */
  readonly ordinal: number;
  readonly total: number;
}

export interface CountedValue {
  readonly key: ValueKey;
  /** The exact text, cut when it is very long; null for null. */
  readonly text: DrawnCell;
  readonly count: number;
}

/** A count that is exact, or a lower bound because counting stopped there. */
interface BoundedCount {
  readonly count: number;
  readonly exact: boolean;
}

/** Equal parts of the range from `min` to `max`, with the rows in each. */
export interface Histogram {
  readonly kind: 'number' | 'time';
  /** The bounds as exact text; for times RFC 3339 in UTC. */
  readonly min: string;
  readonly max: string;
  readonly counts: readonly number[];
}

/** A column over the rows that pass the filters. */
export interface ColumnSummary {
  readonly column: number;
  readonly rowCount: number;
  readonly nulls: number;
  readonly distinct: BoundedCount;
  /** The commonest values, nulls left out; empty unless `distinct` is exact. */
  readonly top: readonly CountedValue[];
  /** The least and the greatest value as exact text, in the order that rows are ordered by; absent without values. */
  readonly min?: string;
  readonly max?: string;
  /** For numbers: the mean, as text. */
  readonly mean?: string;
  readonly histogram?: Histogram;
  /** Texts that are empty. */
  readonly empty: number;
}

export interface ColumnValues {
  /** The commonest first, at most as many as asked for. */
  readonly values: readonly CountedValue[];
  /** How many different values match the search. */
  readonly distinct: BoundedCount;
}

/** Figures of a selection. Sums of integers are exact, of any size. */
export interface SelectionFigures {
  /** Cells, nulls included. */
  readonly cells: number;
  /** Cells that are not null. */
  readonly count: number;
  readonly distinct: BoundedCount;
  /** Numbers among the cells; the next four are absent where there are none. */
  readonly numbers: number;
  /** The columns that the next four come from: of a sum over several only some make sense. */
  readonly measured: readonly number[];
  readonly sum?: string;
  readonly avg?: string;
  /** Of the numbers; where there are none but times, of the times. */
  readonly min?: string;
  readonly max?: string;
}

export type CopyFormat =
  | 'text'
  | 'csv'
  | 'tsv'
  | 'json'
  | 'ndjson'
  | 'markdown'
  | 'in'
  | 'datatable';

export interface Copied {
  readonly text: string;
  readonly rows: number;
  /** Whether rows were left out because the text would exceed the bound. */
  readonly truncated: boolean;
  /** Notices about values that the format cannot represent. */
  readonly notices: readonly ResultNotice[];
}

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

export interface Exported {
  readonly rows: number;
  readonly bytes: number;
  /** Notices about values that the format cannot represent. */
  readonly notices: readonly ResultNotice[];
}

interface ComparedTables {
  readonly before: TablePlace;
  readonly after: TablePlace;
  /** Names of columns of both tables that identify a row. Without any, rows are compared by all columns. */
  readonly keys: readonly string[];
  /** The new answer: one table with the rows that differ. */
  readonly into: AnswerId;
}

export interface Compared {
  readonly head: AnswerHead;
  /** Bytes of memory that the rows take. */
  readonly bytes: number;
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

/** How the rows of a body are taken into a table that follows a query while events arrive. */
export interface Follow {
  /** The columns that name each event and say when it arrived. They are not kept. */
  readonly cursor: string;
  readonly arrival: string;
  /** Rows and bytes that the table may have; beyond them the oldest rows are removed. */
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly newestFirst: boolean;
  /** Events that arrived earlier are not asked for again: RFC 3339. */
  readonly forgetBefore?: string;
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

interface Method<Params, Result> {
  readonly params: Params;
  readonly result: Result;
}

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
    Copied
  >;
  /** Long. */
  export: Method<ExportRequest, Exported>;
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

export type ToWorker =
  | {
      readonly type: 'call';
      readonly call: number;
      readonly method: MethodName;
      readonly params: unknown;
    }
  | { readonly type: 'cancel'; readonly call: number };

export type FromWorker =
  | { readonly type: 'result'; readonly call: number; readonly result: unknown }
  | { readonly type: 'failure'; readonly call: number; readonly failure: StoreFailure }
  | {
      readonly type: 'progress';
      readonly call: number;
      readonly done: number;
      readonly total: number;
    };

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
