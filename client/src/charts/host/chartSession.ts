/**
 * The charts on a surface that shows answers: ranges and filters with their undo steps, comparisons, annotations and
 * pictures. Surfaces differ in how they change a query and run it again. Does not import vscode.
 */

import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import type { AnswerSlots } from '../../answers/slots.ts';
import type { ResultTab } from '../../answers/tabs.ts';
import { Disposables } from '../../host/disposables.ts';
import { Emitter } from '../../host/emitter.ts';
import type { WrittenFilter } from '../../query/addFilter.ts';
import type { AskInTab } from '../../query/answerService.ts';
import type { FilterCondition } from '../../query/filterCondition.ts';
import type { Query } from '../../query/query.ts';
import type { Answers } from '../../query/storedAnswers.ts';
import type { Asking } from '../../service/ask.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import type { ChartMarks, EarlierOffset } from '../marks.ts';
import type { ChartEffects, ChartState, PictureFormat } from './chartEffects.ts';
import { EarlierAnswers } from './earlierAnswers.ts';
import { rangeOfSpan } from './rangeOfSpan.ts';
import { backState, type StepBack, StepsBack } from './stepsBack.ts';

/** Changes queries and runs them again. `Range` is the surface's format for ranges. */
export interface ChartSurface<Range> {
  /** Returns the owner of the undo steps, such as a cell; undefined if the query was removed. */
  owner(tab: ResultTab): unknown;
  rangeOf(tab: ResultTab): Range | Promise<Range>;
  /** Sets a range. Returns the query to run if it differs from the tab's query; undefined if the range can't be set. */
  setRange(
    tab: ResultTab,
    range: Range | TimeRange,
  ): Promise<{ readonly query?: Query } | undefined>;
  /** Returns whether a former range can be restored. If absent, every range can be restored. */
  canSet?(tab: ResultTab, former: Range): boolean;
  /** Edits filters in a tab's query. Absent if queries can't be edited. Returns undefined if nothing changed. */
  readonly filters?: {
    write(
      tab: ResultTab,
      conditions: readonly FilterCondition[],
    ): Promise<{ readonly query: Query; readonly filter: WrittenFilter } | undefined>;
    remove(tab: ResultTab, filter: WrittenFilter): Promise<Query | undefined>;
  };
  /** Runs the query. Returns the owner of the run's undo steps, because the run may be in another tab. */
  runAgain(
    tab: ResultTab,
    query: Query | undefined,
  ): { readonly owner: unknown; readonly ended: Promise<unknown> };
}

/** The effects that don't depend on how the surface runs a query. */
export type SharedEffects = Pick<ChartEffects, 'annotate' | 'marks' | 'savePicture'> &
  Partial<Pick<ChartEffects, 'onDidChange'>>;

interface ChartSessionParts<Range> {
  readonly surface: ChartSurface<Range>;
  readonly shared: SharedEffects;
  readonly tabs: AnswerSlots;
  readonly store: { get(id: AnswerId): HeldAnswer | undefined };
  /** Stores the earlier answers that charts are compared with. */
  readonly answers: Answers;
  readonly askInTab: AskInTab;
  readonly limits: () => Pick<Asking, 'timeoutMs' | 'maxBytes'>;
}

export class ChartSession<Range> extends Disposables implements ChartEffects {
  readonly #parts: ChartSessionParts<Range>;
  readonly #steps = new StepsBack<unknown, Range>();
  readonly #earlier: EarlierAnswers;
  readonly #changes = new Emitter();
  readonly onDidChange = this.#changes.event;

  constructor(parts: ChartSessionParts<Range>) {
    super();
    this.#parts = parts;
    const { tabs, store, shared, answers, askInTab, limits } = parts;
    const onChange = () => this.changed();
    this.#earlier = new EarlierAnswers({ answers, askInTab, limits, onChange });
    this.own(
      shared.onDidChange?.(onChange),
      tabs.onDidChange(({ changed, closed }) => {
        this.forget(closed);
        this.#earlier.closed(closed);
        for (const id of changed) {
          const tab = tabs.tab(id);
          if (tab) this.#earlier.tabChanged(tab, (answer) => store.get(answer));
        }
      }),
      this.#earlier,
      this.#changes,
    );
  }

  state(tab: ResultTab, answer: HeldAnswer): ChartState {
    const earlier = this.#earlier.get(tab.id, answer.id);
    return {
      canSelectRange: tab.query.text !== '' && this.#parts.surface.owner(tab) !== undefined,
      ...backState(this.#stepsOf(tab)),
      ...(earlier && { earlier }),
    };
  }

  async selectRange(tab: ResultTab, from: number, to: number): Promise<void> {
    const { surface } = this.#parts;
    const range = rangeOfSpan(from, to);
    if (range === undefined || surface.owner(tab) === undefined) return;
    const former = await surface.rangeOf(tab);
    const steps = this.#stepsOf(tab);
    const set = await surface.setRange(tab, range);
    if (set) await this.#runAgain(tab, set.query, [...steps, { kind: 'range', former }]);
  }

  /** Adds conditions to the tab's query in its document, and runs the query again. */
  async addFilter(tab: ResultTab, conditions: readonly FilterCondition[]): Promise<void> {
    const { surface } = this.#parts;
    if (surface.owner(tab) === undefined) return;
    const steps = this.#stepsOf(tab);
    const filtered = await surface.filters?.write(tab, conditions);
    if (filtered === undefined) return;
    const { query, filter } = filtered;
    await this.#runAgain(tab, query, [...steps, { kind: 'filter', filter, text: query.text }]);
  }

  async back(tab: ResultTab): Promise<void> {
    const { surface } = this.#parts;
    const steps = this.#stepsOf(tab);
    const step = steps.at(-1);
    if (step === undefined) return this.changed();
    const before = steps.slice(0, -1);
    if (step.kind === 'range') {
      const set = await surface.setRange(tab, step.former);
      if (set) await this.#runAgain(tab, set.query, before);
      return;
    }
    const former = await surface.filters?.remove(tab, step.filter);
    if (former !== undefined) return this.#runAgain(tab, former, before);
    this.#steps.set(surface.owner(tab), before);
    this.changed();
  }

  annotate(answer: HeldAnswer, from: number, to: number): Promise<void> {
    return this.#parts.shared.annotate(answer, from, to);
  }

  compare(tab: ResultTab, answer: HeldAnswer, offset: EarlierOffset | null): void {
    this.#earlier.compare(tab, answer, offset);
  }

  marks(answer: HeldAnswer, signal: AbortSignal): Promise<ChartMarks> {
    return this.#parts.shared.marks(answer, signal);
  }

  savePicture(tab: ResultTab, format: PictureFormat, content: string): Promise<void> {
    return this.#parts.shared.savePicture(tab, format, content);
  }

  /** Makes charts request their state and marks again. */
  changed(): void {
    this.#changes.fire();
  }

  /** Discards the undo steps that belong to owners, such as closed tabs. */
  forget(owners: Iterable<unknown>): void {
    this.#steps.forget(owners);
  }

  async #runAgain(
    tab: ResultTab,
    query: Query | undefined,
    steps: readonly StepBack<Range>[],
  ): Promise<void> {
    const { owner, ended } = this.#parts.surface.runAgain(tab, query);
    this.#steps.set(owner, steps);
    await ended;
  }

  #stepsOf(tab: ResultTab): readonly StepBack<Range>[] {
    const { surface } = this.#parts;
    const owner = surface.owner(tab);
    if (owner === undefined) return [];
    const canSet = (former: Range) => surface.canSet?.(tab, former) ?? true;
    return this.#steps.of(owner, { text: tab.query.text, canSet });
  }
}
