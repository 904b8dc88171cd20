/** The result of a test of a monitor: in sentences, as a chart of the values, and as a list of runs. */
import type { ChartSeries } from '../../charts/chart.ts';
import type { ChartAnnotation } from '../../charts/marks.ts';
import { visibleText } from '../../results/visibleText.ts';
import type { RunView, TestView } from '../messages.ts';
import type { GroupOutcome, RunOutcome } from './evaluate.ts';
import type { ReadRuns } from './readRuns.ts';
import type { Operator, Rule } from './rule.ts';

/** Runs that are listed, of those with something to say. */
const listedMax = 500;
/** Groups that are drawn. */
const seriesMax = 10;
const minuteMs = 60_000;

type Report = Pick<TestView, 'summary' | 'chart' | 'runs'>;

export function testReport(
  rule: Rule,
  monitor: string,
  read: Pick<ReadRuns, 'watched' | 'queries' | 'leftOut' | 'reason'>,
  outcomes: readonly RunOutcome[],
): Report {
  return {
    summary: summaryOf(rule, read, outcomes),
    // Runs without a value have nothing to draw.
    ...(outcomes.some(({ groups }) => groups.some(({ value }) => value !== undefined)) && {
      chart: chartOf(rule, monitor, read.watched, outcomes),
    }),
    runs: runsOf(rule, outcomes),
  };
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

function summaryOf(
  rule: Rule,
  { queries, leftOut, reason }: Pick<ReadRuns, 'queries' | 'leftOut' | 'reason'>,
  outcomes: readonly RunOutcome[],
): string[] {
  const isSent = (outcome: RunOutcome) => (group: GroupOutcome) =>
    outcomeText(rule, outcome, group).level === 'fired';
  // Where each group alerts by itself, a run may send several.
  const fired = outcomes.flatMap((outcome) => outcome.groups.filter(isSent(outcome))).length;
  const positive = outcomes.filter(({ groups }) => groups.some((group) => group.positive)).length;
  const events = outcomes.reduce((sum, outcome) => sum + outcome.events, 0);
  const noData = outcomes.filter(({ groups }) => groups.some(isWithout('noData'))).length;
  const noHistory = outcomes.filter(({ groups }) => groups.some(isWithout('noHistory'))).length;
  const alerts =
    rule.type === 'MatchEvent'
      ? `would have matched ${count(events, 'event')}`
      : `would have sent ${count(fired, 'alert')}`;
  return [
    `${count(outcomes.length, 'run')} ${alerts}.`,
    ...(positive > 0 ? [`${count(positive, 'run was', 'runs were')} positive.`] : []),
    ...(noData > 0 ? [`${count(noData, 'run')} had no data.`] : []),
    ...(noHistory > 0
      ? [`${count(noHistory, 'run')} had no data on the days before to compare with.`]
      : []),
    ...(leftOut > 0
      ? [
          `${count(leftOut, 'earlier run was', 'earlier runs were')} left out: each run takes a query.`,
        ]
      : []),
    ...(reason === undefined
      ? [`Read with ${count(queries, 'query', 'queries')}.`]
      : [
          `Each run was queried separately, because ${reason}: ${count(queries, 'query', 'queries')}.`,
        ]),
  ];
}

function isWithout(verdict: GroupOutcome['verdict']) {
  return (group: GroupOutcome) => group.verdict === verdict;
}

const signs: Readonly<Record<Operator, string>> = {
  Above: 'Above',
  AboveOrEqual: 'At or above',
  Below: 'Below',
  BelowOrEqual: 'At or below',
  AboveOrBelow: 'Other than',
};

function verdictText(rule: Rule, { verdict, positive, expected }: GroupOutcome): string {
  if (verdict === 'noData') return 'No data';
  if (verdict === 'noHistory') return 'Nothing to compare with';
  if (rule.type === 'MatchEvent') return positive ? 'Events match' : 'No event';
  const bound = expected === undefined ? '' : ` ${short(expected)}`;
  if (rule.type === 'AnomalyDetection')
    return positive ? `Differs from${bound}` : `As expected,${bound}`;
  return positive
    ? `${signs[rule.operator]}${bound}`
    : `Not ${signs[rule.operator].toLowerCase()}${bound}`;
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

function runsOf(rule: Rule, outcomes: readonly RunOutcome[]): RunView[] {
  const views = outcomes.flatMap((outcome) =>
    outcome.groups.map((group): RunView => {
      const { value } = group;
      return {
        time: `${new Date(outcome.at).toISOString().slice(0, 16).replace('T', ' ')}`,
        group: visibleText(group.group.join(', ')),
        value: value === undefined ? '' : short(value),
        verdict: verdictText(rule, group),
        ...outcomeText(rule, outcome, group),
      };
    }),
  );
  return views
    .filter(({ level, verdict }) => level !== 'normal' || verdict === 'No data')
    .toReversed()
    .slice(0, listedMax);
}

/** The values that decided, by group, with the spans in which an alert was open. */
function chartOf(
  rule: Rule,
  monitor: string,
  { values: columns }: ReadRuns['watched'],
  outcomes: readonly RunOutcome[],
): NonNullable<TestView['chart']> {
  const times = outcomes.map(({ at }) => at);
  const interval = rule.intervalMinutes * minuteMs;
  const keys = new Map<string, string>();
  for (const { groups } of outcomes) {
    for (const { group } of groups) keys.set(JSON.stringify(group), group.join(', '));
  }
  const drawn = [...keys].slice(0, seriesMax);
  const find = ({ groups }: RunOutcome, key: string) =>
    groups.find(({ group }) => JSON.stringify(group) === key);
  const [only, ...others] = columns;
  const valueName =
    rule.type === 'MatchEvent'
      ? 'events'
      : only === undefined || others.length > 0
        ? 'value'
        : visibleText(only.name);
  const series = drawn.map(([key, name]) =>
    seriesOf(
      key,
      visibleText(name === '' ? valueName : name),
      outcomes.map((outcome) => find(outcome, key)?.value ?? null),
    ),
  );
  const [first] = drawn;
  const expected =
    rule.type === 'AnomalyDetection' && drawn.length === 1 && first !== undefined
      ? [
          seriesOf(
            'expected',
            'expected',
            outcomes.map((outcome) => find(outcome, first[0])?.expected ?? null),
          ),
        ]
      : [];
  const all = [...series, ...expected];
  const annotations = alertSpans(outcomes, interval);
  return {
    data: {
      kind: 'timeSeries',
      series: all,
      times,
      from: (times[0] as number) - interval,
      to: times.at(-1) as number,
      partial: { first: false, last: false },
      missing: all.reduce((sum, { y }) => sum + y.filter((value) => value === null).length, 0),
      reduced: false,
      ...(keys.size > drawn.length && { leftOut: keys.size - drawn.length }),
      skipped: 0,
    },
    marks: {
      annotations,
      thresholds:
        rule.type === 'Threshold'
          ? [{ monitor: visibleText(monitor), operator: rule.operator, value: rule.threshold }]
          : [],
      notes: annotations.length > 0 ? ['An alert would have been open in the shaded areas.'] : [],
    },
    from: (times[0] as number) - interval,
    to: times.at(-1) as number,
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

/** From the run that opens an alert to the one that resolves it; of events, each run that has any. */
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
    // Labels of many alerts would cover each other; a notice says what is shaded.
    title: '',
    type: 'alert',
    time,
    endTime,
  }));
}

function short(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 });
}
