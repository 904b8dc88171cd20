// The structured query: an older, publicly documented kind of query in JSON instead of APL. The spec only lists the
// names of its members. Clients may send null for absent members. The maximum `limit` is from the v1 API description.
import {
  anything,
  cells,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  queryTime,
  type Static,
  text,
} from '../schema.ts';
import { Field } from './dataset.ts';
import { LegacyBuckets, LegacyMatch } from './legacy.ts';
import { OrderItem, QueryOptions } from './query.ts';
import { QueryStatus } from './result.ts';

/** Child filters are validated separately. */
export const StructuredFilter = object({
  op: optional(text('Operator of the filter. An empty string matches all events.')),
  field: optional(text('Field to compare.')),
  value: optional(anything('Value to compare with.')),
  caseSensitive: optional(flag('Compare strings case-sensitively.')),
  children: optional(cells('Operands of and, or and not.')),
});
export type StructuredFilter = Static<typeof StructuredFilter>;

export const StructuredAggregation = object({
  op: text('Name of the aggregate function.'),
  field: optional(text('Field to aggregate, or * for events.')),
  argument: optional(anything('Number, list or expression, depending on the function.')),
  alias: optional(text('Name of the result. Default: the function name in capitals.')),
});
export type StructuredAggregation = Static<typeof StructuredAggregation>;

export const StructuredQuery = object({
  startTime: optional(queryTime('Start of the time range.')),
  endTime: optional(queryTime('End of the time range.')),
  resolution: optional(text('Length of an interval: auto or a duration.')),
  aggregations: optional(list(StructuredAggregation)),
  groupBy: optional(list(text())),
  filter: optional(StructuredFilter),
  order: optional(list(OrderItem)),
  limit: optional(
    integer('Maximum number of events or groups. 0 means 1,000.', { minimum: 0, maximum: 50_000 }),
  ),
  virtualFields: optional(
    list(object({ alias: text('Name of the field.'), expr: text('APL expression.') })),
  ),
  project: optional(list(object({ field: text(), alias: optional(text()) }))),
  cursor: optional(text('Cursor at the end of the previous page.')),
  includeCursor: optional(flag('Include the row at the cursor.')),
  continuationToken: optional(text('Ignored, because no result is partial.')),
  queryOptions: optional(QueryOptions),
});
export type StructuredQuery = Static<typeof StructuredQuery>;

export const StructuredQueryParameters = object({
  nocache: optional(flag('Ignore cached results.')),
  saveAsKind: optional(text('Save the query to the history as this kind: analytics or stream.')),
  'streaming-duration': optional(text('Maximum time to wait for events, such as 5s.')),
});

export const StructuredResult = object({
  format: oneOf(['legacy']),
  status: QueryStatus,
  matches: list(LegacyMatch),
  buckets: LegacyBuckets,
  fieldsMeta: list(Field, { description: 'Fields with a unit or a description.' }),
});
