// Datasets and their fields. Map fields and the field metadata of results are from the spec. The rest is from other
// public sources.
import {
  DATASET_NAME_LENGTH_MAX,
  DATASET_NAME_PATTERN,
  INGEST_NAME_BYTES_MAX,
  MAP_FIELD_NAME_PATTERN,
} from '../limits.ts';
import {
  dictionary,
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

/** Kinds known from public sources. Other kinds may exist. */
export const DATASET_KINDS = [
  'axiom:events:v1',
  'otel:logs:v1',
  'otel:traces:v1',
  'otel:metrics:v1',
] as const;

const settings = {
  description: optional(text('Description of the dataset.')),
  retentionDays: optional(integer('Retention period of the events, in days.', { minimum: 0 })),
  useRetentionPeriod: optional(flag('Apply retentionDays.')),
};

const placement = {
  kind: optional(text('Kind of the dataset.', { examples: DATASET_KINDS })),
  edgeDeployment: optional(text('Identifier of the edge deployment that stores the dataset.')),
};

/** A table of ClickHouse whose rows are the events of a dataset. Only local deployments on ClickHouse have these. */
const source = {
  database: key(text('Database of the table.', { minLength: 1 })),
  table: key(text('Name of the table or view.', { minLength: 1 })),
  time: optional(text('Column with the time of a row. Optional if only one column has times.')),
  hidden: optional(list(text(), { description: 'Columns that the dataset leaves out.' })),
  key: optional(list(text(), { description: 'Columns that, with the time, identify a row.' })),
  units: optional(dictionary(text(), 'Units of the values, by field.')),
};

export const DatasetSource = object(source);
export type DatasetSource = Static<typeof DatasetSource>;

export const Dataset = object({
  id: key(text('Identifier of the dataset. In all public examples, it is the name.')),
  name: key(text('Name of the dataset in queries.')),
  created: timestamp('Time of creation.'),
  updatedAt: optional(timestamp('Time of the last change of the settings.')),
  who: text('Identifier of the user who created it.'),
  canWrite: optional(flag('Whether the token may change the dataset.')),
  ...settings,
  ...placement,
  edgeDeploymentUrl: optional(text('URL of the edge deployment.')),
  mapFields: optional(list(text(), { description: 'Names of the map fields.' })),
  sharedByOrg: optional(text('Identifier of the organization that shared the dataset.')),
  source: optional(
    object({ ...source, file: optional(text('File that declares the dataset, if any.')) }),
  ),
});
export type Dataset = Static<typeof Dataset>;

const datasetName = {
  name: text('Name of the dataset in queries.', {
    minLength: 1,
    maxLength: DATASET_NAME_LENGTH_MAX,
    pattern: DATASET_NAME_PATTERN,
    'x-words': 'consist of letters, digits, -, _ and ., and start and end with a letter or digit',
  }),
};

export const NewDataset = object({
  ...datasetName,
  ...settings,
  ...placement,
  source: optional(DatasetSource),
});
export type NewDataset = Static<typeof NewDataset>;

/** A dataset in a file of declarations, which local deployments on ClickHouse read. */
export const DeclaredDataset = object({
  ...datasetName,
  description: settings.description,
  ...source,
});
export type DeclaredDataset = Static<typeof DeclaredDataset>;

export const DatasetUpdate = object(settings);

const fieldDetails = {
  unit: optional(text('Unit of the values, for example ms or decbytes; may be empty.')),
  hidden: optional(flag('Omit the field from lists of fields.')),
  description: optional(text('Description of the field; may be empty.')),
};

/** A field of a dataset. The type may be empty in a result's `fieldsMetaMap`. */
export const Field = object({
  name: key(text('Name of the field, with dots between the names of nested objects.')),
  type: text('Type of the values. Several types are joined by |.'),
  ...fieldDetails,
});
export type Field = Static<typeof Field>;

export const FieldUpdate = object({
  name: optional(text('Name of the field. It cannot be changed.')),
  type: optional(text('Type of the values. It cannot be changed.')),
  ...fieldDetails,
});

/** An item in the list for all datasets. */
export const DatasetFields = object({
  datasetName: key(text('Name of the dataset.')),
  fields: list(Field),
});

export const DatasetInfo = object({
  name: key(text('Name of the dataset.')),
  created: timestamp('Time of creation.'),
  numEvents: integer('Number of events.', { minimum: 0 }),
  numFields: integer('Number of fields.', { minimum: 0 }),
  numBlocks: integer('Number of blocks in which the events are stored.', { minimum: 0 }),
  inputBytes: integer('Estimated size of the events as JSON, in bytes.', { minimum: 0 }),
  inputBytesHuman: text('inputBytes with a unit.'),
  compressedBytes: integer('Size of the events as stored, in bytes.', { minimum: 0 }),
  compressedBytesHuman: text('compressedBytes with a unit.'),
  minTime: optional(timestamp('Time of the oldest event.')),
  maxTime: optional(timestamp('Time of the newest event.')),
  fields: list(Field),
});

export const TrimOptions = object({
  maxDuration: goDuration('Maximum age of the events to keep.'),
});

export const TrimResult = object({
  numDeleted: integer('Number of deleted events.', { minimum: 0 }),
});

const mapFieldName = {
  minLength: 1,
  maxLength: INGEST_NAME_BYTES_MAX,
  pattern: MAP_FIELD_NAME_PATTERN,
  'x-words': 'consist of names joined by dots, such as labels or attributes.custom',
};

/** A map field is stored as one object instead of one column per leaf. In the spec. */
export const MapField = object({
  name: key(text('Path of the object, with dots between names.', mapFieldName)),
});

export const MapFieldNames = list(text(undefined, mapFieldName));
