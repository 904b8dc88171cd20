// Query results in the tabular format, and the members that tabular and older results share.
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
 * Types known from public sources. Other types may exist. If a column has several types, their names are joined by `|`.
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

/** The totals of a time series: one row per group, without time bins. Not in the spec. */
export const TOTALS_TABLE = '_totals';

/** The aggregate function of a column. Any function name is possible. Not in the spec. */
export const Aggregate = object({
  name: text('Name of the aggregate function.'),
  fields: optional(list(text())),
  args: optional(cells('Arguments other than the fields.')),
});
export type Aggregate = Static<typeof Aggregate>;

export const TableField = object({
  name: key(text('Name of the column, with dots between the names of nested objects.')),
  type: key(text('Type of the values.', { examples: COLUMN_TYPES })),
  agg: optional(Aggregate),
});

export const TableRange = object({
  field: text('Field of the range.'),
  start: timestamp('Start of the range, inclusive.'),
  end: timestamp('End of the range, exclusive.'),
});
export type TableRange = Static<typeof TableRange>;

/** The time bins of a time series. Not in the spec. */
export const TableBuckets = object({
  field: text('Field that is divided into intervals.'),
  size: number('Size of an interval, in nanoseconds if the field is a time.'),
});
export type TableBuckets = Static<typeof TableBuckets>;

/**
 * A table of a result. Has a list of values for each field or, in the format `tabular-rows`, for each row. All of these
 * lists have the same length.
 */
export const Table = object({
  name: text('Name of the table: 0, 1, … or _totals.'),
  sources: list(object({ name: text('Name of a dataset.') })),
  fields: key(list(TableField)),
  order: list(OrderItem),
  groups: list(object({ name: text('Name of a group-by column.') })),
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

const count = { minimum: 0 };

export const QueryStatus = object({
  elapsedTime: integer('Duration of the query in microseconds.', count),
  minCursor: optional(text('Cursor of the oldest row.')),
  maxCursor: optional(text('Cursor of the newest row.')),
  blocksExamined: integer('Number of examined blocks.', count),
  blocksCached: optional(integer('Number of blocks with cached results.', count)),
  blocksMatched: optional(integer('Number of blocks with matching rows.', count)),
  blocksSkipped: optional(integer('Number of skipped blocks. Not in the spec.', count)),
  rowsExamined: integer('Number of examined rows.', count),
  rowsMatched: integer('Number of matching rows.', count),
  numGroups: integer('Number of groups in the result.', count),
  isPartial: flag('Whether the result is incomplete.'),
  isEstimate: optional(flag('Whether the values are estimates. Not in the spec.')),
  cacheStatus: optional(
    integer('Sum of flags: 1 miss, 2 materialized, 4 results, 8 write-ahead log.', count),
  ),
  minBlockTime: optional(timestamp('Oldest time in the examined blocks.')),
  maxBlockTime: optional(timestamp('Newest time in the examined blocks.')),
  continuationToken: optional(text('Token to continue a partial result. Not in the spec.')),
  messages: optional(list(Message, { description: 'Notices. Not in the spec.' })),
});
export type QueryStatus = Static<typeof QueryStatus>;

export const QueryResult = object({
  format: oneOf(EDGE_FORMATS, 'Format of the result.'),
  status: key(QueryStatus),
  tables: whole(optional(list(Table))),
  datasetNames: list(text(), { description: 'Names of the datasets that the query read.' }),
  fieldsMetaMap: optional(
    dictionary(list(Field), 'Fields with a unit, a description or other settings, by dataset.'),
  ),
  buckets: optional(LegacyBuckets),
  matches: optional(list(LegacyMatch)),
  request: optional(LegacyRequest),
});

/** A result with all members that a service must send. */
export const TabularResult = object({
  ...QueryResult.properties,
  format: oneOf(['tabular']),
  tables: key(list(Table)),
});
