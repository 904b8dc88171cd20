/** What the page is sent to draw: the state of the active tab, with the tables of its answer. */
import { RequestFailed } from '../../webview/hostChannel.ts';
import type { GoneContent, Screen, ViewTable } from '../messages.ts';
import {
  failedContent,
  goneContent,
  productionNotice,
  resultContent,
  viewCancelled,
  viewHint,
  viewRunning,
  viewTable,
} from '../screen.ts';
import type { AnswerTable } from '../store/answer.ts';
import type { HeldAnswer } from '../store/heldAnswer.ts';
import type { AnswerViewState, TableViewState } from '../store/viewState.ts';
import { type ResultTab, settledIn } from '../tabs.ts';
import { visibleLines, visibleText } from '../visibleText.ts';
import type { HeldTables } from './heldTables.ts';
import type { ResultsHostParts } from './parts.ts';

export class Screens {
  readonly #parts: ResultsHostParts;
  readonly #tables: HeldTables;
  /** The answer of the last screen, in words that change when the page must be sent another. */
  #shown = '';

  constructor(parts: ResultsHostParts, tables: HeldTables) {
    this.#parts = parts;
    this.#tables = tables;
  }

  /** Whether the last screen has the rows of an answer as they are; the page has shown what it changed itself. */
  hasShown(held: HeldAnswer, tab: ResultTab): boolean {
    return shownText(held, tab) === this.#shown;
  }

  async screen(tab = this.#parts.tabs.active): Promise<Screen> {
    const zones = { timeZone: this.#parts.timeZone(), localZone: localZone() };
    if (tab === undefined) return { tab: null, title: '', ...zones };
    const { state } = tab;
    const content = await this.#content(tab).catch((error: unknown) => {
      // Another run may have replaced the answer in the meantime; its screen follows.
      if (!(error instanceof RequestFailed))
        this.#parts.onProblem(`The result could not be shown: ${error}`);
      return this.#gone(tab, 'lost');
    });
    return {
      tab: tab.id,
      title: visibleText(tab.title),
      ...(state.kind === 'cancelled' && {
        cancelled: viewCancelled(state, this.#parts.runAgain(tab)),
      }),
      ...(state.kind === 'running' && { running: viewRunning(state) }),
      ...(content && { content }),
      ...zones,
    };
  }

  async #content(tab: ResultTab): Promise<Screen['content']> {
    const settled = settledIn(tab.state);
    if (settled === undefined) return undefined;
    if (settled.kind === 'failed') return failedContent(tab, settled);
    const held = this.#parts.answers.get(settled.answer);
    if (held === undefined) return this.#gone(tab, 'evicted');
    if (held.state !== 'ready') {
      if (held.kept === undefined) return this.#gone(tab, held.state);
      // Another screen follows when the rows are back.
      await this.#parts.answers.restore(held.id);
      return this.#content(tab);
    }
    this.#parts.answers.shown(held.id);
    const view = this.#tables.viewOf(held);
    const tables = await Promise.all(
      held.head.tables.map((table, index) => this.#viewTable(held, table, index, view)),
    );
    this.#shown = shownText(held, tab);
    const hint = settled.hint && viewHint(settled.hint);
    const charts = this.#parts.charts?.state(tab, held);
    const more = this.#tables.hasMore(held);
    const content = resultContent(tab, held, hint, tables, view, more, charts);
    const { deployment } = held.about;
    const { allRows } = this.#tables;
    const stopped = allRows.stopped(held.id);
    const loaded = {
      ...content,
      ...(allRows.isLoading(held.id) && { loadsAll: true }),
      ...(stopped !== undefined && { stopped: visibleLines(stopped) }),
    };
    if (this.#parts.isProduction?.(deployment) !== true) return loaded;
    return { ...loaded, notices: [productionNotice(deployment), ...content.notices] };
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
    const zones = { timeZone: this.#parts.timeZone(), localZone: localZone() };
    const state = view.tables[index] as TableViewState;
    const arranged = await this.#tables.arranged(place, table, state);
    const sizes = await this.#tables.sizes(place, table);
    const { aggregated } = held.head;
    const chartsFirst = this.#parts.chartsFirst();
    return viewTable(table, index, { arranged, sizes, aggregated, chartsFirst }, zones);
  }
}

function shownText({ state, head }: HeldAnswer, { title }: ResultTab): string {
  const rows = head.tables.map(({ rowCount, removedRows = 0 }) => [rowCount, removedRows]);
  return `${state} ${rows} ${title}`;
}

/** The time zone of this machine, such as `Europe/Lisbon`. */
function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
