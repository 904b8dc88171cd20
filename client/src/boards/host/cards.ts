/**
 * The charts of a page: requests their answers through one queue, keeps the last answer of each in a hidden result tab,
 * and reports the state of each. Free of vscode.
 */

import type { AnswerHead } from '../../../../table/src/answer.ts';
import { visibleLines } from '../../../../table/src/visibleText.ts';
import type { Failure, Outcome } from '../../api/failure.ts';
import type { Arrangements } from '../../results/arrangements.ts';
import type { HeldAnswers } from '../../results/host/parts.ts';
import type { ViewAction } from '../../results/messages.ts';
import { AnswerSlots } from '../../results/slots.ts';
import type { AnswerId } from '../../results/store/protocol.ts';
import type { ResultTab, TabAction, TabId } from '../../results/tabs.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import type { CardState, MonitorItem } from '../messages.ts';
import type { Card } from '../model/dashboard.ts';
import type { RequestQueue } from '../model/requestQueue.ts';
import { presentation } from './presentation.ts';

/** The query of a card. */
export interface CardQuestion {
  readonly title: string;
  readonly apl: string;
  readonly range: TimeRange;
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface CardsParts {
  /** The prefix of tab ids. */
  readonly kind: string;
  readonly queue: RequestQueue;
  readonly answers: Pick<HeldAnswers, 'get' | 'setViewState'>;
  readonly arrangements: Arrangements;
  /** Returns undefined if canceled. Never rejects. Drops an answer that arrives after the cancellation. */
  ask(
    question: CardQuestion,
    signal: AbortSignal,
  ): Promise<Outcome<{ readonly id: AnswerId; readonly head: AnswerHead }> | undefined>;
  monitors(signal: AbortSignal): Promise<Outcome<readonly MonitorItem[]>>;
  /** Returns the message and buttons for a failure. */
  advice(failure: Failure, card: Card): { message: string; actions: readonly TabAction[] };
  readonly now: () => number;
  onState(state: CardState): void;
  /** Called when a card has a new answer. */
  onAnswer(card: Card, tab: ResultTab, answer: AnswerId): void;
}

interface Entry {
  card: Card;
  phase: CardState['phase'];
  tab?: TabId;
  updatedAt?: number;
  notices: readonly string[];
  failure?: { readonly message: string; readonly actions: readonly TabAction[] };
  monitors?: readonly MonitorItem[];
}

export class Cards {
  readonly tabs: AnswerSlots;
  readonly #parts: CardsParts;
  readonly #entries = new Map<string, Entry>();
  #isDisposed = false;

  constructor(parts: CardsParts) {
    this.#parts = parts;
    this.tabs = new AnswerSlots(parts.kind);
  }

  /** Replaces the cards. A card that stays keeps its answer. */
  set(cards: readonly Card[]): void {
    const asking = cards.filter(asksSomething);
    const kept = new Set(asking.map(({ id }) => id));
    for (const [id, { tab }] of this.#entries) {
      if (kept.has(id)) continue;
      this.#parts.queue.cancel(id);
      if (tab !== undefined) this.tabs.close(tab);
      this.#entries.delete(id);
    }
    for (const card of asking) {
      const former = this.#entries.get(card.id);
      if (former === undefined) {
        this.#entries.set(card.id, { card, phase: 'waiting', notices: [] });
      } else former.card = card;
    }
  }

  get states(): readonly CardState[] {
    return [...this.#entries.values()].map(stateOf);
  }

  get updatedAt(): number | undefined {
    const times = [...this.#entries.values()].flatMap(({ updatedAt }) => updatedAt ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  cardOf(tab: TabId): Card | undefined {
    return [...this.#entries.values()].find((entry) => entry.tab === tab)?.card;
  }

  tabOf(card: string): ResultTab | undefined {
    const tab = this.#entries.get(card)?.tab;
    return tab === undefined ? undefined : this.tabs.tab(tab);
  }

  action(card: string, command: string): TabAction | undefined {
    return this.#entries.get(card)?.failure?.actions.find((offered) => offered.command === command);
  }

  /** Requests a card's answer and cancels an earlier request for it. */
  ask(id: string, question: CardQuestion | undefined): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#change(entry, { phase: 'waiting' });
    this.#parts.queue.put({
      key: id,
      run: async (signal) => {
        this.#change(entry, { phase: 'loading' });
        if (entry.card.kind === 'monitors') await this.#listMonitors(entry, signal);
        else if (question !== undefined) await this.#answer(entry, question, signal);
      },
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#parts.queue.clear();
    for (const { tab } of this.#entries.values()) if (tab !== undefined) this.tabs.close(tab);
    this.#entries.clear();
  }

  async #listMonitors(entry: Entry, signal: AbortSignal): Promise<void> {
    const { now, monitors } = this.#parts;
    const at = now();
    const listed = await monitors(signal);
    if (signal.aborted) return;
    if (!listed.ok) return this.#fail(entry, listed.failure);
    const wanted = entry.card.monitors;
    entry.monitors = listed.value.filter(({ id }) => wanted === undefined || wanted.includes(id));
    this.#succeed(entry, at, []);
  }

  async #answer(entry: Entry, question: CardQuestion, signal: AbortSignal): Promise<void> {
    const { answers, arrangements, ask, now, onAnswer } = this.#parts;
    const at = now();
    const answer = await ask(question, signal);
    if (signal.aborted || answer === undefined) return;
    if (!answer.ok) return this.#fail(entry, answer.failure);
    const { id, head } = answer.value;
    const held = answers.get(id);
    const shown = held && presentation(entry.card, head, held.about, arrangements);
    if (shown !== undefined) answers.setViewState(id, shown.view);
    this.#show(entry, question, id);
    this.#succeed(entry, at, shown?.notices ?? []);
    const tab = this.tabOf(entry.card.id);
    if (tab !== undefined) onAnswer(entry.card, tab, id);
  }

  /** Puts an answer into the tab of a card. The host of the tabs drops the previous answer. */
  #show(entry: Entry, { title, apl, variables }: CardQuestion, answer: AnswerId): void {
    if (entry.tab !== undefined) return this.tabs.replaceResult(entry.tab, answer);
    const query = { text: apl, title, ...(variables && { variables }) };
    entry.tab = this.tabs.add(query, { kind: 'result', answer });
  }

  #succeed(entry: Entry, updatedAt: number, notices: readonly string[]): void {
    delete entry.failure;
    this.#change(entry, { phase: 'ready', updatedAt, notices });
  }

  #fail(entry: Entry, failure: Failure): void {
    this.#change(entry, { phase: 'failed', failure: this.#parts.advice(failure, entry.card) });
  }

  #change(entry: Entry, change: Partial<Entry>): void {
    Object.assign(entry, change);
    if (!this.#isDisposed) this.#parts.onState(stateOf(entry));
  }
}

function asksSomething({ kind }: Card): boolean {
  return kind === 'chart' || kind === 'table' || kind === 'monitors';
}

function stateOf({ card, phase, tab, ...entry }: Entry): CardState {
  const { updatedAt, notices, failure, monitors } = entry;
  return {
    id: card.id,
    phase,
    notices,
    ...(tab !== undefined && { tab }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(failure && {
      failure: { message: visibleLines(failure.message), actions: viewActions(failure.actions) },
    }),
    ...(monitors && { monitors }),
  };
}

/** Removes the arguments of commands, which stay in the host. */
export function viewActions(actions: readonly TabAction[]): readonly ViewAction[] {
  return actions.map(({ label, command }) => ({ label, command }));
}
