// The older shape of query results, and the structured query that it echoes. The spec only names the members; their
// shapes are public.
import {
  anyObject,
  anything,
  cells,
  flag,
  integer,
  list,
  object,
  optional,
  type Static,
  text,
  timestamp,
} from '../schema.ts';
import { OrderItem } from './query.ts';

/** One matching event. */
export const LegacyMatch = object({
  _time: timestamp('When it happened.'),
  _sysTime: timestamp('When it was stored.'),
  _rowId: text('The identifier of the row.'),
  data: anyObject('Its fields.'),
});
export type LegacyMatch = Static<typeof LegacyMatch>;

/** One aggregate's value in a group. */
export const LegacyAggregation = object({
  op: text('Its alias or function.'),
  value: anything('Its value.'),
  data: optional(anything('More of its value.')),
});
export type LegacyAggregation = Static<typeof LegacyAggregation>;

/** One group of a summary. Its `id` is an unsigned 64-bit number. */
export const LegacyGroup = object({
  id: integer('A number that tells groups apart.', { minimum: 0 }),
  group: anyObject('The values grouped by.'),
  aggregations: optional(list(LegacyAggregation)),
});
export type LegacyGroup = Static<typeof LegacyGroup>;

/** The groups in one interval of the time range. */
export const LegacyInterval = object({
  startTime: timestamp('The start of the part.'),
  endTime: timestamp('The end of the part.'),
  groups: optional(list(LegacyGroup)),
});
export type LegacyInterval = Static<typeof LegacyInterval>;

/** A summary, over time and in total. */
export const LegacyBuckets = object({
  series: optional(list(LegacyInterval)),
  totals: optional(list(LegacyGroup)),
});
export type LegacyBuckets = Static<typeof LegacyBuckets>;

/** The structured query that an APL query was compiled to. Filters nest, so their children are not checked. */
export const LegacyRequest = object({
  startTime: optional(text()),
  endTime: optional(text()),
  resolution: optional(text('auto, or a duration.')),
  aggregations: optional(
    list(
      object({
        op: text(),
        field: optional(text()),
        argument: optional(anything()),
        alias: optional(text()),
      }),
    ),
  ),
  groupBy: optional(list(text())),
  filter: optional(
    object({
      op: text(),
      field: optional(text()),
      value: optional(anything()),
      caseSensitive: optional(flag()),
      children: optional(cells()),
    }),
  ),
  order: optional(list(OrderItem)),
  limit: optional(integer(undefined, { minimum: 0 })),
  virtualFields: optional(list(object({ alias: text(), expr: text() }))),
  project: optional(list(object({ field: text(), alias: optional(text()) }))),
  cursor: optional(text()),
  includeCursor: optional(flag()),
  continuationToken: optional(text()),
  fieldsMeta: optional(anything()),
});
export type LegacyRequest = Static<typeof LegacyRequest>;
