/**
 * Requests answers over earlier spans, with which charts are compared. A comparison belongs to a tab. It is repeated
 * after each run of the tab's query, and cancelled when the next run starts.
 */

import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import { settledIn } from '../../answers/slots.ts';
import type { ResultTab, TabId } from '../../answers/tabs.ts';
import type { AskInTab } from '../../query/answerService.ts';
import { answerRange } from '../../query/nextPage.ts';
import type { Answers } from '../../query/storedAnswers.ts';
import { type Asking, ask } from '../../service/ask.ts';
import { failed } from '../../service/failure.ts';
import type { RangeParameters } from '../../time/timeRange.ts';
import { errorMessage } from '../../words/errors.ts';
import { type EarlierOffset, earlierLabel } from '../marks.ts';
import type { EarlierAnswer } from './chartEffects.ts';

interface EarlierParts {
  readonly answers: Answers;
  readonly askInTab: AskInTab;
  readonly limits: () => Pick<Asking, 'timeoutMs' | 'maxBytes'>;
  readonly onChange: () => void;
}

interface Comparison {
  readonly offset: EarlierOffset;
  /** The ID of the current answer in the comparison. */
  readonly of: AnswerId;
  readonly controller: AbortController;
  state: EarlierAnswer['state'];
}

const minute = 60_000;

export class EarlierAnswers {
  readonly #parts: EarlierParts;
  readonly #comparisons = new Map<TabId, Comparison>();

  constructor(parts: EarlierParts) {
    this.#parts = parts;
  }

  /** Returns the tab's comparison if it belongs to this answer. */
  get(tab: TabId, answer: AnswerId): EarlierAnswer | undefined {
    const found = this.#comparisons.get(tab);
    if (found?.of !== answer) return undefined;
    const { offset, state } = found;
    const label = earlierLabel(offset);
    return { label, offset, offsetMilliseconds: offset.minutes * minute, state };
  }

  /** Starts a comparison that replaces the tab's former one. A null offset only ends the former one. */
  compare(tab: ResultTab, answer: HeldAnswer, offset: EarlierOffset | null): void {
    this.#end(tab.id);
    if (offset === null) return this.#parts.onChange();
    const comparison: Comparison = {
      offset,
      of: answer.id,
      controller: new AbortController(),
      state: { kind: 'running' },
    };
    this.#comparisons.set(tab.id, comparison);
    this.#parts.onChange();
    void this.#ask(tab, answer, comparison);
  }

  /** Repeats the comparison for a tab's new answer, and aborts it when a new run starts. */
  tabChanged(tab: ResultTab, find: (id: AnswerId) => HeldAnswer | undefined): void {
    const comparison = this.#comparisons.get(tab.id);
    if (comparison === undefined) return;
    if (tab.state.kind === 'running') return comparison.controller.abort();
    const settled = settledIn(tab.state);
    if (settled?.kind === 'failed') return this.#dropAnswer(comparison);
    if (settled?.kind !== 'result' || settled.answer === comparison.of) return;
    const answer = find(settled.answer);
    if (answer?.state === 'ready') this.compare(tab, answer, comparison.offset);
  }

  closed(tabs: readonly TabId[]): void {
    for (const tab of tabs) this.#end(tab);
  }

  dispose(): void {
    for (const { controller } of this.#comparisons.values()) controller.abort();
    this.#comparisons.clear();
  }

  #end(tab: TabId): void {
    const found = this.#comparisons.get(tab);
    if (found === undefined) return;
    this.#comparisons.delete(tab);
    found.controller.abort();
    this.#dropAnswer(found);
  }

  /** Drops the earlier answer from the store. The comparison stays for the next run. */
  #dropAnswer(comparison: Comparison): void {
    const { state } = comparison;
    if (state.kind !== 'ready') return;
    comparison.state = { kind: 'running' };
    this.#parts.answers.drop(state.answer);
  }

  async #ask(tab: ResultTab, { about, head }: HeldAnswer, comparison: Comparison): Promise<void> {
    const { answers, askInTab, limits, onChange } = this.#parts;
    const { offset, controller } = comparison;
    const label = earlierLabel(offset);
    const settle = (state: EarlierAnswer['state']) => {
      comparison.state = state;
      onChange();
    };
    const [table] = head.tables;
    const range = table && earlierRange(answerRange(about, table), offset);
    if (range === undefined)
      return settle({ kind: 'failed', message: 'The time range of the result is not known.' });
    const { query: apl, variables } = about;
    const answer = await askInTab<AnswerId>(
      tab,
      `Comparing with ${label}`,
      controller.signal,
      about.deployment,
      async ({ service, signal }) => {
        // Begin only once a service is available, because only `ask` ends a pending answer.
        const earlier = { ...about, ...range, rangeLabel: label, askedAt: Date.now() };
        const pending = answers.begin(earlier);
        const asked = await ask(
          { apl, ...range, ...(variables && { variables }) },
          { service, datasets: about.datasets, askPerson: true, signal, ...limits() },
          pending,
        );
        return asked.ok ? { ...asked, value: pending.id } : asked;
      },
    ).catch((error: unknown) =>
      failed({ kind: 'unreadable', host: '', message: errorMessage(error) }),
    );
    const isHere = this.#comparisons.get(tab.id) === comparison;
    const isWanted = isHere && !controller.signal.aborted;
    if (answer?.ok && isWanted) return settle({ kind: 'ready', answer: answer.value });
    if (answer?.ok) answers.drop(answer.value);
    const message = isWanted && answer?.ok === false ? answer.failure.message : 'Cancelled.';
    if (isHere) settle({ kind: 'failed', message });
  }
}

/** Shifts a range back. Returns undefined if one of its bounds isn't an absolute time. */
export function earlierRange(
  { startTime, endTime }: RangeParameters,
  { minutes }: EarlierOffset,
): RangeParameters | undefined {
  const [start, end] = [startTime, endTime].map((time) => shifted(time, minutes));
  return start === undefined || end === undefined ? undefined : { startTime: start, endTime: end };
}

/** Shifts a time by whole minutes, and preserves its fraction of a second. */
function shifted(time: string, minutes: number): string | undefined {
  const [, seconds, fraction = ''] = /^(.*?)(\.\d+)?Z$/.exec(time) ?? [];
  const at = Date.parse(`${seconds}Z`);
  if (Number.isNaN(at)) return undefined;
  return `${new Date(at - minutes * minute).toISOString().slice(0, 19)}${fraction}Z`;
}
