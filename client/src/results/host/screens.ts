/** Creates the screens that pages draw: a tab's state with the tables of its answer. */

import type { AnswerTable } from '../../../../table/src/answer.ts';
import type { AnswerViewState, TableViewState } from '../../../../table/src/viewState.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import { arrivingIn, settledIn } from '../../answers/slots.ts';
import type { ResultTab, ResultTabState, TabId } from '../../answers/tabs.ts';
import { RequestFailed } from '../../webview/hostChannel.ts';
import type { GoneContent, ResultContent, Screen, ViewTable } from '../pageContent.ts';
import {
  failedContent,
  goneContent,
  productionNotice,
  resultContent,
  viewCancelled,
  viewRunning,
  viewTable,
} from '../screen.ts';
import type { HeldTables } from './heldTables.ts';
import type { AnswersHostParts } from './parts.ts';

export class Screens {
  readonly #parts: AnswersHostParts;
  readonly #tables: HeldTables;
  /** The answer of each tab's last screen, and the state of its rows. */
  readonly #shown = new Map<TabId, { readonly answer: AnswerId; readonly rows: string }>();

  constructor(parts: AnswersHostParts, tables: HeldTables) {
    this.#parts = parts;
    this.#tables = tables;
  }

  /** Whether an answer's rows or its tab's title have changed since the tab's last screen. */
  isStale(tab: ResultTab, answer: AnswerId): boolean {
    const shown = this.#shown.get(tab.id);
    return shown?.answer === answer && shown.rows !== this.#rowsText(tab, answer);
  }

  forget(tabs: readonly TabId[]): void {
    for (const tab of tabs) this.#shown.delete(tab);
  }

  async screen(tab: ResultTab): Promise<Screen> {
    const { state } = tab;
    const arriving = this.#arriving(tab);
    const content = await this.#content(tab).catch((error: unknown) => {
      // Don't report this error: another run may have replaced the answer, and a screen for its answer follows.
      if (!(error instanceof RequestFailed))
        this.#parts.onProblem(`The result could not be shown: ${error}`);
      return this.#gone(tab, 'lost');
    });
    return {
      tab: tab.id,
      title: tab.title,
      ...(state.kind === 'cancelled' && {
        cancelled: viewCancelled(state, this.#parts.runAgain(tab)),
      }),
      ...(state.kind === 'running' && { running: viewRunning(state, arriving) }),
      ...(content && { content }),
      ...this.#zones(),
    };
  }

  /**
   * Returns the arriving answer whose first rows are shown. The previous result stays if the rows begin sorted, filtered
   * or in a chart, because that requires all rows.
   */
  #arriving({ id: tab, state }: ResultTab): HeldAnswer | undefined {
    const id = arrivingIn(state);
    const held = id === undefined ? undefined : this.#parts.store.get(id);
    if (held && this.#shown.get(tab)?.answer === held.id) return held;
    const isPlain = ({ order, filters, shown }: TableViewState) =>
      order.length === 0 && filters.length === 0 && shown !== 'chart';
    return held && this.#tables.viewOf(held).tables.every(isPlain) ? held : undefined;
  }

  async #content(tab: ResultTab): Promise<Screen['content']> {
    const arriving = this.#arriving(tab);
    if (arriving) return this.#result(tab, { kind: 'result', answer: arriving.id }, arriving);
    const settled = settledIn(tab.state);
    if (settled === undefined) return undefined;
    if (settled.kind === 'failed') return failedContent(tab, settled);
    const held = this.#parts.store.get(settled.answer);
    if (held?.state === 'ready') return this.#result(tab, settled, held);
    if (held?.kept === undefined) {
      this.#drawn(tab, settled.answer);
      return this.#gone(tab, held?.state ?? 'evicted');
    }
    await this.#parts.store.restore(held.id);
    return this.#content(tab);
  }

  #drawn(tab: ResultTab, answer: AnswerId): void {
    this.#shown.set(tab.id, { answer, rows: this.#rowsText(tab, answer) });
  }

  async #result(
    tab: ResultTab,
    { hint }: ResultTabState,
    held: HeldAnswer,
  ): Promise<ResultContent> {
    this.#drawn(tab, held.id);
    this.#parts.store.shown(held.id);
    const arrangement = this.#tables.viewOf(held);
    const tables = await Promise.all(
      held.head.tables.map((table, index) => this.#viewTable(held, table, index, arrangement)),
    );
    // Read the view state again, because arranging may have removed filters.
    const view = this.#parts.store.get(held.id)?.viewState ?? arrangement;
    const { allRows } = this.#tables;
    const content = resultContent(tab, held, {
      hint,
      tables,
      view,
      more: this.#tables.hasMore(held),
      charts: this.#parts.charts?.state(tab, held),
      stopped: allRows.stopped(held.id),
      ...(allRows.isLoading(held.id) && { loadsAll: true }),
    });
    const { deployment } = held.about;
    if (this.#parts.isProduction?.(deployment) !== true) return content;
    return { ...content, notices: [productionNotice(deployment), ...content.notices] };
  }

  #rowsText({ title }: ResultTab, answer: AnswerId): string {
    const held = this.#parts.store.get(answer);
    const rows = held?.head.tables.map(({ rowCount, removedRows = 0 }) => [rowCount, removedRows]);
    return `${held?.state} ${rows} ${title}`;
  }

  #gone(tab: ResultTab, state: HeldAnswer['state']): GoneContent {
    return goneContent(tab, state, this.#parts.runAgain(tab));
  }

  async #viewTable(
    held: HeldAnswer,
    table: AnswerTable,
    index: number,
    view: AnswerViewState,
  ): Promise<ViewTable> {
    const place = { answer: held.id, table: index };
    const state = view.tables[index] as TableViewState;
    const sizes = await this.#tables.sizes(place, table);
    // Count the rows last, because the page may have filtered them while the worker measured the columns.
    const arranged = await this.#tables.arranged(place, table, state);
    const { aggregated } = held.head;
    const chartsFirst = this.#parts.chartsFirst?.() ?? true;
    return viewTable(table, index, { arranged, sizes, aggregated, chartsFirst }, this.#zones());
  }

  /** The local time zone has an IANA name, such as `Europe/Lisbon`. */
  #zones(): Pick<Screen, 'timeZone' | 'localZone'> {
    const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    return { timeZone: this.#parts.timeZone(), localZone };
  }
}
