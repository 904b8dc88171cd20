// What charts do below a cell: a span that is selected by dragging becomes the cell's time range, and the cell runs
// again. The rest works as in the results.
import * as vscode from 'vscode';
import { answerService } from '../charts/host/answerService.ts';
import type { ChartEffects, ChartState, PictureFormat } from '../charts/host/chartEffects.ts';
import { EarlierAnswers } from '../charts/host/earlierAnswers.ts';
import { rangeOfSpan } from '../charts/host/rangeOfSpan.ts';
import { backState, type StepBack, StepsBack } from '../charts/host/stepsBack.ts';
import type { ChartMarks, EarlierOffset } from '../charts/marks.ts';
import type { Context } from '../context.ts';
import type { Answers } from '../query/answers.ts';
import { rangeLine } from '../query/fileLines.ts';
import { queryOf } from '../query/query.ts';
import { writeFileLine } from '../query/writeFileLine.ts';
import { removeFilter, writeFilter } from '../results/addFilter.ts';
import type { FilterCondition } from '../results/filterCondition.ts';
import type { HeldAnswer } from '../results/store/heldAnswer.ts';
import type { ResultTab, ResultTabs } from '../results/tabs.ts';
import { maxAnswerBytes, queryTimeoutMs, resultsTimeZone } from '../settings.ts';
import { rangeText } from '../time/timeRange.ts';
import { cellAt, runCell } from './cells.ts';
import { metadataKeys, querySettings } from './metadata.ts';
import { writeSetting } from './settings.ts';

type Parts = Pick<Context, 'deployments' | 'charts' | 'language' | 'store'> & {
  readonly answers: Answers;
};

export class CellCharts implements ChartEffects, vscode.Disposable {
  readonly #parts: Parts;
  readonly #earlier: EarlierAnswers;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #steps = new StepsBack<vscode.NotebookCell, CellRange>();
  readonly #subscriptions: vscode.Disposable;

  constructor(parts: Parts, tabs: ResultTabs) {
    this.#parts = parts;
    const { answers, charts, deployments, store } = parts;
    this.#earlier = new EarlierAnswers({
      answers,
      askInTab: async (_tab, _progress, signal, deployment, work) => {
        const service = await answerService(deployments, deployment);
        return service.ok ? work({ service: service.value, signal }) : service;
      },
      limits: () => ({ timeoutMs: queryTimeoutMs(), maxBytes: maxAnswerBytes() }),
      onChange: () => this.#changed.fire(),
    });
    const changed = () => this.#changed.fire();
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      charts.onDidChange(changed),
      tabs.onDidChange(({ changed, closed }) => {
        this.#earlier.closed(closed);
        for (const id of changed) {
          const tab = tabs.tab(id);
          if (tab) this.#earlier.tabChanged(tab, (answer) => store.get(answer));
        }
      }),
    );
  }

  state(tab: ResultTab, answer: HeldAnswer): ChartState {
    const cell = cellOf(tab);
    const earlier = this.#earlier.get(tab.id, answer.id);
    return {
      canSelectRange: cell !== undefined,
      ...backState(cell ? this.#stepsOf(cell, tab) : []),
      ...(earlier && { earlier }),
    };
  }

  async selectRange(tab: ResultTab, from: number, to: number): Promise<void> {
    const cell = cellOf(tab);
    const range = rangeOfSpan(from, to);
    if (cell === undefined || range === undefined) return;
    const former = rangeIn(cell);
    const text = rangeText(range, resultsTimeZone());
    if (!(await setRange(cell, { ...former, text }))) return;
    this.#steps.set(cell, [...this.#stepsOf(cell, tab), { kind: 'range', former }]);
    await runCell(cell);
  }

  async back(tab: ResultTab): Promise<void> {
    const cell = cellOf(tab);
    const steps = cell ? this.#stepsOf(cell, tab) : [];
    const step = steps.at(-1);
    if (cell === undefined || step === undefined) return this.#changed.fire();
    const before = steps.slice(0, -1);
    if (step.kind === 'range') {
      if (!(await setRange(cell, step.former))) return;
      this.#steps.set(cell, before);
      return runCell(cell);
    }
    const former = await removeFilter(this.#parts.language, queryOf(tab.query), step.filter);
    this.#steps.set(cell, before);
    if (former === undefined) return this.#changed.fire();
    await runCell(cell);
  }

  /** Writes conditions into the query of a cell, and runs the cell. */
  async addFilter(tab: ResultTab, conditions: readonly FilterCondition[]): Promise<void> {
    const cell = cellOf(tab);
    if (cell === undefined) return;
    const steps = this.#stepsOf(cell, tab);
    const filtered = await writeFilter(this.#parts.language, queryOf(tab.query), conditions);
    if (filtered === undefined) return;
    const { filter, query } = filtered;
    this.#steps.set(cell, [...steps, { kind: 'filter', filter, text: query.text }]);
    await runCell(cell);
  }

  annotate(answer: HeldAnswer, from: number, to: number): Promise<void> {
    return this.#parts.charts.annotate(answer, from, to);
  }

  compare(tab: ResultTab, answer: HeldAnswer, offset: EarlierOffset | null): void {
    this.#earlier.compare(tab, answer, offset);
  }

  marks(answer: HeldAnswer, signal: AbortSignal): Promise<ChartMarks> {
    return this.#parts.charts.marks(answer, signal);
  }

  savePicture(tab: ResultTab, format: PictureFormat, content: string): Promise<void> {
    return this.#parts.charts.savePicture(tab, format, content);
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.event(listener);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#earlier.dispose();
  }

  /** Forgets the way back in cells that are gone. */
  forget(cells: Iterable<vscode.NotebookCell>): void {
    this.#steps.forget(cells);
  }

  /** A range is not set again where the cell has gained or lost its range line since. */
  #stepsOf(cell: vscode.NotebookCell, { query }: ResultTab): readonly StepBack<CellRange>[] {
    const { inLine } = rangeIn(cell);
    return this.#steps.of(cell, {
      text: query.text,
      canSet: (former) => former.inLine === inLine,
    });
  }
}

interface CellRange {
  /** Whether a line of the cell states it, rather than the cell's metadata. */
  readonly inLine: boolean;
  /** As it is written; undefined where the cell follows its notebook. */
  readonly text: string | undefined;
}

function rangeIn({ document, metadata }: vscode.NotebookCell): CellRange {
  const line = rangeLine(document.getText());
  if (line !== undefined) return { inLine: true, text: line.text };
  return { inLine: false, text: querySettings(metadata).range };
}

/** False where the notebook could not be changed. */
async function setRange(cell: vscode.NotebookCell, { inLine, text }: CellRange): Promise<boolean> {
  if (!inLine) return writeSetting(cell, metadataKeys.range, text);
  const line = rangeLine(cell.document.getText());
  if (line === undefined || text === undefined) return false;
  return writeFileLine(cell.document, line, text);
}

/** The cell that has the query of a tab, while its notebook is open. */
function cellOf({ query }: ResultTab): vscode.NotebookCell | undefined {
  return cellAt(query.place?.uri);
}
