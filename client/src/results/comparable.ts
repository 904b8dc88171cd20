// Determines which results can be compared.

import { samePlace } from '../answers/tabPlace.ts';
import type { TabResult } from './resultOf.ts';

/** Returns the other results, latest first: results of the same query, then results with shared columns. */
export function othersToCompare(sides: readonly TabResult[], compared: TabResult): TabResult[] {
  const rank = (side: TabResult) =>
    isOfSameQuery(side, compared) ? 0 : sharedColumns(side, compared) ? 1 : 2;
  return sides
    .filter((side) => side !== compared)
    .sort((a, b) => rank(a) - rank(b) || b.answer.about.askedAt - a.answer.about.askedAt);
}

/** Returns the reason why two results cannot be compared, or undefined if they can. */
export function incomparable(before: TabResult, after: TabResult): string | undefined {
  if (sharedColumns(before, after) > 0) return undefined;
  return `The results '${before.tab.title}' and '${after.tab.title}' have no column in common. Select results of the same query, or of queries with the same columns.`;
}

/** Whether two results are from the same query, even if it was edited between the runs. */
function isOfSameQuery({ tab: a }: TabResult, { tab: b }: TabResult): boolean {
  return samePlace(a.query.place, b.query.place) || a.query.text === b.query.text;
}

function sharedColumns(a: TabResult, b: TabResult): number {
  const names = new Set(a.answer.head.tables[0]?.fields.map(({ name }) => name));
  return (b.answer.head.tables[0]?.fields ?? []).filter(({ name }) => names.has(name)).length;
}
