/** The shared part of dashboard and monitor pages: requests, cards, answers and charts. Does not import vscode. */

import type { Members } from '../../../../resources/src/value.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { ResultTab, TabAction } from '../../answers/tabs.ts';
import { ChartSession } from '../../charts/host/chartSession.ts';
import type { ChartMarks } from '../../charts/marks.ts';
import { AnswersHost } from '../../results/host/answersHost.ts';
import { viewActions } from '../../results/screen.ts';
import { splitPort } from '../../rpc/parts.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import { type EventHandlers, HostChannel, type Pipe } from '../../webview/hostChannel.ts';
import type { BoardView, MissingView, MonitorView } from '../boardContent.ts';
import {
  type BoardsContract,
  boardsContract,
  type KeptBoard,
  pipeParts,
} from '../boardsContract.ts';
import { RequestQueue } from '../model/requestQueue.ts';
import { Cards } from './cards.ts';
import type { PageParts } from './pageParts.ts';

type Events = EventHandlers<BoardsContract>;

/** The behavior that differs between dashboards and monitors. */
export interface PageBehavior {
  /** Returns the drawn resource; undefined until the resource has been loaded. */
  readonly view: () => BoardView | MonitorView | undefined;
  /** Shows the resource, given as its record in the service. */
  show(record: Members): void;
  /** The state that restores the page after a reload. */
  readonly kept: () => KeptBoard;
  /** Called when a page has loaded and drawn the view. */
  attached?(): void;
  readonly events: Partial<Events> & Pick<Events, 'openQuery'>;
  /** The charts' range if none was chosen on the page. */
  readonly defaultRange: () => TimeRange;
  onRange(): void;
  readonly rangeTitle: string;
  marks(answer: HeldAnswer): Promise<ChartMarks>;
  annotated?(): void;
  /** The comparison offset in minutes; 0 disables the comparison. */
  readonly againstMinutes: () => number;
  answered?(answer: HeldAnswer): void;
  /** The access required to load the resource and to run its queries, as phrases for error messages. */
  readonly needs: { readonly load: string; readonly query: string };
  ask(card: string): void;
}

/** Handlers that ignore events which only the other kind of page sends. */
const ignored = Object.fromEntries(
  Object.keys(boardsContract.fromPage).map((name) => [name, () => undefined]),
) as unknown as Events;

export const againCommand = 'aplomb.boards.again';

const tryAgain: TabAction = { label: 'Try Again', command: againCommand };

export class BoardPage {
  readonly queue: RequestQueue;
  readonly cards: Cards;
  readonly #parts: PageParts;
  readonly #behavior: PageBehavior;
  readonly #charts: ChartSession<TimeRange | undefined>;
  readonly #host: AnswersHost;
  #chosen: TimeRange | undefined;
  #loading: AbortController | undefined;
  #missing: ReturnType<PageParts['advice']> | undefined;
  #channel: HostChannel<BoardsContract> | undefined;
  #statusTimer: ReturnType<typeof setTimeout> | undefined;

  /** `chosen` is the range chosen on the page before a reload. */
  constructor(parts: PageParts, behavior: PageBehavior, chosen?: TimeRange) {
    this.#chosen = chosen;
    this.#parts = parts;
    this.#behavior = behavior;
    this.queue = new RequestQueue(parts.atOnce, () => this.#statusSoon());
    this.cards = new Cards({
      ...parts,
      kind: `${parts.opened.kind}-${crypto.randomUUID()}`,
      queue: this.queue,
      advice: (failure, card) =>
        parts.advice(
          failure,
          card.kind === 'monitors' ? 'read access to monitors' : behavior.needs.query,
        ),
      onState: (state) => this.#channel?.send('card', state),
      onAnswer: (tab, answer) => {
        behavior.answered?.(answer);
        this.#compare(tab, answer);
      },
    });
    this.#charts = new ChartSession({
      // All charts on a page share the page's range.
      surface: {
        owner: () => this,
        rangeOf: () => this.#chosen,
        setRange: async (_tab, range) => {
          this.#setRange(range);
          return {};
        },
        // Do nothing here, because changing the page's range already reruns its charts.
        runAgain: () => ({ owner: this, ended: Promise.resolve() }),
      },
      shared: {
        annotate: async (answer, from, to) => {
          await parts.charts.annotate(answer, from, to);
          behavior.annotated?.();
          this.marksChanged();
        },
        marks: (answer) => behavior.marks(answer),
        savePicture: (...picture) => parts.charts.savePicture(...picture),
      },
      tabs: this.cards.tabs,
      store: parts.store,
      answers: parts.answers,
      askInTab: (tab, progress, signal, deployment, work) =>
        this.#inQueue(`earlier ${tab.id}`, signal, (both) =>
          parts.earlier(tab, progress, both, deployment, work),
        ),
      limits: parts.limits,
    });
    this.#host = new AnswersHost({
      store: parts.store,
      tabs: this.cards.tabs,
      arrangements: parts.arrangements,
      effects: {
        ...parts.effects,
        runAction: (action) => {
          const [card] = action.arguments ?? [];
          if (action.command !== againCommand) parts.effects.runAction(action);
          else if (typeof card === 'string') behavior.ask(card);
        },
      },
      charts: this.#charts,
      runAgain: ({ id }) => ({
        label: 'Refresh',
        command: againCommand,
        arguments: [this.cards.cardOf(id)?.id],
      }),
      timeZone: parts.timeZone,
      onProblem: parts.onProblem,
    });
  }

  /** Reads the resource again. If that fails, keeps the resource already shown. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const controller = new AbortController();
    this.#loading = controller;
    const { load, advice, effects, opened } = this.#parts;
    const record = await load(controller.signal);
    if (controller.signal.aborted) return;
    if (record.ok) return this.#behavior.show(record.value);
    const { message, actions } = advice(record.failure, this.#behavior.needs.load);
    if (this.#behavior.view() !== undefined)
      return effects.warn(`The ${opened.kind} was not refreshed. ${message}`);
    const hasAgain = actions.some(({ command }) => command === againCommand);
    this.#missing = { message, actions: hasAgain ? actions : [tryAgain, ...actions] };
    this.draw();
  }

  /** Connects the host to a page until the result is disposed. */
  attach(pipe: Pipe): { dispose(): void } {
    const parts = splitPort(pipe, pipeParts);
    const answers = this.#host.attach(parts.answers);
    const channel: HostChannel<BoardsContract> = new HostChannel({
      contract: boardsContract,
      pipe: parts.board,
      requests: {},
      events: {
        ...ignored,
        ...this.#behavior.events,
        ready: () => {
          this.draw();
          for (const state of this.cards.states) channel.send('card', state);
          this.#sendStatus();
          this.#behavior.attached?.();
        },
        inView: (cards) => this.queue.first(cards),
        refresh: () => this.load(),
        refreshCard: ({ card }) => this.#behavior.ask(card),
        chooseWindow: () => this.#chooseWindow(),
        resetWindow: () => this.#choose(undefined),
        openDocument: () => this.#parts.openDocument(),
        action: ({ card, command }) => this.#act(card, command),
      },
      onFailure: ({ message }) => this.#parts.effects.warn(message),
      onProblem: this.#parts.onProblem,
    });
    this.#channel = channel;
    return {
      dispose: () => {
        answers.dispose();
        channel.dispose();
        if (this.#channel === channel) this.#channel = undefined;
      },
    };
  }

  #act(card: string | null, command: string): void {
    const action =
      card === null
        ? this.#missing?.actions.find((offered) => offered.command === command)
        : this.cards.action(card, command);
    if (action === undefined) return;
    if (command !== againCommand) this.#parts.effects.runAction(action);
    else if (card === null) void this.load();
    else this.#behavior.ask(card);
  }

  async #chooseWindow(): Promise<void> {
    const chosen = await this.#parts.chooseRange(this.#behavior.rangeTitle, this.range);
    if (chosen !== undefined) this.#choose(chosen);
  }

  /** Sets the range, or the default range if undefined, and clears the charts' Back history. */
  #choose(range: TimeRange | undefined): void {
    this.#charts.forget([this]);
    this.#setRange(range);
  }

  #setRange(range: TimeRange | undefined): void {
    this.#chosen = range;
    this.#behavior.onRange();
  }

  get chosen(): TimeRange | undefined {
    return this.#chosen;
  }

  get range(): TimeRange {
    return this.#chosen ?? this.#behavior.defaultRange();
  }

  draw(): void {
    this.#channel?.send('page', this.#behavior.view() ?? this.#missingView());
    this.#parts.onKept(this.#behavior.kept());
  }

  #missingView(): MissingView {
    const { message, actions } = this.#missing ?? { message: '', actions: [] };
    return {
      kind: 'missing',
      title: this.#missing === undefined ? '' : this.#parts.opened.name,
      message,
      actions: viewActions(actions),
    };
  }

  send: HostChannel<BoardsContract>['send'] = (name, content) => this.#channel?.send(name, content);

  /** Runs work through the request queue. Returns undefined if it was cancelled before it started. */
  #inQueue<T>(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.queue.put({
        key,
        run: (own) => work(AbortSignal.any([own, signal])).then(resolve, reject),
        dropped: () => resolve(undefined),
      });
    });
  }

  /** Updates the charts' comparisons after the offset changed. */
  compareAll(): void {
    for (const tab of this.cards.tabs.tabs) {
      const answer = tab.state.kind === 'result' && this.#parts.store.get(tab.state.answer);
      if (answer) this.#compare(tab, answer);
    }
  }

  #compare(tab: ResultTab, answer: HeldAnswer): void {
    const card = this.cards.cardOf(tab.id);
    if (card?.shown !== 'chart' || card.choice.kind !== 'timeSeries') return;
    const minutes = this.#behavior.againstMinutes();
    const known = this.#charts.state(tab, answer).earlier;
    if ((known?.offset.minutes ?? 0) === minutes) return;
    this.#charts.compare(tab, answer, minutes === 0 ? null : { minutes });
  }

  /** Redraws times after the time zone setting changed. */
  refreshZone(): void {
    this.#host.refresh();
    this.draw();
    this.#sendStatus();
  }

  dispose(): void {
    this.#loading?.abort();
    clearTimeout(this.#statusTimer);
    this.#charts.dispose();
    this.cards.dispose();
    this.#host.dispose();
    this.#channel?.dispose();
  }

  marksChanged(): void {
    this.#charts.changed();
  }

  /** Sends a single status update for requests that start or end at about the same time. */
  #statusSoon(): void {
    this.#statusTimer ??= setTimeout(() => {
      this.#statusTimer = undefined;
      this.#sendStatus();
    }, 50);
  }

  #sendStatus(): void {
    const { updatedAt, states } = this.cards;
    this.#channel?.send('status', {
      running: this.queue.running,
      waiting: this.queue.waiting,
      failed: states.filter(({ phase }) => phase === 'failed').length,
      timeZone: this.#parts.timeZone(),
      ...(updatedAt !== undefined && { updatedAt }),
    });
  }
}
