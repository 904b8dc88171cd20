// Views, saved queries, kept queries and virtual fields.
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
  name: key(text('Name of the view.', { minLength: 1 })),
  aplQuery: text('APL query of the view.', { maxLength: QUERY_TEXT_LENGTH_MAX }),
  datasets: optional(list(text(), { description: 'Datasets that the query reads.' })),
  description: optional(text('Description of the view.')),
  sharedByOrg: optional(text('Identifier of the organization that shared it.')),
  sharedByOrgName: optional(text('Name of the organization that shared it.')),
};

/** A view. `id` is not in the spec. If it is missing, the name is the identifier. */
export const View = object({ id: optional(text('Identifier of the view.')), ...view });
export type View = Static<typeof View>;

export const ViewWrite = object(view);
export type ViewWrite = Static<typeof ViewWrite>;

const savedQuery = {
  name: key(text('Name of the saved query.', { minLength: 1 })),
  kind: oneOf(['apl'], 'Language of the query.'),
  query: object({
    apl: text('Text of the query.', { maxLength: QUERY_TEXT_LENGTH_MAX }),
    startTime: optional(text('Start of the time range.')),
    endTime: optional(text('End of the time range.')),
    defaultOrder: optional(DefaultOrder),
    libraries: optional(list(text())),
    queryOptions: optional(QueryOptions),
  }),
  metadata: optional(anyObject('Arbitrary metadata.')),
  who: optional(text('Identifier of the user who owns it, or team.')),
  dataset: optional(text('Dataset that the query reads.')),
};

/** A saved query. Not in the spec. */
export const SavedQuery = object({ id: key(text('Identifier of the record.')), ...savedQuery });
export type SavedQuery = Static<typeof SavedQuery>;

/** Body that creates or changes a saved query. Not in the spec. */
export const SavedQueryWrite = object(savedQuery);
export type SavedQueryWrite = Static<typeof SavedQueryWrite>;

/** A query that was kept at the client's request. Not in the spec. */
export const HistoryQuery = object({
  id: key(text('Identifier of the record.')),
  kind: text('Kind of query: apl, analytics or stream.'),
  dataset: text('Dataset that the query reads, or empty.'),
  who: text('Identifier of the user who ran it.'),
  created: timestamp('Time of the run.'),
  query: key(anyObject('The request as it was sent.')),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

const virtualField = {
  dataset: text('Dataset of the field.', { minLength: 1 }),
  name: key(text('Name of the field.', { minLength: 1 })),
  expression: text('APL expression that computes the value.', {
    minLength: 1,
    maxLength: VIRTUAL_FIELD_LENGTH_MAX,
  }),
  description: optional(text('Description of the field.')),
  type: optional(text('Type of the values.')),
  unit: optional(text('Unit of the values.')),
};

/** A field that is computed when a query reads it. Not in the spec. */
export const VirtualField = object({ id: key(text('Identifier of the record.')), ...virtualField });
export type VirtualField = Static<typeof VirtualField>;

/** Body that creates or changes a virtual field. Not in the spec. */
export const VirtualFieldWrite = object(virtualField);
export type VirtualFieldWrite = Static<typeof VirtualFieldWrite>;
