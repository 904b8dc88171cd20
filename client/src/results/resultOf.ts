// Finds the result that a tab shows.

import type { HeldAnswer } from '../answers/heldAnswer.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import { answerIn, arrivingIn } from '../answers/slots.ts';
import type { ResultTab } from '../answers/tabs.ts';

export interface TabResult {
  readonly tab: ResultTab;
  readonly answer: HeldAnswer;
}

/** Returns a tab's result; undefined if there is no tab, it has no visible result, or a new one is still arriving. */
export function resultOf(tab: ResultTab | undefined, store: ResultsStore): TabResult | undefined {
  const isArriving = tab && arrivingIn(tab.state) !== undefined;
  const id = isArriving ? undefined : tab && answerIn(tab.state);
  const answer = id === undefined ? undefined : store.get(id);
  return tab && answer && { tab, answer };
}
