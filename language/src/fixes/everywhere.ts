/** The codes whose fixes are unambiguous, so that they can be applied to an entire file at once. */
import type { ProblemCode } from '../problems.ts';

export const fixableEverywhere: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'curly-quotes',
  'dotted-column',
  'foreign-operator',
  'join-condition-and',
  'name-behind',
  'quote-name',
  'single-equals',
]);
