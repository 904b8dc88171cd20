/** The channel of the outputs of notebooks: that of the results page, and the tab that an output shows. */
import { resultsContract } from '../results/contract.ts';
import type { MenuPlace, PageAction, Screen } from '../results/messages.ts';
import type { TabId } from '../results/tabs.ts';
import { object, text } from '../webview/checks.ts';
import { contract, request } from '../webview/contract.ts';

export const notebookContract = contract<{
  /** The content of an output has changed. */
  changed: { readonly tab: TabId };
  /** Annotations may have changed. */
  marksChanged: null;
  /** A command of a menu that was opened in an output. */
  action: { readonly tab: TabId; readonly action: PageAction; readonly place: MenuPlace };
}>()({
  requests: {
    ...resultsContract.requests,
    /** What to draw; null where the tab is gone. */
    screen: request<Screen | null>()(object({ tab: text(200) })),
  },
  fromPage: resultsContract.fromPage,
});

export type NotebookContract = typeof notebookContract;
