// What charts do below a cell: a span that is dragged over becomes the cell's time range, and the cell runs
// again. The rest is done as in the results.
import * as vscode from 'vscode';
import { answerService } from '../charts/host/answerService.ts';
import { rangeOf as rangeOfSpan } from '../charts/host/chartActions.ts';
import type { ChartEffects, ChartState, PictureFormat } from '../charts/host/chartEffects.ts';
import { EarlierAnswers } from '../charts/host/earlierAnswers.ts';
import { backState, type StepBack, stepsFrom, withStep } from '../charts/host/stepsBack.ts';
import type { ChartMarks, EarlierOffset } from '../charts/marks.ts';
import type { Context } from '../context.ts';
import type { Answers } from '../query/answers.ts';
import { queryOf } from '../query/query.ts';
import { rangeLine } from '../query/rangeLine.ts';
import { writeRangeLine } from '../query/writeRangeLine.ts';
import { removeFilter, writeFilter } from '../results/addFilter.ts';
import type { FilterCondition } from '../results/filterCondition.ts';
import type { HeldAnswer } from '../results/store/heldAnswer.ts';
import type { ResultTab, ResultTabs } from '../results/tabs.ts';
import { maxAnswerBytes, queryTimeoutMs, resultsTimeZone } from '../settings.ts';
import { rangeText } from '../timeRange.ts';
import { metadataKeys, querySettings } from './metadata.ts';
import { clearSetting, writeSetting } from './settings.ts';

type Parts = Pick<Context, 'deployments' | 'charts' | 'language'> & { readonly answers: Answers };

export class CellCharts implements ChartEffects, vscode.Disposable {
  readonly #parts: Parts;
  readonly #earlier: EarlierAnswers;
  readonly #changed = new vscode.EventEmitter<void>();
  /** By cell. A former range is undefined where the cell followed its notebook. */
  readonly #steps = new WeakMap<vscode.NotebookCell, readonly StepBack<string | undefined>[]>();
  readonly #subscriptions: vscode.Disposable;

  constructor(parts: Parts, tabs: ResultTabs) {
    this.#parts = parts;
    const { answers, charts, deployments } = parts;
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
      tabs.onDidChange(({ closed }) => this.#earlier.closed(closed)),
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
    const text = rangeText(range, resultsTimeZone());
    const line = rangeLine(cell.document.getText());
    const former = line?.text ?? querySettings(cell.metadata).range;
    this.#steps.set(cell, withStep(this.#stepsOf(cell, tab), { kind: 'range', former }));
    await this.#setRange(cell, text);
  }

  async back(tab: ResultTab): Promise<void> {
    const cell = cellOf(tab);
    const steps = cell ? this.#stepsOf(cell, tab) : [];
    const step = steps.at(-1);
    if (cell === undefined || step === undefined) return;
    this.#steps.set(cell, steps.slice(0, -1));
    if (step.kind === 'range') return this.#setRange(cell, step.former);
    const former = await removeFilter(this.#parts.language, queryOf(tab.query), step.filter);
    if (former === undefined) return this.#changed.fire();
    await runCell(cell);
  }

  /** Writes conditions into the query of a cell, and runs the cell. */
  async addFilter(tab: ResultTab, conditions: readonly FilterCondition[]): Promise<void> {
    const cell = cellOf(tab);
    if (cell === undefined) return;
    const query = queryOf(tab.query);
    const filtered = await writeFilter(this.#parts.language, query, conditions);
    if (filtered === undefined) return;
    const {
      filter,
      query: { text },
    } = filtered;
    this.#steps.set(cell, withStep(this.#stepsOf(cell, tab), { kind: 'filter', filter, text }));
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

  /** Sets the range where the cell has its own, and runs the cell. */
  async #setRange(cell: vscode.NotebookCell, text: string | undefined): Promise<void> {
    const line = rangeLine(cell.document.getText());
    if (line !== undefined && text !== undefined) await writeRangeLine(cell.document, line, text);
    else if (text === undefined) await clearSetting(cell, metadataKeys.range);
    else await writeSetting(cell, metadataKeys.range, text);
    await runCell(cell);
  }

  #stepsOf(cell: vscode.NotebookCell, { query }: ResultTab) {
    return stepsFrom(this.#steps.get(cell), query.text);
  }
}

async function runCell({ index, notebook }: vscode.NotebookCell): Promise<void> {
  await vscode.commands.executeCommand('notebook.cell.execute', {
    ranges: [{ start: index, end: index + 1 }],
    document: notebook.uri,
  });
}

/** The cell that holds the query of a tab, while its notebook is open. */
function cellOf({ query }: ResultTab): vscode.NotebookCell | undefined {
  const uri = query.place?.uri;
  for (const notebook of vscode.workspace.notebookDocuments) {
    const found = notebook.getCells().find(({ document }) => document.uri.toString() === uri);
    if (found) return found;
  }
  return undefined;
}
