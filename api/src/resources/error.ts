// Bodies of error responses. Their structure is from public sources, because the spec doesn't define it.
import { integer, object, optional, scalar, text } from '../schema.ts';

/**
 * Body of an error response. `code` is the HTTP status, as a number or a string. `error` is a machine-readable name,
 * which only some responses have.
 */
export const ApiError = object({
  code: scalar('HTTP status.'),
  message: text('Description of the error and how to fix it.'),
  error: optional(text('Name of the error.')),
});

const position = { minimum: 0 };

/** Lines and columns start at 1. Only the local deployment returns the end of the location and the problem's code. */
export const QueryError = object({
  ...ApiError.properties,
  detail: optional(
    object({
      message: optional(text('Description of the error at this location.')),
      line: optional(integer('Line of the start.', position)),
      column: optional(integer('Column of the start.', position)),
      endLine: optional(integer('Line of the end.', position)),
      endColumn: optional(integer('Column of the end, exclusive.', position)),
      code: optional(text('Code of the diagnostic.')),
      errorType: optional(integer('Number of the error type. The numbers are not public.')),
      compileErrorCode: optional(
        integer('Number of the compile error. The numbers are not public.'),
      ),
    }),
  ),
});

export const DashboardError = object({
  ...ApiError.properties,
  reason: optional(text('Name of the reason.')),
  uid: optional(text('Identifier of the dashboard.')),
  currentVersion: optional(integer('Stored version of the dashboard.', position)),
});
