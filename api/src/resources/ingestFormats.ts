// Responses to clients of other services: OpenTelemetry exporters and Elasticsearch clients.
import { flag, integer, key, list, object, optional, type Static, text } from '../schema.ts';
import { ApiError } from './error.ts';

const rejected = (what: string) =>
  optional(text(`How many ${what} were not stored, a 64-bit integer in decimal digits.`));

/** The response to OTLP traces and logs; empty if everything was stored. */
export const OtlpResponse = object({
  partialSuccess: optional(
    object({
      rejectedSpans: rejected('spans'),
      rejectedLogRecords: rejected('log records'),
      errorMessage: optional(text('Why they were not stored.')),
    }),
  ),
});
export type OtlpResponse = Static<typeof OtlpResponse>;

const BulkReason = object({
  type: text('What kind of problem it is.'),
  reason: text('What happened.'),
});

/** The result of one action. */
const BulkResult = object({
  _index: text('The index that the action names; the dataset where it names none.'),
  _id: text('The identifier that the action gives to the document, or a fresh one.'),
  _version: optional(integer('The version of the document, which is never changed.')),
  result: optional(text('What was done with the document.')),
  status: integer('The status of this action.'),
  error: optional(BulkReason),
});

/** The result of one action, in the member with the action's name. */
export const BulkItem = object({
  index: optional(BulkResult),
  create: optional(BulkResult),
  update: optional(BulkResult),
  delete: optional(BulkResult),
});
export type BulkItem = Static<typeof BulkItem>;

export const BulkResponse = object({
  took: integer('Milliseconds that it took.', { minimum: 0 }),
  errors: key(flag('Whether an action failed.')),
  items: list(BulkItem, { description: 'One for each action, in their order.' }),
});
export type BulkResponse = Static<typeof BulkResponse>;

/**
 * The body of a rejected bulk request. It has the members of an API error, and the members that Elasticsearch clients
 * read.
 */
export const BulkError = object({
  code: ApiError.properties.code,
  message: ApiError.properties.message,
  error: optional(object({ ...BulkReason.properties, root_cause: optional(list(BulkReason)) })),
  status: optional(integer('The HTTP status.')),
});
export type BulkError = Static<typeof BulkError>;

/** The description of an Elasticsearch server, with the members that clients check. */
export const BulkServer = object({
  name: text(),
  cluster_name: text(),
  cluster_uuid: text(),
  version: object({
    number: text('Clients refuse to send to a version that is too old.'),
    build_flavor: text(),
    lucene_version: text(),
    minimum_wire_compatibility_version: text(),
    minimum_index_compatibility_version: text(),
  }),
  tagline: text(),
});
export type BulkServer = Static<typeof BulkServer>;
