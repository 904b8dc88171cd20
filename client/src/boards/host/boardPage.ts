/**
 * What the pages of dashboards and monitors have in common: one queue of requests, the cards with their answers, the
 * channel of answers, and what charts do. Free of vscode.
 */

import type { ChartEffects, ChartState } from '../../charts/host/chartEffects.ts';
import { EarlierAnswers } from '../../charts/host/earlierAnswers.ts';
import { rangeOfSpan } from '../../charts/host/rangeOfSpan.ts';
import type { ChartMarks, EarlierOffset } from '../../charts/marks.ts';
import { OutputHost } from '../../notebook/outputHost.ts';
import type { HeldAnswer } from '../../results/store/heldAnswer.ts';
import type { AnswerId } from '../../results/store/protocol.ts';
import type { ResultTab, TabAction } from '../../results/tabs.ts';
import { visibleLines, visibleText } from '../../results/visibleText.ts';
import { type EventHandlers, HostChannel, type Pipe } from '../../webview/hostChannel.ts';
import { splitPipe } from '../../webview/pipeParts.ts';
import { type BoardsContract, boardsContract, pipeParts } from '../contract.ts';
import type { MissingView, PageView } from '../messages.ts';
import type { Card } from '../model/dashboard.ts';
import { RequestQueue } from '../model/requestQueue.ts';
import { Cards, viewActions } from './cards.ts';
import type { ChosenWindow } from './chosenWindow.ts';
import type { PageParts } from './pageParts.ts';

/** What a page adds to what all have. */
export interface PageBehavior {
  readonly view: () => PageView;
  readonly events: EventHandlers<BoardsContract>;
  readonly window: ChosenWindow;
  marks(answer: HeldAnswer, signal: AbortSignal): Promise<ChartMarks>;
  /** Another annotation may have been stored. */
  annotated?(): void;
  /** By how many minutes earlier the span is that charts are compared with; 0 for none. */
  readonly againstMinutes: () => number;
  /** A card has another answer. */
  answered?(answer: HeldAnswer): void;
  readonly needs: string;
  /** The command of buttons that try again. */
  again(card: string): void;
}

export const againCommand = 'aplomb.boards.again';

const tryAgain: TabAction = { label: 'Try Again', command: againCommand };

export class BoardPage implements ChartEffects {
  readonly queue: RequestQueue;
  readonly cards: Cards;
  readonly #parts: PageParts;
  readonly #behavior: PageBehavior;
  readonly #earlier: EarlierAnswers;
  readonly #host: OutputHost;
  readonly #listeners = new Set<() => void>();
  readonly #subscription: { dispose(): void };
  #missing: readonly TabAction[] = [];
  #channel: HostChannel<BoardsContract> | undefined;
  #statusTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: PageParts, behavior: PageBehavior) {
    this.#parts = parts;
    this.#behavior = behavior;
    this.queue = new RequestQueue(parts.atOnce, () => this.#statusSoon());
    const { opened, answers, arrangements } = parts;
    this.cards = new Cards({
      kind: `${opened.kind}-${crypto.randomUUID()}`,
      queue: this.queue,
      answers,
      arrangements,
      ask: parts.ask,
      monitors: parts.monitors,
      advice: (failure, card) =>
        parts.advice(
          failure,
          card.kind === 'monitors' ? 'read access to monitors' : behavior.needs,
        ),
      now: parts.now,
      onState: (state) => this.#channel?.send('card', state),
      onAnswer: (card, tab, id) => {
        const answer = answers.get(id);
        if (answer) behavior.answered?.(answer);
        this.#compare(card, tab, id);
      },
    });
    this.#earlier = new EarlierAnswers({
      answers: parts.sink,
      askInTab: (tab, progress, signal, deployment, work) =>
        this.#inQueue(`earlier ${tab.id}`, signal, (both) =>
          parts.earlier(tab, progress, both, deployment, work),
        ),
      limits: parts.limits,
      onChange: () => this.#changed(),
    });
    this.#host = new OutputHost({
      answers,
      tabs: this.cards.tabs,
      arrangements,
      effects: {
        ...parts.effects,
        runAction: (action) => {
          const [card] = action.arguments ?? [];
          if (action.command !== againCommand) parts.effects.runAction(action);
          else if (typeof card === 'string') behavior.again(card);
        },
      },
      charts: this,
      runAgain: ({ id }) => ({
        label: 'Refresh',
        command: againCommand,
        arguments: [this.cards.cardOf(id)?.id],
      }),
      chartsFirst: () => true,
      timeZone: parts.timeZone,
      onProblem: parts.onProblem,
    });
    this.#subscription = this.cards.tabs.onDidChange(({ changed, closed }) => {
      this.#earlier.closed(closed);
      for (const id of changed) {
        const tab = this.cards.tabs.tab(id);
        if (tab) this.#earlier.tabChanged(tab, (answer) => answers.get(answer));
      }
    });
  }

  /** Answers a page until it is disposed of. */
  attach(pipe: Pipe): { dispose(): void } {
    const parts = splitPipe(pipe, pipeParts);
    const answers = this.#host.attach(parts.answers);
    const channel: HostChannel<BoardsContract> = new HostChannel({
      contract: boardsContract,
      pipe: parts.board,
      requests: {},
      events: {
        ...this.#behavior.events,
        ready: (content) => {
          this.#behavior.events.ready(content);
          this.draw();
          for (const state of this.cards.states) channel.send('card', state);
          this.#sendStatus();
        },
        inView: (cards) => this.queue.first(cards),
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

  /** Why there is nothing to show, with buttons; one of them always tries again. */
  missing({ message, actions }: ReturnType<PageParts['advice']>): MissingView {
    const hasAgain = actions.some(({ command }) => command === againCommand);
    this.#missing = hasAgain ? actions : [tryAgain, ...actions];
    const title = visibleText(this.#parts.opened.name);
    return {
      kind: 'missing',
      title,
      message: visibleLines(message),
      actions: viewActions(this.#missing),
    };
  }

  /** Does what a button of the page says where there is nothing to show. */
  actOnMissing(command: string, again: () => void): void {
    const action = this.#missing.find((offered) => offered.command === command);
    if (action?.command === againCommand) again();
    else if (action !== undefined) this.#parts.effects.runAction(action);
  }

  draw(): void {
    this.#channel?.send('page', this.#behavior.view());
  }

  send: HostChannel<BoardsContract>['send'] = (name, content) => this.#channel?.send(name, content);

  /** Runs something in its turn; undefined where it was cancelled before. */
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

  /** Compares the charts again, after another offset was chosen. */
  compareAll(): void {
    for (const { id } of this.cards.states) {
      const tab = this.cards.tabOf(id);
      const card = tab && this.cards.cardOf(tab.id);
      const { state } = tab ?? {};
      if (tab && card && state?.kind === 'result') this.#compare(card, tab, state.answer);
    }
  }

  #compare(card: Card, tab: ResultTab, answer: AnswerId): void {
    const held = this.#parts.answers.get(answer);
    const minutes = this.#behavior.againstMinutes();
    const isCompared = card.shown === 'chart' && card.choice.kind === 'timeSeries';
    if (held === undefined || !isCompared) return;
    const known = this.#earlier.get(tab.id, answer);
    if (known?.offset.minutes === minutes || (known === undefined && minutes === 0)) return;
    this.#earlier.compare(tab, held, minutes === 0 ? null : { minutes });
  }

  state(tab: ResultTab, answer: HeldAnswer): ChartState {
    const earlier = this.#earlier.get(tab.id, answer.id);
    return {
      canSelectRange: true,
      canGoBack: this.#behavior.window.canGoBack,
      ...(earlier && { earlier }),
    };
  }

  async selectRange(_tab: ResultTab, from: number, to: number): Promise<void> {
    const range = rangeOfSpan(from, to);
    if (range !== undefined) this.#behavior.window.chooseInChart(range);
  }

  async back(): Promise<void> {
    this.#behavior.window.goBack();
  }

  async annotate(answer: HeldAnswer, from: number, to: number): Promise<void> {
    await this.#parts.charts.annotate(answer, from, to);
    this.#behavior.annotated?.();
    this.marksChanged();
  }

  /** Has the charts ask for their marks again. */
  marksChanged(): void {
    this.#changed();
  }

  compare(tab: ResultTab, answer: HeldAnswer, offset: EarlierOffset | null): void {
    this.#earlier.compare(tab, answer, offset);
  }

  marks(answer: HeldAnswer, signal: AbortSignal): Promise<ChartMarks> {
    return this.#behavior.marks(answer, signal);
  }

  savePicture(
    tab: ResultTab,
    format: Parameters<ChartEffects['savePicture']>[1],
    content: string,
  ): Promise<void> {
    return this.#parts.charts.savePicture(tab, format, content);
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Times are shown in another zone. */
  refreshZone(): void {
    this.#host.refresh();
    this.draw();
    this.#sendStatus();
  }

  dispose(): void {
    clearTimeout(this.#statusTimer);
    this.#earlier.dispose();
    this.cards.dispose();
    this.#subscription.dispose();
    this.#host.dispose();
    this.#channel?.dispose();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Many requests begin and end at once. */
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
