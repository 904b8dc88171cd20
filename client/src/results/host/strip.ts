/** The results page's tab strip, the active tab's follow state, and the parameter form. */

import type { TabsChange } from '../../answers/tabs.ts';
import { Disposables } from '../../host/disposables.ts';
import type { AttachedPages } from '../../webview/attachedPages.ts';
import type { MenuPlace, PageAction } from '../pageContent.ts';
import type { ResultsContract } from '../resultsContract.ts';
import { tabDeployment, tabStrip } from '../screen.ts';
import type { AnswersHostParts, StripParts } from './parts.ts';

export class Strip extends Disposables {
  readonly #parts: AnswersHostParts;
  readonly #strip: StripParts;
  readonly #pages: AttachedPages<ResultsContract>;

  constructor(parts: AnswersHostParts, strip: StripParts, pages: AttachedPages<ResultsContract>) {
    super();
    this.#parts = parts;
    this.#strip = strip;
    this.#pages = pages;
    this.own(
      strip.follow?.onDidChange((tab) => {
        if (tab === strip.tabs.active?.id) this.#sendFollow();
      }),
      strip.parameterForms?.onDidChange((form) => pages.send('parameterForm', form)),
    );
  }

  draw(): void {
    this.#sendTabs();
    this.#sendFollow();
    this.#pages.send('parameterForm', this.#strip.parameterForms?.form ?? null);
  }

  /** Sends the tabs. A newly activated tab needs no event, because the page requests its screen. */
  tabsChanged({ changed, activated }: TabsChange): void {
    const { active } = this.#strip.tabs;
    this.#sendTabs();
    if (activated) this.#sendFollow();
    else if (active && changed.includes(active.id)) this.#pages.send('changed', { tab: active.id });
  }

  /** Performs an action on tabs. Returns false for an action that the page itself performs. */
  act(action: PageAction, place: MenuPlace): boolean {
    const { tabs } = this.#strip;
    const tab = place.tab ?? tabs.active?.id;
    if (tab === undefined) return true;
    const closeUnpinned = (kept?: string) => {
      for (const { id, pinned } of [...tabs.tabs]) if (id !== kept && !pinned) tabs.close(id);
    };
    if (action === 'pinTab') tabs.pin(tab, true);
    else if (action === 'unpinTab') tabs.pin(tab, false);
    else if (action === 'closeTab') tabs.close(tab);
    else if (action === 'closeOtherTabs') closeUnpinned(tab);
    else if (action === 'closeAllTabs') closeUnpinned();
    else return false;
    return true;
  }

  left(): void {
    if (this.#pages.isEmpty) this.#strip.parameterForms?.cancel();
    this.#strip.focused(false);
  }

  #sendTabs(): void {
    const { store, isProduction } = this.#parts;
    const strip = tabStrip(this.#strip.tabs, (tab) => {
      const deployment = tabDeployment(tab, (id) => store.get(id));
      return deployment !== undefined && isProduction?.(deployment) === true;
    });
    this.#pages.send('tabs', strip);
  }

  #sendFollow(): void {
    const { follow, tabs } = this.#strip;
    const view = tabs.active && follow?.view(tabs.active.id);
    this.#pages.send('follow', view ?? null);
  }
}
