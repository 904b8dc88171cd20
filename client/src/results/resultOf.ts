// From a tab of the results to what it shows.

import { answerIn } from './slots.ts';
import type { HeldAnswer } from './store/heldAnswer.ts';
import type { ResultsStore } from './store/resultsStore.ts';
import type { ResultTab } from './tabs.ts';

export interface TabResult {
  readonly tab: ResultTab;
  readonly answer: HeldAnswer;
}

/** Undefined where there is no tab, or it has no result in view. */
export function resultOf(tab: ResultTab | undefined, store: ResultsStore): TabResult | undefined {
  const id = tab && answerIn(tab.state);
  const answer = id === undefined ? undefined : store.get(id);
  return tab && answer && { tab, answer };
}
