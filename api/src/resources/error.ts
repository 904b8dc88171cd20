// Error bodies. The spec leaves their shape open; these shapes are public.
import { integer, object, optional, type Static, scalar, text } from '../schema.ts';

/**
 * The body of a rejected request. `code` is the HTTP status, as a number or a string. `error` is a machine-readable
 * name of the error, which only some of the service's bodies have.
 */
export const ApiError = object({
  code: scalar('The HTTP status.'),
  message: text('What went wrong, where, and what to do.'),
  error: optional(text('Which error it is, in a word.')),
});
export type ApiError = Static<typeof ApiError>;

const position = { minimum: 0 };

/**
 * The body of a rejected query, with the location of the error in its text. Lines and columns start at 1. The end of
 * the location and the problem's code are additions of the local deployment.
 */
export const QueryError = object({
  ...ApiError.properties,
  detail: optional(
    object({
      message: optional(text('What went wrong there.')),
      line: optional(integer('The line.', position)),
      column: optional(integer('The column.', position)),
      endLine: optional(integer('The line where it ends.', position)),
      endColumn: optional(integer('The column just after its end.', position)),
      code: optional(text('Which problem it is.')),
      errorType: optional(integer('What kind of error it is; its meaning is not public.')),
      compileErrorCode: optional(integer('Which compile error it is; its meaning is not public.')),
    }),
  ),
});
export type QueryError = Static<typeof QueryError>;

/** The body of a rejected dashboard request. */
export const DashboardError = object({
  ...ApiError.properties,
  reason: optional(text('Why, in a word.')),
  uid: optional(text('The dashboard it is about.')),
  currentVersion: optional(integer('The version the service holds.', position)),
});
export type DashboardError = Static<typeof DashboardError>;
