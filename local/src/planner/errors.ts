/** Planning errors: a code, an offset range in the query, and a message. */
import type { Span } from '../../../language/src/index.ts';

/** The documentation lists the same codes. */
export const planErrors = {
  'unsupported-operator':
    'A tabular operator, or a form of it, that this deployment does not support.',
  'unsupported-function': 'A function or aggregate that this deployment does not support.',
  'unsupported-expression': 'An expression that is not allowed in this position.',
  'unknown-dataset': 'A dataset that does not exist.',
  'broken-view': 'A view whose query is not valid.',
  'unknown-column': 'A column that does not exist at this stage.',
  'too-complex': 'A query whose plan is too large or too deeply nested to be run.',
  'not-one-query': 'A request runs exactly one query.',
  'invalid-argument': 'A constant argument that the function or operator does not accept.',
  'invalid-query': 'The query has an error that does not depend on the data.',
} as const;

export type PlanErrorCode = keyof typeof planErrors;

/** A planning error. `start` and `end` are offsets in the query's text. */
export class PlanError extends Error implements Span {
  readonly code: PlanErrorCode;
  readonly start: number;
  readonly end: number;

  constructor(code: PlanErrorCode, span: Span, message: string) {
    super(message);
    this.name = 'PlanError';
    this.code = code;
    this.start = span.start;
    this.end = span.end;
  }
}

export function argumentError(
  { node, args }: { readonly node: Span; readonly args: readonly Span[] },
  i: number,
  message: string,
): PlanError {
  return new PlanError('invalid-argument', args[i] ?? node, message);
}
