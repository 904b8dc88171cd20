/** Test against Data: the test's time range, its progress, and the monitor's simulated runs. */
import type { ChartRequest } from '../../../../table/src/chart/chart.ts';
import type { Chart, ChartContent, ChartParts } from '../../charts/view/module.ts';
import { textButton } from '../../webview/page/controls.ts';
import { element, setText, textNode } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { RunView, TestView } from '../boardContent.ts';
import { charts } from './cardAnswer.ts';
import { board } from './channel.ts';
import { numberOption, numberSelect } from './controls.ts';

const spans = [
  [6, 'Last 6 hours'],
  [24, 'Last 24 hours'],
  [72, 'Last 3 days'],
  [168, 'Last 7 days'],
  [0, 'Choose a time range…'],
] as const;

export class TestPanel {
  readonly element = element('section', { class: 'test', label: 'Test against Data' });
  readonly #span = numberSelect('Time range of the test');
  readonly #start = textButton('action', 'Test against Data', () => this.#run());
  readonly #cancel = textButton('action secondary', 'Cancel', () => board.send('cancelTest', null));
  readonly #progress = element('progress', { label: 'Progress of the test' });
  /** The number of finished queries. Not a live region: screen readers would announce every change. */
  readonly #count = element('span', { class: 'test-count' });
  readonly #state = element('p', { class: 'test-state optional', role: 'status' });
  readonly #chart = element('div', { class: 'test-chart' });
  readonly #runs = element('div', { class: 'test-runs' });
  #drawn: Chart | undefined;
  #drawing = 0;

  constructor() {
    this.#span.append(...spans.map(([hours, label]) => numberOption(hours, label)));
    this.#span.value = '24';
    this.#cancel.hidden = true;
    this.#progress.hidden = true;
    this.#chart.hidden = true;
    this.element.append(
      element('div', { class: 'test-bar flow' }, [
        element('h2', { text: 'Test against Data' }),
        this.#span,
        this.#start,
        this.#progress,
        this.#count,
        this.#cancel,
      ]),
      this.#state,
      this.#chart,
      this.#runs,
    );
  }

  setAllowed(reason: string | undefined): void {
    this.#start.disabled = reason !== undefined;
    if (reason !== undefined) setText(this.#state, reason);
  }

  update(test: TestView): void {
    const { phase, done, total, message, summary, runs, chart } = test;
    const isRunning = phase === 'running';
    const focused = document.activeElement;
    this.#progress.hidden = !isRunning;
    this.#cancel.hidden = !isRunning;
    // Move the focus first, because a disabled or hidden button loses it.
    if (isRunning && focused === this.#start) this.#cancel.focus();
    this.#start.disabled = isRunning;
    setText(this.#count, isRunning ? `${done} of ${total}` : '');
    this.element.ariaBusy = String(isRunning);
    this.#progress.max = total;
    this.#progress.value = done;
    this.#state.classList.toggle('failed', phase === 'failed');
    const [headline = '', ...others] = summary;
    const shown = {
      idle: [],
      running: [textNode('Running queries')],
      failed: [icon('warning'), textNode(message ?? '')],
      cancelled: [textNode('The test was cancelled.')],
      done: [
        element('strong', { text: `In the ${test.span}, ${headline}` }),
        textNode(` ${others.join(' ')}`),
      ],
    }[phase];
    const isSaid = isRunning && this.#state.textContent === shown[0]?.textContent;
    if (phase !== 'idle' && !isSaid) this.#state.replaceChildren(...shown);
    void this.#drawChart(chart, test);
    this.#drawRuns(phase === 'done' ? runs : []);
    if (!isRunning && focused === this.#cancel)
      (this.#runs.hasChildNodes() ? this.#runs : this.#start).focus();
  }

  dispose(): void {
    this.#drawing += 1;
    this.#drawn?.dispose();
  }

  #run(): void {
    const hours = Number(this.#span.value);
    board.send('test', { hours: hours === 0 ? null : hours });
  }

  async #drawChart(chart: TestView['chart'], test: TestView): Promise<void> {
    this.#drawing += 1;
    const drawing = this.#drawing;
    this.#drawn?.dispose();
    this.#drawn = undefined;
    this.#chart.hidden = chart === undefined;
    if (chart === undefined) return;
    const { create } = await charts();
    if (drawing !== this.#drawing) return;
    const content = contentOf(chart, test);
    this.#drawn = create(partsOf(chart), content);
    this.#chart.replaceChildren(this.#drawn.element);
    this.#drawn.update(content);
  }

  #drawRuns(runs: readonly RunView[]): void {
    if (runs.length === 0) return this.#runs.replaceChildren();
    const hasGroups = runs.some(({ group }) => group !== '');
    const heads = ['Run (UTC)', ...(hasGroups ? ['Group'] : []), 'Value', 'Check', 'Outcome'];
    const head = heads.map((text) => element('th', { text, attributes: { scope: 'col' } }));
    const rows = runs.map(({ time, group, value, verdict, outcome, level }) =>
      element('tr', { class: level }, [
        element('td', { text: time }),
        hasGroups ? element('td', { text: group }) : undefined,
        element('td', { class: 'number', text: value }),
        element('td', { text: verdict }),
        element('td', { class: 'outcome', text: outcome }),
      ]),
    );
    this.#runs.replaceChildren(
      element('table', { class: 'digits' }, [
        element('caption', { text: 'Runs that were positive, changed the alert or had no data' }),
        element('thead', { class: 'sticky' }, [element('tr', {}, head)]),
        element('tbody', {}, rows),
      ]),
    );
    this.#runs.tabIndex = 0;
  }
}

const ignore = () => undefined;

type TestChart = NonNullable<TestView['chart']>;

function contentOf(
  { data, from, to }: TestChart,
  { span, timeZone, localZone }: TestView,
): ChartContent {
  return {
    shape: {
      kinds: ['timeSeries'],
      time: 0,
      values: [1],
      defaultValues: [1],
      groups: [],
      style: data.times.length > 200 ? 'line' : 'bars',
      stacked: false,
    },
    choice: { style: 'line' },
    columns: [{ name: 'time' }, { name: 'value' }],
    title: 'Values of the runs',
    rangeLabel: span,
    range: { from, to },
    timeZone,
    localZone,
    editable: false,
    canSelectRange: false,
    canGoBack: false,
  };
}

/** Provides the chart's data from the test report, without requests to the host. */
function partsOf({ data, marks }: TestChart): ChartParts {
  return {
    rowCount: data.times.length,
    colors: { read: () => [], write: ignore },
    source: {
      data: async (_: ChartRequest) => data,
      earlierData: async () => data,
      point: async (_, time) => ({
        time: new Date(time).toISOString(),
        values: Object.fromEntries(
          data.series.map(({ key, y }) => {
            const value = y[data.times.indexOf(time)] ?? null;
            return [key, value === null ? null : String(value)];
          }),
        ),
      }),
      rows: async (from) => ({ from, rows: [], numbers: [] }),
      marks: async () => marks,
    },
    events: {
      choose: ignore,
      selectRange: ignore,
      back: ignore,
      annotate: ignore,
      filter: ignore,
      compare: ignore,
      savePicture: ignore,
      say: ignore,
    },
  };
}
