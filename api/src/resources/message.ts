// Notices in query results and ingest responses. Not in the spec.
import { integer, object, oneOf, optional, type Static, text } from '../schema.ts';

export const MESSAGE_PRIORITIES = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** A notice about a query's result. Newer documentation calls the text `message` instead of `msg`. */
export const Message = object({
  priority: oneOf(MESSAGE_PRIORITIES),
  code: text('What kind of notice it is.'),
  count: optional(integer('How often it was given.', { minimum: 0 })),
  msg: optional(text('What it says; compiler warnings start with line and column.')),
  message: optional(text('What it says, under its newer name.')),
});
export type Message = Static<typeof Message>;
