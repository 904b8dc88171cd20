// Notices that travel with results and with ingest responses. Not in the spec.
import { integer, object, oneOf, optional, type Static, text } from '../schema.ts';

export const MESSAGE_PRIORITIES = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Codes of notices known from public sources. Compiler warnings are `apl_…`; the set is open. */
export const MESSAGE_CODES = {
  virtualField: 'virtual_field_finalize_error',
  missingColumn: 'missing_column',
  window: 'license_limit_for_query_warning',
  defaultLimit: 'default_limit_warning',
  /** Of the local deployment alone: `defaultOrder` names a field that the result does not have. */
  defaultOrder: 'default_order_unknown_field',
  /** Of the local deployment alone: a pattern matches a view that cannot be used. */
  view: 'view_left_out',
} as const;

/** A notice about a query's result. Newer documents call the text `message` instead of `msg`. */
export const Message = object({
  priority: oneOf(MESSAGE_PRIORITIES),
  code: text('What kind of notice it is.'),
  count: optional(integer('How often it was given.', { minimum: 0 })),
  msg: optional(text('What it says; compiler warnings start with line and column.')),
  message: optional(text('What it says, under its newer name.')),
});
export type Message = Static<typeof Message>;
