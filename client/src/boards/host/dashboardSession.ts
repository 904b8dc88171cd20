/** A dashboard page's charts, and the page's choices, which aren't saved in the dashboard. Does not import vscode. */

import { noMarks } from '../../charts/marks.ts';
import { parseTimeRange } from '../../time/parseTimeRange.ts';
import { rangeLabel, rangeText } from '../../time/timeRange.ts';
import type { BoardView, CardView } from '../boardContent.ts';
import type { KeptBoard } from '../boardsContract.ts';
import { type Board, type Card, readBoard, usesFilter } from '../model/dashboard.ts';
import { BoardAnnotations } from './boardAnnotations.ts';
import { BoardPage, type PageBehavior } from './boardPage.ts';
import type { CardQuestion } from './cards.ts';
import { Filters, type QueriedFilter } from './filters.ts';
import type { PageParts } from './pageParts.ts';

const needs = {
  load: 'access to dashboards',
  query: 'query access to the datasets of the dashboard',
};

export class DashboardSession {
  readonly page: BoardPage;
  readonly #parts: PageParts;
  readonly #filters: Filters;
  #board: Board | undefined;
  #refreshSeconds: number | undefined;
  #againstMinutes: number | undefined;
  #showsAnnotations: boolean;
  readonly #annotations: BoardAnnotations;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isVisible = true;
  /** Whether hiding the page cancelled requests. */
  #interrupted = false;

  constructor(parts: PageParts, kept?: KeptBoard) {
    this.#parts = parts;
    this.#filters = new Filters(kept?.filters);
    const range = kept?.window && parseTimeRange(kept.window, parts.now(), parts.timeZone());
    this.#refreshSeconds = kept?.refreshSeconds;
    this.#againstMinutes = kept?.againstMinutes;
    this.#showsAnnotations = kept?.annotations ?? true;
    const behavior: PageBehavior = {
      view: () => this.#board && this.#viewOf(this.#board),
      show: ({ dashboard }) => this.#show(readBoard(dashboard)),
      kept: () => this.#kept(),
      needs,
      againstMinutes: () => this.#against,
      defaultRange: () => (this.#board ?? readBoard({})).window,
      onRange: () => {
        this.page.draw();
        this.#askAll();
        this.#listAllOptions();
      },
      rangeTitle: 'Time Range of the Dashboard',
      marks: async (answer) => (this.#showsAnnotations ? this.#annotations.of(answer) : noMarks),
      annotated: () => this.#annotations.forget(),
      ask: (card) => this.#askCard(card),
      events: {
        setRefresh: ({ seconds }) => {
          this.#refreshSeconds = seconds;
          this.#startTimer();
          this.page.draw();
        },
        setAgainst: ({ minutes }) => {
          this.#againstMinutes = minutes;
          this.page.draw();
          this.page.compareAll();
        },
        setAnnotations: ({ shown }) => {
          this.#showsAnnotations = shown;
          if (shown) this.#annotations.forget();
          this.page.draw();
          this.page.marksChanged();
        },
        setFilter: ({ filter, value }) => this.#setFilter(filter, value),
        openQuery: ({ card }) => this.#openQuery(card),
        openMonitor: ({ id }) => parts.openMonitor(id),
        openLink: ({ address }) => this.#openLink(address),
      },
    };
    this.page = new BoardPage(parts, behavior, typeof range === 'object' ? range : undefined);
    this.#annotations = new BoardAnnotations({
      queue: this.page.queue,
      list: parts.annotations,
      onProblem: () => this.page.draw(),
    });
  }

  get #interval(): number {
    return this.#refreshSeconds ?? this.#board?.refreshSeconds ?? 0;
  }

  get #against(): number {
    return this.#againstMinutes ?? this.#board?.againstMinutes ?? 0;
  }

  #show(board: Board): void {
    this.#board = board;
    this.#filters.set(board);
    this.page.cards.set(board.cards);
    this.page.draw();
    this.#startTimer();
    this.#askAll();
    this.#listAllOptions();
  }

  /** Pauses requests while the page is hidden. */
  setVisible(isVisible: boolean): void {
    if (this.#isVisible === isVisible) return;
    this.#isVisible = isVisible;
    this.#startTimer();
    if (!isVisible) {
      this.#interrupted = this.page.queue.running + this.page.queue.waiting > 0;
      return this.page.queue.pause();
    }
    this.page.queue.resume();
    const { updatedAt = 0 } = this.page.cards;
    const age = this.#parts.now() - updatedAt;
    const isOld = this.#interval > 0 && age > this.#interval * 1_000;
    if (this.#interrupted || isOld) this.#askAll(isOld ? undefined : 'unanswered');
    if (this.#interrupted) this.#listAllOptions();
    this.#interrupted = false;
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.page.dispose();
  }

  #kept(): KeptBoard {
    const { opened, timeZone } = this.#parts;
    const { chosen } = this.page;
    return {
      ...opened,
      name: this.#board?.name || opened.name,
      filters: this.#filters.chosen,
      ...(chosen && { window: rangeText(chosen, timeZone()) }),
      ...(this.#refreshSeconds !== undefined && { refreshSeconds: this.#refreshSeconds }),
      ...(this.#againstMinutes !== undefined && { againstMinutes: this.#againstMinutes }),
      ...(!this.#showsAnnotations && { annotations: false }),
    };
  }

  #viewOf(board: Board): BoardView {
    const { problem } = this.#annotations;
    return {
      kind: 'dashboard',
      name: board.name || this.#parts.opened.name,
      description: board.description,
      deployment: this.#parts.opened.deployment,
      window: rangeLabel(this.page.range, this.#parts.timeZone()),
      isOtherWindow: this.page.chosen !== undefined,
      refreshSeconds: this.#interval,
      ownRefreshSeconds: board.refreshSeconds,
      againstMinutes: this.#against,
      ownAgainstMinutes: board.againstMinutes,
      annotations: {
        shown: this.#showsAnnotations,
        ...(problem !== undefined && { problem }),
      },
      cards: board.cards.map((card) => this.#cardView(card)),
    };
  }

  #cardView(card: Card): CardView {
    const { id, type, name, kind, place, apl } = card;
    const text = kind === 'unknown' ? unknownText(card) : card.text;
    return {
      id,
      type,
      name,
      kind,
      place,
      hasQuery: apl !== undefined,
      ...(text !== undefined && { text }),
      filters: card.filters.map((filter) => this.#filters.view(filter)),
    };
  }

  #startTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!this.#isVisible || this.#interval === 0) return;
    this.#timer = setInterval(() => {
      // Skip this refresh if requests are still queued or running.
      if (this.page.queue.running + this.page.queue.waiting === 0) this.#askAll();
    }, this.#interval * 1_000);
  }

  #askAll(which?: 'unanswered'): void {
    if (which === undefined) this.#annotations.forget();
    for (const state of this.page.cards.states) {
      if (which === 'unanswered' && state.phase === 'ready') continue;
      this.#askCard(state.id);
    }
  }

  #askCard(id: string): void {
    const card = this.#card(id);
    if (card === undefined) return;
    this.page.cards.ask(id, this.#question(card));
  }

  #card(id: string): Card | undefined {
    return this.#board?.cards.find((card) => card.id === id);
  }

  #question({ name, apl }: Card): CardQuestion | undefined {
    if (apl === undefined) return undefined;
    return this.#questionOf(name || this.#board?.name || 'Chart', apl);
  }

  #questionOf(title: string, apl: string): CardQuestion {
    const variables = this.#filters.variables(apl);
    return { title, apl, range: this.page.range, ...(variables && { variables }) };
  }

  #setFilter(id: string, value: string): void {
    if (!this.#filters.choose(id, value)) return;
    this.page.draw();
    for (const filter of this.#filters.dependingOn(id)) this.#listOptions(filter);
    for (const card of this.#board?.cards ?? []) {
      if (card.apl !== undefined && usesFilter(card.apl, id)) this.#askCard(card.id);
    }
  }

  #listAllOptions(): void {
    for (const filter of this.#filters.queried) this.#listOptions(filter);
  }

  #listOptions({ id, name, apl }: QueriedFilter): void {
    const question = this.#questionOf(name, apl);
    this.page.queue.put({
      key: `filter ${id}`,
      run: async (signal) => {
        const answer = await this.#parts.value(question, signal);
        if (signal.aborted) return;
        if (answer.ok) this.#filters.listed(id, answer.value);
        else {
          const { message } = this.#parts.advice(answer.failure, needs.query);
          this.#filters.failed(id, message);
        }
        this.page.draw();
      },
    });
  }

  async #openQuery(id: string): Promise<void> {
    const card = this.#card(id);
    const question = card && this.#question(card);
    if (question !== undefined) await this.#parts.openQuery(question);
  }

  #openLink(address: string): void {
    if (/^https?:\/\//i.test(address)) this.#parts.effects.openLink(address);
  }
}

function unknownText({ type, apl }: Card): string {
  if (type === '') return 'The chart has no type.';
  if (apl !== undefined)
    return `Charts of type ${type} are not supported. Open the query to see its result.`;
  return `The chart of type ${type} has no APL query. Metrics queries are not supported.`;
}
