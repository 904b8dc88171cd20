/** The codes of problems with unambiguous fixes, which can be applied to an entire file at once. */
import type { ProblemCode } from '../problems.ts';

export const fixableEverywhere: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'argument-type',
  'curly-quotes',
  'dotted-column',
  'foreign-operator',
  'join-condition-and',
  'name-behind',
  'quote-name',
  'single-equals',
]);
