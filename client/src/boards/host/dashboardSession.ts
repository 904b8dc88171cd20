/**
 * A dashboard on its page: the window, the refresh, the comparison and the filters that a person has chosen, none of
 * which is saved, and the charts that follow from them. Free of vscode.
 */
import { noMarks } from '../../charts/host/visibleMarks.ts';
import { parseTimeRange } from '../../parseTimeRange.ts';
import { visibleLines, visibleText } from '../../results/visibleText.ts';
import { rangeLabel, rangeText, type TimeRange } from '../../timeRange.ts';
import type { Pipe } from '../../webview/hostChannel.ts';
import type { KeptBoard } from '../contract.ts';
import type { BoardView, CardView, PageView } from '../messages.ts';
import { type Board, type Card, readBoard, usedFilters } from '../model/dashboard.ts';
import { BoardAnnotations } from './boardAnnotations.ts';
import { BoardPage } from './boardPage.ts';
import type { CardQuestion } from './cards.ts';
import { ChosenWindow } from './chosenWindow.ts';
import { Filters } from './filters.ts';
import type { PageParts } from './pageParts.ts';

const needs = 'query access to the datasets of the dashboard';

export class DashboardSession {
  readonly page: BoardPage;
  readonly #parts: PageParts;
  readonly #filters: Filters;
  #view: PageView = { kind: 'missing', title: '', message: '', actions: [] };
  #board: Board | undefined;
  readonly #window: ChosenWindow;
  #refreshSeconds: number | undefined;
  #againstMinutes: number | undefined;
  #showsAnnotations: boolean;
  readonly #annotations: BoardAnnotations;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isVisible = true;
  #loading: AbortController | undefined;
  /** Whether something lost its turn when the page was hidden. */
  #interrupted = false;

  constructor(parts: PageParts, kept?: KeptBoard) {
    this.#parts = parts;
    this.#filters = new Filters(kept?.filters);
    const range = kept?.window && parseTimeRange(kept.window, parts.now(), parts.timeZone());
    const window = typeof range === 'object' ? range : undefined;
    this.#window = new ChosenWindow(() => this.#windowChanged(), window);
    this.#refreshSeconds = kept?.refreshSeconds;
    this.#againstMinutes = kept?.againstMinutes;
    this.#showsAnnotations = kept?.annotations ?? true;
    this.page = new BoardPage(parts, {
      view: () => this.#view,
      needs,
      againstMinutes: () => this.against,
      window: this.#window,
      marks: async (answer) => (this.#showsAnnotations ? this.#annotations.of(answer) : noMarks),
      annotated: () => this.#annotations.forget(),
      again: (card) => this.#askCard(card),
      events: {
        // A page that loads after its dashboard has missed the state to keep.
        ready: () => this.#parts.onKept(this.#kept()),
        inView: () => undefined,
        refresh: () => this.load(),
        refreshCard: ({ card }) => this.#askCard(card),
        chooseWindow: () => this.#chooseWindow(),
        resetWindow: () => this.#window.choose(undefined),
        setRefresh: ({ seconds }) => {
          this.#refreshSeconds = seconds;
          this.#startTimer();
          this.#changed();
        },
        setAgainst: ({ minutes }) => {
          this.#againstMinutes = minutes;
          this.#changed();
          this.page.compareAll();
        },
        setAnnotations: ({ shown }) => {
          this.#showsAnnotations = shown;
          if (shown) this.#annotations.forget();
          this.#changed();
          this.page.marksChanged();
        },
        setFilter: ({ filter, value }) => this.#setFilter(filter, value),
        openQuery: ({ card }) => this.#openQuery(card),
        openDocument: () => parts.openDocument(),
        openMonitor: ({ id }) => parts.openMonitor(id),
        openLink: ({ address }) => this.#openLink(address),
        action: ({ card, command }) => this.#act(card, command),
        setEnabled: () => undefined,
        disableUntil: () => undefined,
        test: () => undefined,
        cancelTest: () => undefined,
      },
    });
    this.#annotations = new BoardAnnotations({
      queue: this.page.queue,
      list: parts.annotations,
      onProblem: () => this.#changed(),
    });
  }

  attach(pipe: Pipe): { dispose(): void } {
    return this.page.attach(pipe);
  }

  get window(): TimeRange {
    return this.#window.range ?? this.#board?.window ?? readBoard({}).window;
  }

  get refreshSeconds(): number {
    return this.#refreshSeconds ?? this.#board?.refreshSeconds ?? 0;
  }

  get against(): number {
    return this.#againstMinutes ?? this.#board?.againstMinutes ?? 0;
  }

  /** Reads the document again and asks for all of its charts. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const controller = new AbortController();
    this.#loading = controller;
    const record = await this.#parts.load(controller.signal);
    if (controller.signal.aborted) return;
    if (!record.ok) return this.#missing(record.failure);
    this.#board = readBoard(record.value.dashboard);
    this.#filters.set(this.#board);
    this.page.cards.set(this.#board.cards);
    this.#changed();
    this.#startTimer();
    this.#askAll();
    this.#listAllOptions();
  }

  /** A page that is out of sight asks for nothing. */
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
    const isOld = this.refreshSeconds > 0 && age > this.refreshSeconds * 1_000;
    if (this.#interrupted || isOld) this.#askAll(isOld ? undefined : 'unanswered');
    if (this.#interrupted) this.#listAllOptions();
    this.#interrupted = false;
  }

  dispose(): void {
    this.#loading?.abort();
    clearInterval(this.#timer);
    this.page.dispose();
  }

  #missing(failure: Parameters<PageParts['advice']>[0]): void {
    const advice = this.#parts.advice(failure, 'access to dashboards');
    // A dashboard that is on the page stays, with its answers.
    if (this.#board !== undefined)
      return this.#parts.effects.warn(`The dashboard was not refreshed. ${advice.message}`);
    this.#view = this.page.missing(advice);
    this.page.draw();
  }

  #changed(): void {
    const board = this.#board;
    if (board === undefined) return;
    this.#view = this.#viewOf(board);
    this.page.draw();
    this.#parts.onKept(this.#kept());
  }

  #kept(): KeptBoard {
    const { opened, timeZone } = this.#parts;
    const chosen = this.#window.range;
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
      name: visibleText(board.name || this.#parts.opened.name),
      description: visibleLines(board.description),
      deployment: visibleText(this.#parts.opened.deployment),
      window: rangeLabel(this.window, this.#parts.timeZone()),
      isOtherWindow: this.#window.range !== undefined,
      refreshSeconds: this.refreshSeconds,
      ownRefreshSeconds: board.refreshSeconds,
      againstMinutes: this.against,
      ownAgainstMinutes: board.againstMinutes,
      annotations: {
        shown: this.#showsAnnotations,
        ...(problem !== undefined && { problem: visibleLines(problem) }),
      },
      cards: board.cards.map((card) => this.#cardView(card)),
    };
  }

  #cardView(card: Card): CardView {
    const { id, type, name, kind, place, apl } = card;
    const text = kind === 'unknown' ? unknownText(card) : card.text;
    return {
      id,
      type: visibleText(type),
      name: visibleText(name),
      kind,
      place,
      hasQuery: apl !== undefined,
      ...(text !== undefined && { text: visibleLines(text) }),
      filters: card.filters.map((filter) => this.#filters.view(filter)),
    };
  }

  #startTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!this.#isVisible || this.refreshSeconds === 0) return;
    this.#timer = setInterval(() => {
      // What is still being asked for is not asked for again.
      if (this.page.queue.running + this.page.queue.waiting === 0) this.#askAll();
    }, this.refreshSeconds * 1_000);
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
    const variables = this.#filters.variables(apl);
    const title = name || this.#board?.name || 'Chart';
    return { title, apl, range: this.window, ...(variables && { variables }) };
  }

  async #chooseWindow(): Promise<void> {
    const range = await this.#parts.chooseRange('Time Range of the Dashboard', this.window);
    if (range !== undefined) this.#window.choose(range);
  }

  #windowChanged(): void {
    this.#changed();
    this.#askAll();
    this.#listAllOptions();
  }

  #setFilter(id: string, value: string): void {
    if (!this.#filters.choose(id, value)) return;
    this.#changed();
    for (const filter of this.#filters.dependingOn(id)) this.#listOptions(filter);
    for (const card of this.#board?.cards ?? []) {
      if (card.apl !== undefined && usedFilters(card.apl, [{ id }]).length > 0)
        this.#askCard(card.id);
    }
  }

  #listAllOptions(): void {
    for (const filter of this.#filters.asking) this.#listOptions(filter);
  }

  #listOptions({ id, name, apl }: { id: string; name: string; apl: string }): void {
    const variables = this.#filters.variables(apl);
    const question = { title: name, apl, range: this.window, ...(variables && { variables }) };
    this.page.queue.put({
      key: `filter ${id}`,
      run: async (signal) => {
        const answer = await this.#parts.value(question, signal);
        if (signal.aborted) return;
        if (answer.ok) this.#filters.listed(id, answer.value);
        else
          this.#filters.failed(id, visibleLines(this.#parts.advice(answer.failure, needs).message));
        this.#changed();
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

  #act(card: string | null, command: string): void {
    if (card === null) return this.page.actOnMissing(command, () => void this.load());
    const action = this.page.cards.action(card, command);
    if (action === undefined) return;
    if (action.label === 'Try Again') this.#askCard(card);
    else this.#parts.effects.runAction(action);
  }
}

function unknownText({ type, apl }: Card): string {
  if (type === '') return 'The chart has no type.';
  if (apl !== undefined)
    return `Charts of type ${type} are not supported. Open the query to see its result.`;
  return `The chart of type ${type} has no APL query. Metrics queries are not supported.`;
}
