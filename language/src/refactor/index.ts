/** All refactorings of a query, in menu order. */
import type { QueryAnalysis } from '../analysis.ts';
import type { Span } from '../text.ts';
import { ignoreCase, toBetween } from './comparisons.ts';
import { extractTable } from './extractTable.ts';
import { extractValue } from './extractValue.ts';
import { inlineLet } from './inlineLet.ts';
import { projectForms } from './projectForms.ts';
import { type Offer, placeOf, type Refactoring } from './refactoring.ts';
import { sortAndTake, sortBy } from './sorting.ts';
import { joinWheres, splitWhere } from './whereForms.ts';
import { wrapName } from './wrapName.ts';

export type { Refactoring } from './refactoring.ts';

const offers: readonly Offer[] = [
  extractValue,
  extractTable,
  inlineLet,
  projectForms,
  splitWhere,
  joinWheres,
  ignoreCase,
  toBetween,
  sortBy,
  sortAndTake,
  wrapName,
];

/** Returns the refactorings for a selection or cursor. Returns none for a query with syntax errors. */
export function refactoringsAt(analysis: QueryAnalysis, selected: Span): Refactoring[] {
  if (analysis.tree.problems.length > 0) return [];
  const place = placeOf(analysis, selected);
  return offers.flatMap((offer) => offer(place));
}
