// Query results in the tabular shape, and the envelope that both shapes share.
import {
  cells,
  dictionary,
  flag,
  integer,
  key,
  list,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  timestamp,
  whole,
} from '../schema.ts';
import { Field } from './dataset.ts';
import { LegacyBuckets, LegacyMatch, LegacyRequest } from './legacy.ts';
import { Message } from './message.ts';
import { EDGE_FORMATS, OrderItem } from './query.ts';

/**
 * Types of result columns known from public sources. Other types may exist. If a column has values of several types,
 * their names are joined with `|`.
 */
export const COLUMN_TYPES = [
  'datetime',
  'string',
  'boolean',
  'float',
  'integer',
  'timespan',
  'array',
  'map',
  'dictionary',
  'unknown',
] as const;

/** Flags in `cacheStatus`, whose value is their sum. Not in the spec. */
export const CACHE_STATUS = { miss: 1, materialized: 2, results: 4, wal: 8 } as const;

/** The name of the table with the totals of a time series: its groups without the time bins. Not in the spec. */
export const TOTALS_TABLE = '_totals';

/** The aggregate function of a column. The set of names is open. Not in the spec. */
export const Aggregate = object({
  name: text('The aggregate function.'),
  fields: optional(list(text())),
  args: optional(cells('Its other arguments.')),
});
export type Aggregate = Static<typeof Aggregate>;

export const TableField = object({
  name: key(text('The name of the column, dotted where objects nest.')),
  type: key(text('The type of its values.', { examples: COLUMN_TYPES })),
  agg: optional(Aggregate),
});
export type TableField = Static<typeof TableField>;

export const TableRange = object({
  field: text('The field the range is on.'),
  start: timestamp('The start, included.'),
  end: timestamp('The end, excluded.'),
});
export type TableRange = Static<typeof TableRange>;

/** The intervals of a time series. Not in the spec. */
export const TableBuckets = object({
  field: text('The field that is divided.'),
  size: number('The size of one part; nanoseconds where the field is a time.'),
});
export type TableBuckets = Static<typeof TableBuckets>;

/**
 * One table of a result: a list of values for each field, all of the same length, or for each row in the format
 * `tabular-rows`.
 */
export const Table = object({
  name: text('0, 1, … or _totals.'),
  sources: list(object({ name: text('The name of a dataset.') })),
  fields: key(list(TableField)),
  order: list(OrderItem),
  groups: list(object({ name: text('The name of a column that groups.') })),
  range: optional(TableRange),
  buckets: optional(TableBuckets),
  columns: whole(
    optional(list(cells(), { description: 'Values by field, in the order of fields.' })),
  ),
  rows: whole(
    optional(
      list(cells(), {
        description:
          'Values by row, in place of columns, in the format tabular-rows. Not in the spec.',
      }),
    ),
  ),
});
export type Table = Static<typeof Table>;

const count = { minimum: 0 };

export const QueryStatus = object({
  elapsedTime: integer('Microseconds the query took.', count),
  minCursor: optional(text('The cursor of the oldest row.')),
  maxCursor: optional(text('The cursor of the newest row.')),
  blocksExamined: integer('Blocks looked at.', count),
  blocksCached: optional(integer('Blocks answered from a cache.', count)),
  blocksMatched: optional(integer('Blocks with matching rows.', count)),
  blocksSkipped: optional(integer('Blocks passed over. Not in the spec.', count)),
  rowsExamined: integer('Rows looked at.', count),
  rowsMatched: integer('Rows that matched.', count),
  numGroups: integer('Groups of the result.', count),
  isPartial: flag('Whether something is missing from the result.'),
  isEstimate: optional(flag('Whether numbers are estimates. Not in the spec.')),
  cacheStatus: optional(integer('Which caches took part, added up.', count)),
  minBlockTime: optional(timestamp('The oldest time in the blocks looked at.')),
  maxBlockTime: optional(timestamp('The newest time in the blocks looked at.')),
  continuationToken: optional(text('How to go on with a partial result. Not in the spec.')),
  messages: optional(list(Message, { description: 'Notices. Not in the spec.' })),
});
export type QueryStatus = Static<typeof QueryStatus>;

/** The result of a query, in either shape. */
export const QueryResult = object({
  format: oneOf(EDGE_FORMATS, 'The shape of this result.'),
  status: key(QueryStatus),
  tables: whole(optional(list(Table))),
  datasetNames: list(text(), { description: 'The datasets the query read.' }),
  fieldsMetaMap: optional(
    dictionary(list(Field), 'By dataset, the fields that carry a unit, a description or the like.'),
  ),
  buckets: optional(LegacyBuckets),
  matches: optional(list(LegacyMatch)),
  request: optional(LegacyRequest),
});
export type QueryResult = Static<typeof QueryResult>;

/** A tabular result with the members that a service must send. */
export const TabularResult = object({
  ...QueryResult.properties,
  format: oneOf(['tabular']),
  tables: key(list(Table)),
});
export type TabularResult = Static<typeof TabularResult>;
