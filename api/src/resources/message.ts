// Notices in query results. Not in the spec.
import { integer, object, oneOf, optional, type Static, text } from '../schema.ts';

export const MESSAGE_PRIORITIES = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** A notice. Newer documentation names the member `message` instead of `msg`. */
export const Message = object({
  priority: oneOf(MESSAGE_PRIORITIES),
  code: text('Code of the notice.'),
  count: optional(integer('Number of occurrences.', { minimum: 0 })),
  msg: optional(text('Text of the notice. Compiler warnings start with line and column.')),
  message: optional(text('Text of the notice, under the newer name.')),
});
export type Message = Static<typeof Message>;
