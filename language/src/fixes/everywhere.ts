/** The problems that may be mended all at once without a look at each: what was meant leaves no doubt. */
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
