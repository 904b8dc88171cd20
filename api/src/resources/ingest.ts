// Events to ingest, and the service's responses to them.
import {
  anyObject,
  integer,
  key,
  list,
  object,
  oneOf,
  optional,
  type Static,
  text,
  timestamp,
} from '../schema.ts';
import { MESSAGE_PRIORITIES } from './message.ts';

export const IngestEvent = anyObject('One event.');

/** No endpoint declares this schema, because an ingest body may also be NDJSON or CSV. */
export const IngestEvents = list(IngestEvent);

/** The spec has the list of failures, but doesn't describe its items. */
export const IngestFailure = object({
  timestamp: timestamp('Time of the event.'),
  error: text('Reason why the event was not stored.'),
});
export type IngestFailure = Static<typeof IngestFailure>;

/** A notice about stored events, for example about dropped fields. Not in the spec. */
export const IngestMessage = object({
  priority: oneOf(MESSAGE_PRIORITIES),
  code: text('Code of the notice.'),
  count: optional(integer('Number of affected events.', { minimum: 0 })),
  msg: optional(text('Text of the notice.')),
});

const count = { minimum: 0 };

export const IngestResponse = object({
  ingested: key(integer('Number of stored events.', count)),
  failed: key(integer('Number of events that were not stored.', count)),
  failures: list(IngestFailure, { description: 'Reasons why events were not stored.' }),
  processedBytes: integer('Size of the decompressed request, in bytes.', count),
  blocksCreated: integer('Number of blocks created to store the events.', count),
  walLength: integer('Length of the write-ahead log.', count),
  messages: optional(list(IngestMessage, { description: 'Not in the spec.' })),
});
export type IngestResponse = Static<typeof IngestResponse>;
