/**
 * The host's side of the outputs of cells: has a page draw the result or the failure of a query, and hands windows
 * of rows to it. Each query of a cell has a tab, which no strip shows, so that what a person does in a table or a
 * chart finds its query. Free of vscode.
 */
import { AttachedPages } from '../results/host/attachedPages.ts';
import { HeldTables } from '../results/host/heldTables.ts';
import { pageEvents } from '../results/host/pageEvents.ts';
import type { ResultsHostParts } from '../results/host/parts.ts';
import { rowRequests } from '../results/host/rowRequests.ts';
import { Screens } from '../results/host/screens.ts';
import type { MenuPlace, PageAction } from '../results/messages.ts';
import type { HeldAnswer, StoreEvent } from '../results/store/heldAnswer.ts';
import { answerIn, type ResultTab, type TabId } from '../results/tabs.ts';
import type { Pipe } from '../webview/hostChannel.ts';
import { type NotebookContract, notebookContract } from './contract.ts';

export class OutputHost {
  readonly #parts: ResultsHostParts;
  readonly #tables: HeldTables;
  readonly #screens: Screens;
  readonly #pages: AttachedPages<NotebookContract>;
  readonly #subscriptions: { dispose(): void }[];
  /** By tab, the state of its rows in the last screen; a page draws again when it changes. */
  readonly #shown = new Map<TabId, string>();

  constructor(parts: ResultsHostParts) {
    this.#parts = parts;
    this.#tables = new HeldTables(parts);
    this.#screens = new Screens(parts, this.#tables);
    this.#pages = new AttachedPages(notebookContract, parts);
    this.#subscriptions = [
      parts.tabs.onDidChange((change) => {
        this.#tables.tabsChanged(change);
        for (const id of change.closed) this.#shown.delete(id);
      }),
      parts.answers.onDidChange((event) => this.#storeChanged(event)),
      ...(parts.charts
        ? [
            parts.charts.onDidChange(() => {
              this.refresh();
              this.#pages.send('marksChanged', null);
            }),
          ]
        : []),
    ];
  }

  /** Answers a page until it is disposed of. */
  attach(pipe: Pipe): { dispose(): void } {
    return this.#pages.attach(pipe, {
      requests: {
        ...rowRequests(this.#parts, this.#tables, () => this.refresh()),
        screen: ({ tab: id }) => {
          const tab = this.#parts.tabs.tab(id);
          if (tab === undefined) return null;
          this.#shown.set(id, shownText(this.#answerOf(tab)));
          return this.#screens.screen(tab);
        },
      },
      events: { ...pageEvents(this.#parts, this.#tables), ready: () => undefined },
    });
  }

  /** Has the page do what a command of a menu means, in the output of a tab. */
  act(tab: TabId, action: PageAction, place: MenuPlace): void {
    this.#pages.send('action', { tab, action, place });
  }

  /** Has everything drawn again, since a setting has changed. */
  refresh(): void {
    this.#tables.drawnOtherwise();
    for (const tab of this.#shown.keys()) this.#pages.send('changed', { tab });
  }

  dispose(): void {
    for (const { dispose } of this.#subscriptions) dispose();
    this.#pages.dispose();
  }

  #storeChanged(event: StoreEvent): void {
    if (event.type === 'crashed') {
      this.#tables.clear();
      return this.refresh();
    }
    if (event.type === 'erased') return;
    const id = event.type === 'removed' ? event.id : event.answer.id;
    const tab = this.#tables.tabOf(id);
    const shown = tab && this.#shown.get(tab.id);
    // The arrangement of an answer changes it too, and the page has drawn that itself.
    if (tab === undefined || shown === undefined) return;
    if (shownText(this.#answerOf(tab)) === shown || this.#tables.allRows.isLoading(id)) return;
    this.#tables.rowsChanged(id);
    this.#pages.send('changed', { tab: tab.id });
  }

  #answerOf({ state }: ResultTab): HeldAnswer | undefined {
    const answer = answerIn(state);
    return answer === undefined ? undefined : this.#parts.answers.get(answer);
  }
}

function shownText(held: HeldAnswer | undefined): string {
  if (held === undefined) return '';
  return `${held.state} ${held.head.tables.map(({ rowCount }) => rowCount)}`;
}
