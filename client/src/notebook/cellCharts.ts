// What charts do below a cell: a span that is selected by dragging becomes the cell's time range, and the cell runs
// again. The rest works as in the results.
import * as vscode from 'vscode';
import { answerService } from '../charts/host/answerService.ts';
import { rangeOf as rangeOfSpan } from '../charts/host/chartActions.ts';
import type { ChartEffects, ChartState, PictureFormat } from '../charts/host/chartEffects.ts';
import { EarlierAnswers } from '../charts/host/earlierAnswers.ts';
import { RangeHistory } from '../charts/host/rangeHistory.ts';
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
import { writeSetting } from './settings.ts';

type Parts = Pick<Context, 'deployments' | 'charts' | 'store'> & { readonly answers: Answers };

export class CellCharts implements ChartEffects, vscode.Disposable {
  readonly #parts: Parts;
  readonly #earlier: EarlierAnswers;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #ranges = new RangeHistory<vscode.NotebookCell, CellRange>();
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
      canGoBack: cell !== undefined && this.#formerOf(cell) !== undefined,
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
    this.#ranges.push(cell, former);
    await runCell(cell);
  }

  async back(tab: ResultTab): Promise<void> {
    const cell = cellOf(tab);
    const former = cell && this.#formerOf(cell);
    if (cell === undefined || former === undefined || !(await setRange(cell, former))) return;
    this.#ranges.pop(cell);
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

  /** Forgets the ranges of cells that are gone. */
  forget(cells: Iterable<vscode.NotebookCell>): void {
    this.#ranges.forget(cells);
  }

  /** The range to go back to, unless the cell has got or lost its range line since. */
  #formerOf(cell: vscode.NotebookCell): CellRange | undefined {
    const former = this.#ranges.last(cell);
    return former?.inLine === rangeIn(cell).inLine ? former : undefined;
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
  return writeRangeLine(cell.document, line, text);
}

/** The cell that has the query of a tab, while its notebook is open. */
function cellOf({ query }: ResultTab): vscode.NotebookCell | undefined {
  return cellAt(query.place?.uri);
}
