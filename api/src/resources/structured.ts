// The structured query: an older form of query, as data instead of text. Public and not in the spec, which only names
// its echo. Clients in several languages send null for absent members, or omit them.
import { STRUCTURED_LIMIT_MAX } from '../limits.ts';
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

/** One filter of a tree. Its children are filters too, which are checked one by one. */
export const StructuredFilter = object({
  op: optional(text('What it asks; nothing if empty.')),
  field: optional(text('The field it looks at.')),
  value: optional(anything('What the field is compared with.')),
  caseSensitive: optional(flag('Whether upper and lower case differ.')),
  children: optional(cells('The filters that and, or and not join.')),
});
export type StructuredFilter = Static<typeof StructuredFilter>;

export const StructuredAggregation = object({
  op: text('The aggregate function.'),
  field: optional(text('The field it aggregates; * for events.')),
  argument: optional(anything('A number, a list or an expression, by function.')),
  alias: optional(text('The name of the result; the function in capitals if absent.')),
});
export type StructuredAggregation = Static<typeof StructuredAggregation>;

/** The body of a structured query. */
export const StructuredQuery = object({
  startTime: optional(queryTime('The start of the time range.')),
  endTime: optional(queryTime('The end of the time range.')),
  resolution: optional(text('The length of a part of the series: auto, or a duration.')),
  aggregations: optional(list(StructuredAggregation)),
  groupBy: optional(list(text())),
  filter: optional(StructuredFilter),
  order: optional(list(OrderItem)),
  limit: optional(
    integer('Events or groups at most; 1,000 if 0.', { minimum: 0, maximum: STRUCTURED_LIMIT_MAX }),
  ),
  virtualFields: optional(
    list(object({ alias: text('Its name.'), expr: text('An expression of APL.') })),
  ),
  project: optional(list(object({ field: text(), alias: optional(text()) }))),
  cursor: optional(text('Where the previous page ended.')),
  includeCursor: optional(flag('Whether the row at the cursor belongs to the page.')),
  continuationToken: optional(text('Ignored: no result is partial.')),
  queryOptions: optional(QueryOptions),
});
export type StructuredQuery = Static<typeof StructuredQuery>;

/** Parameters of a structured query. */
export const StructuredQueryParameters = object({
  nocache: optional(flag('Whether stored results are passed over.')),
  saveAsKind: optional(text('Under which kind the query is kept: analytics or stream.')),
  'streaming-duration': optional(text('How long to wait for events, as a duration such as 5s.')),
});
export type StructuredQueryParameters = Static<typeof StructuredQueryParameters>;

/** The result of a structured query. */
export const StructuredResult = object({
  format: oneOf(['legacy']),
  status: QueryStatus,
  matches: list(LegacyMatch),
  buckets: LegacyBuckets,
  fieldsMeta: list(Field, { description: 'The fields that carry a unit or a description.' }),
});
export type StructuredResult = Static<typeof StructuredResult>;
