/** A monitor page's session: its rule in words, its chart with thresholds, and its test. Does not import vscode. */

import type { Members } from '../../../../resources/src/value.ts';
import type { QueryFacts } from '../../../../server/src/protocol.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { ChartMarks } from '../../charts/marks.ts';
import type { Outcome } from '../../service/failure.ts';
import {
  boundNanoseconds,
  fallbackTimeRange,
  rangeLabel,
  type TimeRange,
  timestamp,
} from '../../time/timeRange.ts';
import type { CardView, MonitorView, TestView } from '../boardContent.ts';
import { type Card, textOf } from '../model/dashboard.ts';
import { evaluate } from '../monitor/evaluate.ts';
import { hasAutomaticBins, queryOverTime } from '../monitor/overTime.ts';
import { readRuns } from '../monitor/readRuns.ts';
import { type Rule, readRule } from '../monitor/rule.ts';
import { ruleInWords, type WatchedColumns } from '../monitor/ruleWords.ts';
import { countRuns, lastRun, latestRuns } from '../monitor/schedule.ts';
import { minuteText, testReport, thresholdsOf } from '../monitor/testReport.ts';
import { BoardPage } from './boardPage.ts';
import type { CardQuestion } from './cards.ts';
import type { PageParts } from './pageParts.ts';

interface MonitorParts extends PageParts {
  /** Changes members of the monitor on the deployment. Returns undefined if the user declined. */
  change(change: Members): Promise<Outcome<Members> | undefined>;
  /** Prompts for the time until which the monitor is disabled, and returns it as RFC 3339. */
  askUntil(): Promise<string | undefined>;
  queryFacts(apl: string): Promise<QueryFacts>;
}

const needs = {
  load: 'read access to monitors',
  query: 'query access to the datasets of the monitor',
};
const cardId = 'chart';
const lastDay: TimeRange = { ...fallbackTimeRange, start: { kind: 'ago', amount: 24, unit: 'h' } };

const AUTOMATIC_BINS =
  'The bins of bin_auto are wider here than in a run. Test against Data shows the values that are compared.';

export class MonitorSession {
  readonly page: BoardPage;
  readonly #parts: MonitorParts;
  #monitor: Members | undefined;
  #rule: Rule = readRule({});
  #apl = '';
  #columns: WatchedColumns = { values: [], groups: [] };
  #test: TestView;
  #testing: AbortController | undefined;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
    this.#test = this.#idle();
    const asking = {
      ...parts,
      ask: (...asked: Parameters<MonitorParts['ask']>) => this.#askChart(...asked),
    };
    this.page = new BoardPage(asking, {
      view: () => this.#monitor && this.#viewOf(this.#monitor),
      show: (monitor) => this.#show(monitor),
      kept: () => ({ ...parts.opened, name: String(this.#monitor?.name ?? parts.opened.name) }),
      attached: () => {
        if (this.#test.phase !== 'idle') this.page.send('test', this.#test);
      },
      needs,
      againstMinutes: () => 0,
      defaultRange: () => lastDay,
      onRange: () => {
        this.page.draw();
        this.#ask();
      },
      rangeTitle: 'Time Range of the Chart',
      marks: async () => this.#marks(),
      answered: ({ head }) => this.#learnColumns(head.tables[0]),
      ask: () => this.#ask(),
      events: {
        openQuery: () => parts.openQuery(this.#question()),
        setEnabled: ({ enabled }) =>
          this.#change({ disabled: !enabled, ...(enabled && { disabledUntil: null }) }),
        disableUntil: () => this.#disableUntil(),
        test: ({ hours }) => this.#runTest(hours),
        cancelTest: () => this.#testing?.abort(),
      },
    });
  }

  get test(): TestView {
    return this.#test;
  }

  /** Pauses chart requests while the page is hidden. A running test continues. */
  setVisible(isVisible: boolean): void {
    const { queue, cards } = this.page;
    if (!isVisible) return queue.pause();
    queue.resume();
    if (this.#apl !== '' && cards.states.some(({ phase }) => phase !== 'ready')) this.#ask();
  }

  dispose(): void {
    this.#testing?.abort();
    this.page.dispose();
  }

  #show(monitor: Members): void {
    this.#monitor = monitor;
    this.#rule = readRule(monitor);
    this.#apl = textOf(monitor.aplQuery) ?? '';
    this.page.cards.set(this.#apl === '' ? [] : [this.#card()]);
    this.page.draw();
    if (this.#apl !== '') this.#ask();
  }

  #viewOf(monitor: Members): MonitorView {
    const { opened, timeZone, now } = this.#parts;
    const until = Date.parse(textOf(monitor.disabledUntil) ?? '');
    const isPaused = until > now();
    const untestable = this.#untestable();
    return {
      kind: 'monitor',
      name: String(monitor.name ?? opened.name),
      description: textOf(monitor.description) ?? '',
      deployment: opened.deployment,
      type: this.#rule.typeName,
      state: stateText(monitor.disabled === true, isPaused ? until : undefined),
      isEnabled: monitor.disabled !== true && !isPaused,
      rule: ruleInWords(this.#rule, this.#columns),
      window: rangeLabel(this.page.range, timeZone()),
      card: this.#cardView(),
      ...(untestable !== undefined && { untestable }),
    };
  }

  #untestable(): string | undefined {
    if (this.#apl === '') return 'Monitors with metrics queries cannot be tested.';
    if (this.#rule.type === undefined)
      return `Monitors of type ${this.#rule.typeName || 'unknown'} cannot be tested.`;
    return undefined;
  }

  #card(): Card {
    return {
      id: cardId,
      type: 'TimeSeries',
      name: 'Result of the Query',
      kind: 'chart',
      place: { x: 0, y: 0, w: 12, h: 6 },
      apl: this.#apl,
      filters: [],
      // Don't stack the series, because the threshold applies to each value.
      choice: { style: 'line', stacked: false },
      shown: 'chart',
      totals: false,
    };
  }

  #cardView(): CardView {
    const { id, type, name, place } = this.#card();
    const hasQuery = this.#apl !== '';
    const kind = hasQuery ? 'chart' : 'unknown';
    const text = 'The monitor has no APL query. Metrics queries are not supported.';
    return { id, type, name, kind, place, hasQuery, filters: [], ...(!hasQuery && { text }) };
  }

  #question(): CardQuestion {
    return {
      title: String(this.#monitor?.name ?? 'Monitor'),
      apl: this.#apl,
      range: this.page.range,
    };
  }

  #ask(): void {
    this.page.cards.ask(cardId, this.#question());
  }

  /** Queries values over time if the monitor's query returns one value per run; otherwise runs the query unchanged. */
  async #askChart(question: CardQuestion, signal: AbortSignal): ReturnType<MonitorParts['ask']> {
    const { queryFacts } = this.#parts;
    const overTime = await queryOverTime(this.#rule, question.apl, queryFacts).catch(
      () => undefined,
    );
    if (overTime === undefined) return this.#parts.ask(question, signal);
    const answer = await this.#parts.ask({ ...question, apl: overTime }, signal);
    const isRefused = answer?.ok === false && answer.failure.status === 400;
    return isRefused ? this.#parts.ask(question, signal) : answer;
  }

  #marks(): ChartMarks {
    const rule = this.#rule;
    const { from, to } = lastRun(rule, this.#parts.now());
    return {
      annotations: [{ id: 'range', title: '', type: 'range', time: from, endTime: to }],
      thresholds: thresholdsOf(rule, String(this.#monitor?.name ?? '')).map((threshold) => ({
        ...threshold,
        ...(rule.column !== undefined && { column: rule.column }),
      })),
      notes: [
        'The shaded area is the time range of the latest run.',
        ...(rule.type === 'Threshold' && hasAutomaticBins(this.#apl) ? [AUTOMATIC_BINS] : []),
      ],
    };
  }

  #learnColumns(table: HeldAnswer['head']['tables'][number] | undefined): void {
    if (table === undefined || table.fields.length === 0) return;
    const { fields, groups } = table;
    const isTime = (name: string) =>
      fields.some((field) => field.name === name && field.type === 'datetime');
    const numbers = fields.filter(
      ({ name, type }) => !groups.includes(name) && /^(?:integer|float)/.test(type),
    );
    const columns = {
      values: numbers.map(({ name }) => name),
      groups: groups.filter((name) => !isTime(name)),
    };
    if (JSON.stringify(columns) === JSON.stringify(this.#columns)) return;
    this.#columns = columns;
    this.page.draw();
  }

  async #change(change: Members): Promise<void> {
    const changed = await this.#parts.change(change);
    if (changed === undefined) return;
    if (changed.ok) {
      this.#monitor = changed.value;
      this.#rule = readRule(changed.value);
      return this.page.draw();
    }
    if (changed.failure.kind === 'cancelled') return;
    const { message } = this.#parts.advice(changed.failure, 'update access to monitors');
    this.#parts.effects.warn(`The monitor was not changed. ${message}`);
  }

  async #disableUntil(): Promise<void> {
    const until = await this.#parts.askUntil();
    if (until !== undefined) await this.#change({ disabled: false, disabledUntil: until });
  }

  #idle(): TestView {
    const { timeZone } = this.#parts;
    return {
      phase: 'idle',
      span: '',
      done: 0,
      total: 0,
      summary: [],
      runs: [],
      timeZone: timeZone(),
      localZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
  }

  #setTest(change: Partial<TestView>): void {
    this.#test = { ...this.#test, ...change };
    this.page.send('test', this.#test);
  }

  async #runTest(hours: number | null): Promise<void> {
    const zone = this.#parts.timeZone();
    const range: TimeRange | undefined =
      hours === null
        ? await this.#parts.chooseRange('Time Range of the Test', this.page.range)
        : { start: { kind: 'ago', amount: hours, unit: 'h' }, end: { kind: 'now' } };
    if (range === undefined) return;
    const at = this.#parts.now();
    const [from, to] = [range.start, range.end].map((bound) =>
      Number(boundNanoseconds(bound, at, zone) / 1_000_000n),
    ) as [number, number];
    this.#testing?.abort();
    this.#testing = undefined;
    const span = rangeLabel(range, zone);
    const rule = this.#rule;
    const end = Math.min(to, at);
    const { runs, spans } = latestRuns(rule, from, end);
    const [first] = runs;
    this.#test = this.#idle();
    if (first === undefined) {
      const message = `The monitor runs every ${rule.intervalMinutes} minutes, so it has no run in this time range. Choose a longer time range.`;
      return this.#setTest({ phase: 'failed', span, message });
    }
    const controller = new AbortController();
    this.#testing = controller;
    this.#setTest({ phase: 'running', span, total: spans.length });
    const { signal } = controller;
    const read = await readRuns({
      rule,
      apl: this.#apl,
      spans,
      maxConcurrent: this.#parts.atOnce(),
      signal,
      ask: (apl, start, stop, asking) =>
        this.#parts.value({ title: 'Test', apl, range: rangeBetween(start, stop) }, asking),
      onProgress: (done) => {
        if (!signal.aborted) this.#setTest({ done });
      },
    });
    if (this.#testing !== controller) return;
    this.#testing = undefined;
    if (signal.aborted) return this.#setTest({ phase: 'cancelled' });
    if (!read.ok) {
      const { message } = this.#parts.advice(read.failure, needs.query);
      return this.#setTest({ phase: 'failed', message });
    }
    const outcomes = evaluate(rule, read.value.runs, first.at);
    this.#setTest({
      phase: 'done',
      ...testReport({
        rule,
        monitor: String(this.#monitor?.name ?? ''),
        watched: read.value.watched,
        queries: spans.length,
        allRuns: countRuns(rule, from, end),
        outcomes,
      }),
    });
  }
}

function rangeBetween(from: number, to: number): TimeRange {
  const at = (time: number) => ({
    kind: 'at' as const,
    time: timestamp(BigInt(Math.round(time)) * 1_000_000n) ?? '1970-01-01T00:00:00Z',
  });
  return { start: at(from), end: at(to) };
}

/** `until` is the time until which the monitor is disabled, in milliseconds since 1970. */
function stateText(isDisabled: boolean, until: number | undefined): string {
  if (isDisabled) return 'Disabled';
  if (until === undefined) return 'Enabled';
  return `Disabled until ${minuteText(until)} UTC`;
}
