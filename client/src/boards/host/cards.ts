/** Requests the answers for a page's charts, and stores each in a hidden result tab. Does not import vscode. */

import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import { AnswerSlots } from '../../answers/slots.ts';
import type { ResultTab, TabAction, TabId } from '../../answers/tabs.ts';
import { viewActions } from '../../results/screen.ts';
import type { Failure } from '../../service/failure.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import type { CardState } from '../boardContent.ts';
import type { Card } from '../model/dashboard.ts';
import type { RequestQueue } from '../model/requestQueue.ts';
import type { PageParts } from './pageParts.ts';
import { presentation } from './presentation.ts';

export interface CardQuestion {
  readonly title: string;
  readonly apl: string;
  readonly range: TimeRange;
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface CardsParts
  extends Pick<PageParts, 'store' | 'arrangements' | 'ask' | 'monitors' | 'now'> {
  /** The prefix for tab IDs. */
  readonly kind: string;
  readonly queue: RequestQueue;
  advice(failure: Failure, card: Card): ReturnType<PageParts['advice']>;
  onState(state: CardState): void;
  onAnswer(tab: ResultTab, answer: HeldAnswer): void;
}

interface Entry extends Omit<CardState, 'id' | 'failure'> {
  card: Card;
  failure?: ReturnType<PageParts['advice']>;
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

  /** Replaces the cards. Cards whose ID is already known keep their answers. */
  set(cards: readonly Card[]): void {
    const asking = cards.filter(({ kind }) => requestingKinds.has(kind));
    const kept = new Set(asking.map(({ id }) => id));
    for (const [id, { tab }] of this.#entries) {
      if (kept.has(id)) continue;
      this.#parts.queue.cancel(id);
      if (tab !== undefined) this.tabs.close(tab);
      this.#entries.delete(id);
    }
    for (const card of asking) {
      const former = this.#entries.get(card.id);
      if (former) former.card = card;
      else this.#entries.set(card.id, { card, phase: 'waiting', notices: [] });
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

  action(card: string, command: string): TabAction | undefined {
    return this.#entries.get(card)?.failure?.actions.find((offered) => offered.command === command);
  }

  /** Requests a card's answer, and cancels the card's earlier request. */
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
    const shown = listed.value.filter(({ id }) => wanted === undefined || wanted.includes(id));
    this.#succeed(entry, { updatedAt: at, notices: [], monitors: shown });
  }

  async #answer(entry: Entry, question: CardQuestion, signal: AbortSignal): Promise<void> {
    const { store, arrangements, ask, now, onAnswer } = this.#parts;
    const at = now();
    const answer = await ask(question, signal);
    if (signal.aborted || answer === undefined) return;
    if (!answer.ok) return this.#fail(entry, answer.failure);
    const { id, head } = answer.value;
    const held = store.get(id);
    const shown = held && presentation(entry.card, head, held.about, arrangements);
    if (shown !== undefined) store.setViewState(id, shown.view);
    const tab = this.#show(entry.tab, question, id);
    this.#succeed(entry, { updatedAt: at, notices: shown?.notices ?? [], tab });
    const shownTab = this.tabs.tab(tab);
    if (shownTab && held) onAnswer(shownTab, held);
  }

  /** Puts an answer into the given tab or a new one, and returns the tab. */
  #show(tab: TabId | undefined, { title, apl, variables }: CardQuestion, answer: AnswerId): TabId {
    if (tab === undefined) {
      const query = { text: apl, title, ...(variables && { variables }) };
      return this.tabs.add(query, { kind: 'result', answer });
    }
    this.tabs.replaceResult(tab, answer);
    return tab;
  }

  #succeed(entry: Entry, change: Partial<Entry>): void {
    delete entry.failure;
    this.#change(entry, { ...change, phase: 'ready' });
  }

  #fail(entry: Entry, failure: Failure): void {
    this.#change(entry, { phase: 'failed', failure: this.#parts.advice(failure, entry.card) });
  }

  #change(entry: Entry, change: Partial<Entry>): void {
    Object.assign(entry, change);
    if (!this.#isDisposed) this.#parts.onState(stateOf(entry));
  }
}

const requestingKinds: ReadonlySet<Card['kind']> = new Set(['chart', 'table', 'monitors']);

function stateOf({ card, failure, ...state }: Entry): CardState {
  return {
    ...state,
    id: card.id,
    ...(failure && {
      failure: { message: failure.message, actions: viewActions(failure.actions) },
    }),
  };
}
