/** The chart of an answer's table. Connects the bundle that draws charts to the host. */
import type { ChartChoice, ChartData } from '../../../../table/src/chart/chart.ts';
import type { TabId } from '../../answers/tabs.ts';
import { parseChart } from '../../charts/chartText.ts';
import type { Chart, ChartContent, ChartModule, ChartParts } from '../../charts/view/module.ts';
import { element } from '../../webview/page/dom.ts';
import type { RequestParams } from '../../webview/pageContract.ts';
import { errorMessage } from '../../words/errors.ts';
import type { ResultContent, ViewTable } from '../pageContent.ts';
import type { ResultsContract } from '../resultsContract.ts';
import { channel } from './channel.ts';
import { colorMemory } from './colorMemory.ts';

interface ChartPaneParts {
  readonly result: ResultContent;
  readonly table: number;
  readonly choice: ChartChoice;
  readonly tab: TabId;
  readonly zones: { readonly timeZone: 'utc' | 'local'; readonly localZone: string };
  readonly load: () => Promise<ChartModule>;
  readonly onChoose: (choice: ChartChoice) => void;
}

export class ChartPane {
  readonly element = element('div', { class: 'chart-pane fill' });
  #parts: ChartPaneParts;
  #choice: ChartChoice;
  #chart: Chart | undefined;
  #isDisposed = false;
  #takesFocus = false;

  constructor(parts: ChartPaneParts) {
    this.#parts = parts;
    this.#choice = parts.choice;
  }

  /** Draws the chart. The element must be in the page. */
  async start(): Promise<void> {
    try {
      const { create } = await this.#parts.load();
      if (this.#isDisposed) return;
      this.#chart = create(this.#chartParts(), this.#content());
      this.element.replaceChildren(this.#chart.element);
      this.#chart.update(this.#content());
      const isFree = document.hasFocus() && document.activeElement?.contains(this.element);
      if (this.#takesFocus && isFree) this.#chart.focus();
    } catch (error) {
      const text = errorMessage(error);
      this.element.replaceChildren(element('p', { class: 'problem wraps', text, role: 'alert' }));
    }
  }

  /** Updates the chart after the available actions or the compared answer changed. */
  update(result: ResultContent): void {
    this.#parts = { ...this.#parts, result };
    this.#chart?.update(this.#content());
  }

  marksChanged(): void {
    this.#chart?.marksChanged();
  }

  focus(): void {
    this.#takesFocus = this.#chart === undefined;
    this.#chart?.focus();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#chart?.dispose();
  }

  get #table(): ViewTable {
    return this.#parts.result.tables[this.#parts.table] as ViewTable;
  }

  #content(): ChartContent {
    const { result, zones } = this.#parts;
    const { title, charts, editable, rangeLabel } = result;
    return {
      shape: this.#table.chart,
      choice: this.#choice,
      columns: this.#table.columns.map(({ name, unit, kind }) => ({
        name,
        ...(unit !== undefined && kind !== 'time' && { unit }),
      })),
      title,
      rangeLabel,
      ...(this.#table.range && { range: this.#table.range }),
      ...zones,
      editable,
      canSelectRange: charts?.canSelectRange === true,
      canGoBack: charts?.canGoBack === true,
      ...(charts?.earlier && { earlier: charts.earlier }),
    };
  }

  #chartParts(): ChartParts {
    const { result, table, tab } = this.#parts;
    const { answer } = result;
    const place = { answer, table };
    const earlierPlace = () => {
      const state = this.#parts.result.charts?.earlier?.state;
      return { answer: state?.kind === 'ready' ? state.answer : answer, table };
    };
    return {
      rowCount: this.#table.rowCount,
      colors: colorMemory(tab),
      source: {
        data: (request, signal) => chartData({ ...place, request }, signal),
        earlierData: (request, signal) =>
          chartData({ ...earlierPlace(), request, filteredAs: answer }, signal),
        point: (request, time, signal) =>
          channel.request('chartPoint', { ...place, request, time }, signal),
        rows: (from, to, columns, signal) =>
          channel.request('window', { ...place, from, to, columns, search: false }, signal),
        marks: (signal) => channel.request('chartMarks', { answer }, signal),
      },
      events: {
        choose: (choice) => {
          this.#choice = choice;
          this.#parts.onChoose(choice);
          this.#chart?.update(this.#content());
        },
        selectRange: (from, to) => channel.send('selectRange', { answer, from, to }),
        back: () => channel.send('back', { answer }),
        annotate: (from, to) => channel.send('annotate', { answer, from, to }),
        filter: ({ row, columns }, exclude) =>
          channel.send('filterMark', { ...place, row, columns, exclude }),
        compare: (offset) => channel.send('compare', { answer, minutes: offset?.minutes ?? null }),
        savePicture: (format, content) => channel.send('savePicture', { answer, format, content }),
        say: (message) => channel.send('inform', { message }),
      },
    };
  }
}

async function chartData(
  params: RequestParams<ResultsContract, 'chart'>,
  signal: AbortSignal,
): Promise<ChartData> {
  return parseChart(await channel.request('chart', params, signal));
}
