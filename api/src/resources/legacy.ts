// The older format of query results. The spec only names the members. Their structure is from other public sources.
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

export const LegacyMatch = object({
  _time: timestamp('Time of the event.'),
  _sysTime: timestamp('Time when the event was stored.'),
  _rowId: text('Identifier of the row.'),
  data: anyObject('Fields of the event.'),
});

export const LegacyAggregation = object({
  op: text('Alias or function of the aggregation.'),
  value: anything('Value of the aggregation.'),
  data: optional(anything('Additional data of the value.')),
});

/** A group in the older format. `id` is an unsigned 64-bit number. */
export const LegacyGroup = object({
  id: integer('Number that identifies the group.', { minimum: 0 }),
  group: anyObject('Values of the group-by fields.'),
  aggregations: optional(list(LegacyAggregation)),
});

export const LegacyInterval = object({
  startTime: timestamp('Start of the interval.'),
  endTime: timestamp('End of the interval.'),
  groups: optional(list(LegacyGroup)),
});
export type LegacyInterval = Static<typeof LegacyInterval>;

export const LegacyBuckets = object({
  series: optional(list(LegacyInterval)),
  totals: optional(list(LegacyGroup)),
});

/** The structured query that an APL query was compiled to. Nested filters aren't validated. */
export const LegacyRequest = object({
  startTime: optional(text()),
  endTime: optional(text()),
  resolution: optional(text('Length of an interval: auto or a duration.')),
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
