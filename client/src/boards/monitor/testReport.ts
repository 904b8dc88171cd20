/** Reports a monitor test's result as sentences, a chart of the values, and a list of runs. */

import { counted, grouped } from '../../../../formats/src/counts.ts';
import type { ChartSeries } from '../../../../table/src/chart/chart.ts';
import type { ChartAnnotation, ChartThreshold } from '../../charts/marks.ts';
import type { RunView, TestView } from '../boardContent.ts';
import { type GroupOutcome, keyOf, type RunOutcome } from './evaluate.ts';
import { operators, type Rule } from './rule.ts';
import { queriesMax } from './schedule.ts';
import type { Watched } from './watchedTable.ts';

const listedMax = 500;
const seriesMax = 10;
const minuteMs = 60_000;

export interface Tested {
  readonly rule: Rule;
  readonly monitor: string;
  readonly watched: Watched;
  readonly queries: number;
  /** The number of runs in the chosen range, including runs that weren't tested. */
  readonly allRuns: number;
  /** One outcome per tested run, in time order. */
  readonly outcomes: readonly RunOutcome[];
}

export function testReport(tested: Tested): Pick<TestView, 'summary' | 'chart' | 'runs'> {
  const hasValues = tested.outcomes.some(({ groups }) =>
    groups.some(({ value }) => value !== undefined),
  );
  return {
    summary: summaryOf(tested),
    ...(hasValues && { chart: chartOf(tested) }),
    runs: runsOf(tested),
  };
}

function summaryOf({ rule, queries, allRuns, outcomes }: Tested): string[] {
  const isSent = (outcome: RunOutcome) => (group: GroupOutcome) =>
    outcomeText(rule, outcome, group).level === 'fired';
  const runsWith = (found: (group: GroupOutcome) => boolean) =>
    outcomes.filter(({ groups }) => groups.some(found)).length;
  // Count alerts, not runs: if groups alert separately, a run may send several.
  const fired = outcomes.flatMap((outcome) => outcome.groups.filter(isSent(outcome))).length;
  const events = outcomes.reduce((sum, outcome) => sum + outcome.events, 0);
  const positive = runsWith((group) => group.positive);
  const noData = runsWith(({ verdict }) => verdict === 'noData');
  const noHistory = runsWith(({ verdict }) => verdict === 'noHistory');
  const notes: readonly (readonly [count: number, text: string])[] = [
    [positive, `${counted(positive, 'run was', 'runs were')} positive.`],
    [noData, `${counted(noData, 'run')} had no data.`],
    [noHistory, `${counted(noHistory, 'run')} had no data on the days before to compare with.`],
  ];
  const isPart = outcomes.length < allRuns;
  const tested = isPart
    ? `the latest ${grouped(outcomes.length)} of ${counted(allRuns, 'run')}`
    : counted(outcomes.length, 'run');
  const alerts =
    rule.type === 'MatchEvent'
      ? `would have matched ${counted(events, 'event')}`
      : `would have sent ${counted(fired, 'alert')}`;
  return [
    `${tested} ${alerts}.`,
    ...notes.flatMap(([count, text]) => (count > 0 ? [text] : [])),
    isPart
      ? `Earlier runs were not tested, because a test sends at most ${queriesMax} queries.`
      : `Read with ${counted(queries, 'query', 'queries')}.`,
  ];
}

function verdictText(rule: Rule, { verdict, positive, expected }: GroupOutcome): string {
  if (verdict === 'noData') return 'No data';
  if (verdict === 'noHistory') return 'Nothing to compare with';
  if (rule.type === 'MatchEvent') return positive ? 'Events match' : 'No event';
  const bound = expected === undefined ? '' : ` ${short(expected)}`;
  if (rule.type === 'AnomalyDetection')
    return positive ? `Differs from${bound}` : `As expected,${bound}`;
  const { check } = operators[rule.operator];
  return `${positive ? check : `Not ${check.toLowerCase()}`}${bound}`;
}

function outcomeText(
  rule: Rule,
  { fired }: RunOutcome,
  { change, alerting, positive }: GroupOutcome,
): Pick<RunView, 'outcome' | 'level'> {
  if (rule.type === 'MatchEvent')
    return positive ? { outcome: 'Alert sent', level: 'fired' } : { outcome: '', level: 'normal' };
  if (change === 'opened') return { outcome: 'Alert sent', level: 'fired' };
  if (change === 'resolved') return { outcome: 'Resolved', level: 'resolved' };
  if (alerting && fired && rule.notifyEveryRun) return { outcome: 'Alert sent', level: 'fired' };
  if (alerting) return { outcome: 'Still alerting', level: 'positive' };
  if (positive) return { outcome: 'Not enough runs yet', level: 'positive' };
  return { outcome: '', level: 'normal' };
}

function runsOf({ rule, outcomes }: Tested): RunView[] {
  const views = outcomes.flatMap((outcome) =>
    outcome.groups.map((group) => ({
      time: minuteText(outcome.at),
      group: group.group.join(', '),
      value: group.value === undefined ? '' : short(group.value),
      verdict: verdictText(rule, group),
      ...outcomeText(rule, outcome, group),
    })),
  );
  return views
    .filter(({ level, verdict }) => level !== 'normal' || verdict === 'No data')
    .toReversed()
    .slice(0, listedMax);
}

/** Draws each run's deciding value by group, and shades the spans with open alerts. */
function chartOf({ rule, monitor, watched, outcomes }: Tested): NonNullable<TestView['chart']> {
  const times = outcomes.map(({ at }) => at);
  const interval = rule.intervalMinutes * minuteMs;
  const span = { from: (times[0] as number) - interval, to: times.at(-1) as number };
  const all = outcomes.flatMap(({ groups }) => groups);
  const keys = new Map(all.map(({ group }) => [keyOf(group), group.join(', ')]));
  const numbersOf = (key: string, member: 'value' | 'expected') =>
    outcomes.map(
      ({ groups }) => groups.find(({ group }) => keyOf(group) === key)?.[member] ?? null,
    );
  const [column, ...others] = watched.values;
  const columnName = column === undefined || others.length > 0 ? 'value' : column;
  const valueName = rule.type === 'MatchEvent' ? 'events' : columnName;
  const drawn = [...keys].slice(0, seriesMax);
  const series = drawn.map(([key, name]) =>
    seriesOf(key, name || valueName, numbersOf(key, 'value')),
  );
  const [only, ...more] = drawn;
  if (rule.type === 'AnomalyDetection' && only !== undefined && more.length === 0)
    series.push(seriesOf('expected', 'expected', numbersOf(only[0], 'expected')));
  const annotations = alertSpans(outcomes, interval);
  return {
    data: {
      kind: 'timeSeries',
      series,
      times,
      ...span,
      partial: { first: false, last: false },
      missing: series.reduce((sum, { y }) => sum + y.filter((value) => value === null).length, 0),
      reduced: false,
      ...(keys.size > drawn.length && { leftOut: keys.size - drawn.length }),
      skipped: 0,
    },
    marks: {
      annotations,
      thresholds: thresholdsOf(rule, monitor),
      notes: annotations.length > 0 ? ['An alert would have been open in the shaded areas.'] : [],
    },
    ...span,
  };
}

function seriesOf(key: string, name: string, y: readonly (number | null)[]): ChartSeries {
  const values = y.filter((value) => value !== null);
  const last = y.at(-1);
  return {
    key,
    name,
    column: 0,
    y,
    figures: {
      points: values.length,
      ...(values.length > 0 && {
        min: String(values.reduce((a, b) => Math.min(a, b))),
        max: String(values.reduce((a, b) => Math.max(a, b))),
        average: String(values.reduce((sum, value) => sum + value, 0) / values.length),
      }),
      ...(last !== null && last !== undefined && { last: String(last) }),
    },
  };
}

/** Returns the spans of open alerts, each from the run that opens the alert to the run that resolves it. */
function alertSpans(outcomes: readonly RunOutcome[], interval: number): ChartAnnotation[] {
  const spans: { time: number; endTime: number }[] = [];
  for (const { at, groups } of outcomes) {
    if (!groups.some(({ alerting }) => alerting)) continue;
    const open = spans.at(-1);
    if (open !== undefined && open.endTime === at) open.endTime = at + interval;
    else spans.push({ time: at, endTime: at + interval });
  }
  return spans.slice(-200).map(({ time, endTime }, index) => ({
    id: `alert ${index}`,
    // Omit the titles, because the labels of many alerts would overlap. A note explains the shaded areas.
    title: '',
    type: 'alert',
    time,
    endTime,
  }));
}

/** Returns the rule's threshold for a chart, or none if the rule isn't of type Threshold. */
export function thresholdsOf({ type, threshold }: Rule, name: string): ChartThreshold[] {
  return type === 'Threshold' ? [{ monitor: name, value: threshold }] : [];
}

/** Formats a time in UTC, such as `2026-01-31 08:30`. */
export function minuteText(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

function short(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 });
}
