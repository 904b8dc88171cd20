/**
 * An answer without its rows: the service's response and the client's metadata about the query. Plain data, so it can
 * be passed between threads and stored on disk unchanged.
 */
import type {
  Aggregate,
  Field,
  Message,
  OrderItem,
  QueryStatus,
  TableBuckets,
  TableRange,
} from '../../api/src/index.ts';

/** A table's column. Columns are identified by index everywhere, because names may repeat. */
export interface AnswerField {
  readonly name: string;
  /** The column's wire type, such as `integer`, `datetime` or `integer|string`. */
  readonly type: string;
  readonly agg?: Partial<Aggregate>;
  /** The unit from `fieldsMetaMap`; absent for `none`. If datasets disagree, the first dataset's unit applies. */
  readonly unit?: string;
  readonly description?: string;
  /** Whether the field is shown only on request. */
  readonly hidden?: boolean;
}

/** A table without its rows. */
export interface AnswerTable {
  /** The service's name for the table: `0`, `1`, … or `_totals`. */
  readonly name: string;
  /** The datasets that the table was computed from. */
  readonly sources: readonly string[];
  readonly fields: readonly AnswerField[];
  readonly groups: readonly string[];
  /** The row order that the service applied. */
  readonly order: readonly Partial<OrderItem>[];
  readonly range?: Partial<TableRange>;
  readonly buckets?: Partial<TableBuckets>;
  /** The length of the longest column. Shorter columns are padded with nulls. */
  readonly rowCount: number;
  /** The number of older rows removed from a table that follows a query. */
  readonly removedRows?: number;
}

/** The content of a response body except for the rows. */
export interface AnswerHead {
  readonly tables: readonly AnswerTable[];
  readonly status: Readonly<Partial<Omit<QueryStatus, 'messages'>>>;
  /** The cursors of the oldest and newest rows, used to request the next page. */
  readonly cursors: { readonly oldest?: string; readonly newest?: string };
  readonly messages: readonly Partial<Message>[];
  readonly datasetNames: readonly string[];
  /** Details by dataset: the fields that are hidden or have a unit or a description. */
  readonly fieldsMetaMap: Readonly<Record<string, readonly Partial<Field>[]>>;
  /** Whether rows are summaries of matched rows, so that fewer rows than matches are expected. */
  readonly aggregated: boolean;
  /** Problems with ignored members, such as `status.rowsMatched must be a number`. */
  readonly notes: readonly string[];
}

/** The client's metadata about the query. Never contains a token. */
export interface AnswerAbout {
  /** The tab title, which the user can change. */
  readonly title: string;
  readonly query: string;
  /** The URI of the file that the query was run from; absent if there is no file. */
  readonly document?: string;
  readonly deployment: string;
  /** The time range as sent, and its label, such as `last 1 hour`. */
  readonly startTime: string;
  readonly endTime: string;
  readonly rangeLabel: string;
  readonly datasets?: readonly string[];
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The time the query was sent, in milliseconds since 1970. */
  readonly askedAt: number;
  readonly statesColumnOrder: boolean;
}

/** The client's metadata about the response, added when decoding finishes. */
export interface AnswerArrival {
  /** The time from sending the query to receiving the complete response, in milliseconds. */
  readonly roundTripMilliseconds: number;
  readonly traceId?: string;
  readonly historyId?: string;
  /** The client's notices about how the request was routed, in addition to the service's notices. */
  readonly notices?: readonly Partial<Message>[];
}
