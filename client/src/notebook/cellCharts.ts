// What charts do below a cell: a span that is dragged over becomes the cell's time range, and the cell runs
// again. The rest is done as in the results.
import * as vscode from 'vscode';
import { answerService } from '../charts/host/answerService.ts';
import { rangeOf as rangeOfSpan } from '../charts/host/chartActions.ts';
import type { ChartEffects, ChartState, PictureFormat } from '../charts/host/chartEffects.ts';
import { EarlierAnswers } from '../charts/host/earlierAnswers.ts';
import type { ChartMarks, EarlierOffset } from '../charts/marks.ts';
import type { Context } from '../context.ts';
import type { Answers } from '../query/answers.ts';
import { rangeLine } from '../query/rangeLine.ts';
import { writeRangeLine } from '../query/writeRangeLine.ts';
import type { HeldAnswer } from '../results/store/heldAnswer.ts';
import type { ResultTab, ResultTabs } from '../results/tabs.ts';
import { maxAnswerBytes, queryTimeoutMs, resultsTimeZone } from '../settings.ts';
import { rangeText } from '../timeRange.ts';
import { cellAt, runCell } from './cells.ts';
import { metadataKeys, querySettings } from './metadata.ts';
import { clearSetting, writeSetting } from './settings.ts';

type Parts = Pick<Context, 'deployments' | 'charts'> & { readonly answers: Answers };

export class CellCharts implements ChartEffects, vscode.Disposable {
  readonly #parts: Parts;
  readonly #earlier: EarlierAnswers;
  readonly #changed = new vscode.EventEmitter<void>();
  /** By cell, the ranges that spans were chosen from; undefined where the cell followed its notebook. */
  readonly #former = new WeakMap<vscode.NotebookCell, (string | undefined)[]>();
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
      canGoBack: cell !== undefined && (this.#former.get(cell)?.length ?? 0) > 0,
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
    this.#former.set(cell, [...(this.#former.get(cell) ?? []), former]);
    await this.#setRange(cell, text);
  }

  async back(tab: ResultTab): Promise<void> {
    const cell = cellOf(tab);
    const former = cell && this.#former.get(cell);
    if (cell === undefined || former === undefined || former.length === 0) return;
    await this.#setRange(cell, former.pop());
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
}

/** The cell that has the query of a tab, while its notebook is open. */
function cellOf({ query }: ResultTab): vscode.NotebookCell | undefined {
  return cellAt(query.place?.uri);
}
