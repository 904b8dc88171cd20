// Datasets and their fields. The spec has only the map field and the field metadata of results; the
// rest is public and not in the spec.
import {
  DATASET_NAME_LENGTH_MAX,
  DATASET_NAME_PATTERN,
  INGEST_NAME_BYTES_MAX,
  MAP_FIELD_NAME_PATTERN,
} from '../limits.ts';
import {
  flag,
  goDuration,
  integer,
  key,
  list,
  object,
  optional,
  type Static,
  text,
  timestamp,
} from '../schema.ts';

/** Kinds of dataset known from public sources; the set is open. */
export const DATASET_KINDS = [
  'axiom:events:v1',
  'otel:logs:v1',
  'otel:traces:v1',
  'otel:metrics:v1',
] as const;

const settings = {
  description: optional(text('What the dataset holds.')),
  retentionDays: optional(integer('Days its events are kept.', { minimum: 0 })),
  useRetentionPeriod: optional(flag('Whether retentionDays applies.')),
};

const placement = {
  kind: optional(text('What its events are.', { examples: DATASET_KINDS })),
  edgeDeployment: optional(text('The edge deployment that stores it.')),
};

/** A dataset as the service stores it. */
export const Dataset = object({
  id: key(text('Its identifier, which is its name in every public example.')),
  name: key(text('Its name in queries.')),
  created: timestamp('When it was made.'),
  updatedAt: optional(timestamp('When its settings were last changed.')),
  who: text('Who made it.'),
  canWrite: optional(flag('Whether the token may change it.')),
  ...settings,
  ...placement,
  edgeDeploymentUrl: optional(text('The address of that edge deployment.')),
  mapFields: optional(list(text(), { description: 'Its map fields.' })),
  sharedByOrg: optional(text('The organisation that shared it.')),
});
export type Dataset = Static<typeof Dataset>;

/** Request body to create a dataset. */
export const NewDataset = object({
  name: text('Its name in queries.', {
    minLength: 1,
    maxLength: DATASET_NAME_LENGTH_MAX,
    pattern: DATASET_NAME_PATTERN,
    'x-words': 'consist of letters, digits, -, _ and ., and start and end with a letter or digit',
  }),
  ...settings,
  ...placement,
});
export type NewDataset = Static<typeof NewDataset>;

/** Request body to change a dataset. */
export const DatasetUpdate = object(settings);
export type DatasetUpdate = Static<typeof DatasetUpdate>;

const fieldDetails = {
  unit: optional(text('Unit of the values, for example ms or decbytes; may be empty.')),
  hidden: optional(flag('Omit the field from lists of fields.')),
  description: optional(text('Description of the field; may be empty.')),
};

/** A field of a dataset. In `fieldsMetaMap` of a result, its type may be empty. */
export const Field = object({
  name: key(text('Its name, dotted where objects nest.')),
  type: text('Its type; several types of one field are joined by |.'),
  ...fieldDetails,
});
export type Field = Static<typeof Field>;

/** Request body to change a field. */
export const FieldUpdate = object({
  name: optional(text('Its name, unchanged.')),
  type: optional(text('Its type, unchanged.')),
  ...fieldDetails,
});
export type FieldUpdate = Static<typeof FieldUpdate>;

/** The fields of one dataset, as an item of the list for all datasets. */
export const DatasetFields = object({
  datasetName: key(text('The name of the dataset.')),
  fields: list(Field),
});
export type DatasetFields = Static<typeof DatasetFields>;

/** Size, time range and fields of a dataset. */
export const DatasetInfo = object({
  name: key(text('The name of the dataset.')),
  created: timestamp('When it was made.'),
  numEvents: integer('Its events.', { minimum: 0 }),
  numFields: integer('Its fields.', { minimum: 0 }),
  numBlocks: integer('The blocks that they are stored in.', { minimum: 0 }),
  inputBytes: integer('The size of the events as JSON, estimated.', { minimum: 0 }),
  inputBytesHuman: text('The same, for people.'),
  compressedBytes: integer('The size of the events as they are stored.', { minimum: 0 }),
  compressedBytesHuman: text('The same, for people.'),
  minTime: optional(timestamp('The time of the oldest event.')),
  maxTime: optional(timestamp('The time of the newest event.')),
  fields: list(Field),
});
export type DatasetInfo = Static<typeof DatasetInfo>;

/** Request body to trim a dataset. */
export const TrimOptions = object({
  maxDuration: goDuration('How old an event may be.'),
});
export type TrimOptions = Static<typeof TrimOptions>;

/** Result of trimming a dataset. */
export const TrimResult = object({ numDeleted: integer('Events deleted.', { minimum: 0 }) });
export type TrimResult = Static<typeof TrimResult>;

const mapFieldName = {
  minLength: 1,
  maxLength: INGEST_NAME_BYTES_MAX,
  pattern: MAP_FIELD_NAME_PATTERN,
  'x-words': 'consist of names joined by dots, such as labels or attributes.custom',
};

/** A field whose value is stored as one object instead of a column per leaf. In the spec. */
export const MapField = object({
  name: key(text('Path of the object, with dots between names.', mapFieldName)),
});
export type MapField = Static<typeof MapField>;

/** The names of a dataset's map fields. */
export const MapFieldNames = list(text(undefined, mapFieldName));
export type MapFieldNames = Static<typeof MapFieldNames>;
