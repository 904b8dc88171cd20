/**
 * What is kept of an answer apart from its rows: everything the service said, and everything the client
 * knows about the question. Plain data, which crosses threads and goes to disk as it is.
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

/** A column of a table. Columns are named by their index in the table everywhere: names may repeat. */
export interface AnswerField {
  readonly name: string;
  /** The wire type, such as `integer`, `datetime` or `integer|string`. */
  readonly type: string;
  /** The aggregate that the column holds. */
  readonly agg?: Partial<Aggregate>;
  /** From `fieldsMetaMap`; of datasets that disagree, the first counts. `none` is left out. */
  readonly unit?: string;
  readonly description?: string;
  /** Set for a field that is shown only on request. */
  readonly hidden?: boolean;
}

/** A table without its rows. */
export interface AnswerTable {
  /** `0`, `1`, … or `_totals`. */
  readonly name: string;
  /** The names of the datasets that it was computed from. */
  readonly sources: readonly string[];
  readonly fields: readonly AnswerField[];
  readonly groups: readonly string[];
  /** The order that the service gave the rows. */
  readonly order: readonly Partial<OrderItem>[];
  readonly range?: Partial<TableRange>;
  readonly buckets?: Partial<TableBuckets>;
  /** The length of the longest column; shorter ones end with nulls. */
  readonly rowCount: number;
  /** Of a table that follows a query: how many older rows were removed. */
  readonly removedRows?: number;
}

/** The content of a body other than its rows. */
export interface AnswerHead {
  readonly tables: readonly AnswerTable[];
  readonly status: Readonly<Partial<Omit<QueryStatus, 'messages'>>>;
  /** The cursors of the oldest and the newest row, from which the next page is requested. */
  readonly cursors: { readonly oldest?: string; readonly newest?: string };
  readonly messages: readonly Partial<Message>[];
  readonly datasetNames: readonly string[];
  /** By dataset, the fields that carry a unit or a description, or are hidden. */
  readonly fieldsMetaMap: Readonly<Record<string, readonly Partial<Field>[]>>;
  /** Whether rows are summaries of matched rows, so that there are fewer for a reason. */
  readonly aggregated: boolean;
  /** Problems of ignored members, such as `status.rowsMatched must be a number`. */
  readonly notes: readonly string[];
}

/** The client's facts about the query. Never contains a token. */
export interface AnswerAbout {
  /** The name on the tab, which the user may change. */
  readonly title: string;
  readonly query: string;
  /** The file that the query was run from, as a URI; absent for a query without one. */
  readonly document?: string;
  readonly deployment: string;
  /** The range sent, as it was sent, and in words such as `last 1 hour`. */
  readonly startTime: string;
  readonly endTime: string;
  readonly rangeLabel: string;
  readonly datasets?: readonly string[];
  readonly variables?: Readonly<Record<string, unknown>>;
  /** When the query was sent, in milliseconds since 1970. */
  readonly askedAt: number;
  readonly statesColumnOrder: boolean;
}

/** Facts about the response, passed when a decode finishes. */
export interface AnswerArrival {
  /** From sending to having everything, in milliseconds. */
  readonly roundTripMilliseconds: number;
  readonly traceId?: string;
  /** The service's identifier of the query in its own history. */
  readonly historyId?: string;
  /** Notices about the request's route, in addition to the service's own. */
  readonly notices?: readonly Partial<Message>[];
}
