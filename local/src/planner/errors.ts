/** Why a query cannot be planned: a code, the place in the query's text, and a sentence with a way out. */
import type { Span } from '../../../language/src/index.ts';

/** What each code says; the pages of documentation list the same codes. */
export const planErrors = {
  'unsupported-operator': 'A tabular operator, or a form of it, that this deployment cannot run.',
  'unsupported-function': 'A function or aggregate that this deployment cannot run.',
  'unsupported-expression': 'An expression that cannot stand where it stands.',
  'unknown-dataset': 'A dataset that does not exist.',
  'broken-view': 'A view whose own query cannot be run.',
  'unknown-column': 'A column that does not exist at this stage.',
  'not-one-query': 'A request runs exactly one query.',
  'invalid-argument': 'A constant argument outside what the function or operator takes.',
  'invalid-query': 'The query has an error that the language finds without data.',
} as const;

export type PlanErrorCode = keyof typeof planErrors;

/** Thrown by the planner; `start` and `end` are offsets in the query's text. */
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
