// Responses in other services' formats, for OpenTelemetry exporters and Elasticsearch clients.
import { flag, integer, key, list, object, optional, type Static, text } from '../schema.ts';
import { ApiError } from './error.ts';

const rejected = (what: string) =>
  optional(text(`Number of ${what} that were not stored, a 64-bit integer in decimal digits.`));

/** Response to an OpenTelemetry exporter, which is empty if everything was stored. */
export const OtlpResponse = object({
  partialSuccess: optional(
    object({
      rejectedSpans: rejected('spans'),
      rejectedLogRecords: rejected('log records'),
      errorMessage: optional(text('Reason why they were not stored.')),
    }),
  ),
});
export type OtlpResponse = Static<typeof OtlpResponse>;

const BulkReason = object({
  type: text('Type of the error.'),
  reason: text('Description of the error.'),
});

const BulkResult = object({
  _index: text('Index of the action. Default: the dataset.'),
  _id: text('Identifier of the document. Generated unless the action has one.'),
  _version: optional(integer('Version of the document. It never changes.')),
  result: optional(text('Result of the action, for example created.')),
  status: integer('HTTP status of the action.'),
  error: optional(BulkReason),
});

/** The result of one action, in a member with the action's name. */
export const BulkItem = object({
  index: optional(BulkResult),
  create: optional(BulkResult),
  update: optional(BulkResult),
  delete: optional(BulkResult),
});
export type BulkItem = Static<typeof BulkItem>;

export const BulkResponse = object({
  took: integer('Duration of the request in milliseconds.', { minimum: 0 }),
  errors: key(flag('Whether an action failed.')),
  items: list(BulkItem, { description: 'Result of each action, in the order of the request.' }),
});

/** Has the members of an API error, and those that Elasticsearch clients read. */
export const BulkError = object({
  code: ApiError.properties.code,
  message: ApiError.properties.message,
  error: optional(object({ ...BulkReason.properties, root_cause: optional(list(BulkReason)) })),
  status: optional(integer('HTTP status.')),
});

/** Information about the server. Contains only members that clients check. */
export const BulkServer = object({
  name: text(),
  cluster_name: text(),
  cluster_uuid: text(),
  version: object({
    number: text('Version of Elasticsearch. Clients reject versions that are too old.'),
    build_flavor: text(),
    lucene_version: text(),
    minimum_wire_compatibility_version: text(),
    minimum_index_compatibility_version: text(),
  }),
  tagline: text(),
});
export type BulkServer = Static<typeof BulkServer>;
