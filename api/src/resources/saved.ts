// Things a team keeps beside its data: views, saved queries and virtual fields.
import { QUERY_TEXT_LENGTH_MAX, VIRTUAL_FIELD_LENGTH_MAX } from '../limits.ts';
import {
  anyObject,
  key,
  list,
  object,
  oneOf,
  optional,
  type Static,
  text,
  timestamp,
} from '../schema.ts';
import { DefaultOrder, QueryOptions } from './query.ts';

const view = {
  name: key(text('What the view is called.', { minLength: 1 })),
  aplQuery: text('The APL query the view stands for.', { maxLength: QUERY_TEXT_LENGTH_MAX }),
  datasets: optional(list(text(), { description: 'The datasets the query reads.' })),
  description: optional(text('What the view shows.')),
  sharedByOrg: optional(text('The identifier of the organisation that shared it.')),
  sharedByOrgName: optional(text('The name of the organisation that shared it.')),
};

/**
 * A view as the service holds it. The spec gives it no identifier although paths need one; where
 * `id` is missing the name serves. `id` is not in the spec.
 */
export const View = object({ id: optional(text('The identifier in its path.')), ...view });
export type View = Static<typeof View>;

/** A view as it is made or changed. */
export const ViewWrite = object(view);
export type ViewWrite = Static<typeof ViewWrite>;

const savedQuery = {
  name: key(text('What the query is called.', { minLength: 1 })),
  kind: oneOf(['apl'], 'The language of the query.'),
  query: object({
    apl: text('The query.', { maxLength: QUERY_TEXT_LENGTH_MAX }),
    startTime: optional(text('The start of its time range.')),
    endTime: optional(text('The end of its time range.')),
    defaultOrder: optional(DefaultOrder),
    libraries: optional(list(text())),
    queryOptions: optional(QueryOptions),
  }),
  metadata: optional(anyObject('What the one who saved it wants to remember of it.')),
  who: optional(text('The identifier of the user it belongs to, or team.')),
  dataset: optional(text('The dataset it is about.')),
};

/** A saved query. Not in the spec. */
export const SavedQuery = object({ id: key(text('Its identifier.')), ...savedQuery });
export type SavedQuery = Static<typeof SavedQuery>;

/** A saved query as it is made or changed. Not in the spec. */
export const SavedQueryWrite = object(savedQuery);
export type SavedQueryWrite = Static<typeof SavedQueryWrite>;

/** A query that was kept when it ran, under the id that its answer carried. Not in the spec. */
export const KeptQuery = object({
  id: key(text('Its identifier.')),
  kind: text('The kind it was kept as: apl, analytics or stream.'),
  dataset: text('The dataset it is about; empty where it reads none.'),
  who: text('The identifier of the user who ran it.'),
  created: timestamp('When it ran.'),
  query: key(anyObject('The request, as it was sent.')),
});
export type KeptQuery = Static<typeof KeptQuery>;

const virtualField = {
  dataset: text('The dataset the field belongs to.', { minLength: 1 }),
  name: key(text('The name of the field.', { minLength: 1 })),
  expression: text('The APL expression that gives its value.', {
    minLength: 1,
    maxLength: VIRTUAL_FIELD_LENGTH_MAX,
  }),
  description: optional(text('What the field holds.')),
  type: optional(text('The type of its values.')),
  unit: optional(text('The unit of its values.')),
};

/** A field computed when a query reads it. Not in the spec. */
export const VirtualField = object({ id: key(text('Its identifier.')), ...virtualField });
export type VirtualField = Static<typeof VirtualField>;

/** A virtual field as it is made or changed. Not in the spec. */
export const VirtualFieldWrite = object(virtualField);
export type VirtualFieldWrite = Static<typeof VirtualFieldWrite>;
