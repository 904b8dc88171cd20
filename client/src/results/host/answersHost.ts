/**
 * Hosts the pages that show answers: results, notebook outputs, dashboards and monitors. A page requests the screen of
 * each tab that it shows, and requests it again after the tab has changed. The host stores the arrangement of each
 * answer, so that a hidden page can be discarded. Does not depend on vscode.
 */

import type { StoreEvent } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import { Disposables } from '../../host/disposables.ts';
import { AttachedPages } from '../../webview/attachedPages.ts';
import type { Pipe } from '../../webview/hostChannel.ts';
import type { MenuPlace, PageAction } from '../pageContent.ts';
import { type ResultsContract, resultsContract } from '../resultsContract.ts';
import { HeldTables } from './heldTables.ts';
import { pageEvents } from './pageEvents.ts';
import type { AnswersHostParts } from './parts.ts';
import { rowRequests } from './rowRequests.ts';
import { Screens } from './screens.ts';
import { Strip } from './strip.ts';

const openingMs = 5_000;

export class AnswersHost extends Disposables {
  readonly #parts: AnswersHostParts;
  readonly #tables: HeldTables;
  readonly #screens: Screens;
  readonly #pages: AttachedPages<ResultsContract>;
  /** The results page's tab strip; undefined if the page has no strip. */
  readonly #strip: Strip | undefined;
  /** Runs page actions one after another. */
  #acting: Promise<void> = Promise.resolve();

  constructor(parts: AnswersHostParts) {
    super();
    this.#parts = parts;
    this.#tables = new HeldTables(parts);
    this.#screens = new Screens(parts, this.#tables);
    this.#pages = new AttachedPages({
      contract: resultsContract,
      onFailure: ({ message }) => parts.effects.inform(message),
      onProblem: parts.onProblem,
    });
    this.#strip = parts.strip && new Strip(parts, parts.strip, this.#pages);
    this.own(
      parts.tabs.onDidChange((change) => {
        this.#tables.tabsChanged(change);
        this.#screens.forget(change.closed);
        if (this.#strip) return this.#strip.tabsChanged(change);
        for (const tab of change.changed) this.#pages.send('changed', { tab });
      }),
      parts.store.onDidChange((event) => this.#storeChanged(event)),
      parts.charts?.onDidChange(() => {
        this.#pages.send('marksChanged', null);
        this.#pages.send('changed', { tab: null });
      }),
      this.#strip,
      this.#pages,
    );
  }

  /** Handles a page's messages until the result is disposed of. */
  attach(pipe: Pipe): { dispose(): void } {
    const attached = this.#pages.attach(pipe, {
      requests: {
        ...rowRequests(this.#parts, this.#tables, (answer) => this.#answerChanged(answer)),
        screen: ({ tab: id }) => {
          const tab = this.#parts.tabs.tab(id);
          return tab ? this.#screens.screen(tab) : null;
        },
      },
      events: { ...pageEvents(this.#parts, this.#tables), ready: () => this.#ready() },
    });
    return {
      dispose: () => {
        attached.dispose();
        this.#strip?.left();
      },
    };
  }

  /** Performs a command's action at the place where its menu was opened. */
  act(action: PageAction, place: MenuPlace): void {
    if (this.#strip?.act(action, place)) return;
    this.#acting = this.#acting.then(async () => {
      await this.#pages.opened(openingMs);
      this.#pages.send('action', { action, place });
    });
  }

  /** Redraws everything after a setting changed. */
  refresh(): void {
    this.#tables.drawnOtherwise();
    this.#pages.send('changed', { tab: null });
  }

  /** Sends the tabs to the results page. Without a tab strip, the page shows the first slot. */
  #ready(): void {
    if (this.#strip) return this.#strip.draw();
    const active = this.#parts.tabs.tabs[0]?.id ?? null;
    this.#pages.send('tabs', { tabs: [], active });
  }

  #storeChanged(event: StoreEvent): void {
    if (event.type === 'crashed') return this.#tables.clear();
    if (event.type === 'erased') return;
    const id = event.type === 'removed' ? event.id : event.answer.id;
    if (event.type === 'removed') this.#tables.forget(id);
    const tab = this.#tables.tabOf(id);
    // Don't redraw while all rows are loading, or after changes of the arrangement, which the page has already drawn.
    if (tab === undefined || !this.#screens.isStale(tab, id) || this.#tables.allRows.isLoading(id))
      return;
    this.#tables.rowsChanged(id);
    this.#pages.send('changed', { tab: tab.id });
  }

  #answerChanged(answer: AnswerId): void {
    const tab = this.#tables.tabOf(answer);
    if (tab) this.#pages.send('changed', { tab: tab.id });
  }
}
