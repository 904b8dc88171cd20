/** The channel of the outputs of notebooks: that of the results page, and the answer that an output shows. */
import { resultsContract } from '../results/contract.ts';
import type { Screen } from '../results/messages.ts';
import { object, text } from '../webview/checks.ts';
import { contract, request } from '../webview/contract.ts';

export const notebookContract = contract<{
  /** The rows of an answer are others, are drawn otherwise, or are gone. */
  changed: { readonly answer: string };
  /** Annotations may be others. */
  marksChanged: null;
}>()({
  requests: {
    ...resultsContract.requests,
    /** What to draw; null where the answer is gone. */
    screen: request<Screen | null>()(object({ answer: text(200) })),
  },
  fromPage: resultsContract.fromPage,
});

export type NotebookContract = typeof notebookContract;
