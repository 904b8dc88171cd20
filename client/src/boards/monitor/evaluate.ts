/**
 * What a monitor's runs would have come to: a pure function of its rule and the rows that each run would have read.
 * Where the service's documentation is silent, `docs/choices.md` says what is assumed.
 */
import type { Rule } from './rule.ts';

/** A row of the answer of a run. */
export interface RunRow {
  /** The values of the columns that group, as text; empty without groups. */
  readonly group: readonly string[];
  /** Of a row that is a bin of time: its start in milliseconds after the start of what the run reads; otherwise 0. */
  readonly offset: number;
  /** The numbers of the columns that are watched; null where there is none. */
  readonly values: readonly (number | null)[];
}

/** The time of a run in milliseconds since 1970, and the rows that it reads. */
export interface Run {
  readonly at: number;
  readonly rows: readonly RunRow[];
}

/** Why a run is positive or not. */
export type Verdict =
  | 'positive'
  | 'negative'
  /** The query has no numbers in the range. */
  | 'noData'
  /** There is nothing in the days before to compare with. */
  | 'noHistory';

export interface GroupOutcome {
  /** Empty for all groups together. */
  readonly group: readonly string[];
  readonly verdict: Verdict;
  /** Whether the run counts as positive, which no data may do. */
  readonly positive: boolean;
  /** The value that decides: the one that crosses furthest, or else comes closest. */
  readonly value?: number;
  /** What it was compared with: the threshold, or the expected value. */
  readonly expected?: number;
  /** Whether the alert is open after the run. */
  readonly alerting: boolean;
  readonly change?: 'opened' | 'resolved';
}

export interface RunOutcome {
  readonly at: number;
  /** For all groups together, or of each where groups alert on their own. */
  readonly groups: readonly GroupOutcome[];
  /** The matched events, for a monitor that looks for events. */
  readonly events: number;
  /** Whether the run would have sent an alert: when one is opened, or with every run that alerts. */
  readonly fired: boolean;
}

const dayMs = 86_400_000;

/**
 * The outcomes of runs in the order of their times. `from` is the time of the first run that counts: runs before it
 * are the history that anomalies are compared with. No alert is open before the first run.
 */
export function evaluate(rule: Rule, runs: readonly Run[], from = 0): RunOutcome[] {
  const ordered = [...runs].sort((a, b) => a.at - b.at);
  const counted = ordered.filter(({ at }) => at >= from);
  if (rule.type === 'MatchEvent') return counted.map(matched);
  const history = new Map(ordered.map((run) => [run.at, pointsOf(run)]));
  const alerts = new Alerts(rule);
  return counted.map((run) => {
    const judged = judge(rule, run, history);
    const groups = alerts.after(rule.notifyByGroup ? judged : [together(judged)]);
    const fired = groups.some(
      ({ change, alerting }) => change === 'opened' || (rule.notifyEveryRun && alerting),
    );
    return { at: run.at, groups, events: 0, fired };
  });
}

function matched({ at, rows }: Run): RunOutcome {
  const events = rows.reduce((sum, { values }) => sum + (values[0] ?? 1), 0);
  const positive = events > 0;
  const verdict = positive ? 'positive' : 'negative';
  const group = { group: [], verdict, positive, value: events, alerting: positive } as const;
  return { at, groups: [group], events, fired: positive };
}

interface Judged {
  readonly group: readonly string[];
  readonly verdict: Verdict;
  readonly value?: number;
  readonly expected?: number;
  /** How far the value is beyond the bound, the greatest deciding; negative where it is within. */
  readonly beyond: number;
}

const keyOf = (group: readonly string[]): string => JSON.stringify(group);

/** The numbers of a run by group, bin and column, for the run a day later to be compared with. */
function pointsOf({ rows }: Run): ReadonlyMap<string, number> {
  const points = new Map<string, number>();
  for (const { group, offset, values } of rows) {
    values.forEach((value, column) => {
      if (value !== null) points.set(pointKey(group, offset, column), value);
    });
  }
  return points;
}

function pointKey(group: readonly string[], offset: number, column: number): string {
  return `${offset} ${column} ${keyOf(group)}`;
}

/** One judgement for each group that the run has; one for all where it has none. */
function judge(
  rule: Rule,
  run: Run,
  history: ReadonlyMap<number, ReadonlyMap<string, number>>,
): Judged[] {
  const byGroup = new Map<string, Judged>();
  for (const { group, offset, values } of run.rows) {
    const key = keyOf(group);
    let best = byGroup.get(key) ?? { group, verdict: 'noData', beyond: Number.NEGATIVE_INFINITY };
    values.forEach((value, column) => {
      if (value === null || Number.isNaN(value)) return;
      const expected =
        rule.type === 'AnomalyDetection'
          ? expectedAt(rule, run.at, pointKey(group, offset, column), history)
          : rule.threshold;
      best = worse(best, judgeValue(rule, group, value, expected));
    });
    byGroup.set(key, best);
  }
  if (byGroup.size === 0)
    return [{ group: [], verdict: 'noData', beyond: Number.NEGATIVE_INFINITY }];
  return [...byGroup.values()];
}

const severity: Readonly<Record<Verdict, number>> = {
  positive: 3,
  negative: 2,
  noHistory: 1,
  noData: 0,
};

function worse(one: Judged, other: Judged): Judged {
  const difference = severity[other.verdict] - severity[one.verdict];
  return difference > 0 || (difference === 0 && other.beyond > one.beyond) ? other : one;
}

/** The average of the same point on the days before; undefined where none of them has it. */
function expectedAt(
  { compareDays }: Rule,
  at: number,
  key: string,
  history: ReadonlyMap<number, ReadonlyMap<string, number>>,
): number | undefined {
  const values: number[] = [];
  for (let day = 1; day <= compareDays; day += 1) {
    const value = history.get(at - day * dayMs)?.get(key);
    if (value !== undefined) values.push(value);
  }
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function judgeValue(
  rule: Rule,
  group: readonly string[],
  value: number,
  expected: number | undefined,
): Judged {
  if (expected === undefined)
    return { group, verdict: 'noHistory', value, beyond: Number.NEGATIVE_INFINITY };
  const beyond = beyondOf(rule, value, expected);
  const verdict = beyond > 0 || (beyond === 0 && includesBound(rule)) ? 'positive' : 'negative';
  return { group, verdict, value, expected, beyond };
}

/** How far a value is beyond the bound of the operator. */
function beyondOf(rule: Rule, value: number, expected: number): number {
  const hasMargin = rule.type === 'AnomalyDetection' || rule.operator === 'AboveOrBelow';
  const margin = hasMargin ? (Math.abs(expected) * rule.tolerance) / 100 : 0;
  switch (rule.operator) {
    case 'Above':
    case 'AboveOrEqual':
      return value - (expected + margin);
    case 'Below':
    case 'BelowOrEqual':
      return expected - margin - value;
    case 'AboveOrBelow':
      return Math.abs(value - expected) - margin;
  }
}

/** A deviation must exceed the tolerance, whatever the operator. */
function includesBound({ type, operator }: Rule): boolean {
  return type === 'Threshold' && (operator === 'AboveOrEqual' || operator === 'BelowOrEqual');
}

function together(judged: readonly Judged[]): Judged {
  const { group: _, ...worst } = judged.reduce(worse);
  return { group: [], ...worst };
}

/** The alerts that are open, by group, and the last runs that they depend on. */
class Alerts {
  readonly #rule: Rule;
  readonly #recent = new Map<
    string,
    { group: readonly string[]; runs: boolean[]; open: boolean }
  >();

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  /** Counts a run. A group that the run does not have has no data. */
  after(judged: readonly Judged[]): GroupOutcome[] {
    const seen = new Map(judged.map((one) => [keyOf(one.group), one]));
    const known = [...this.#recent.values()].map(({ group }) => group);
    // A run without any data has it neither for the groups that are known.
    if (known.some(({ length }) => length > 0) && seen.get(keyOf([]))?.verdict === 'noData')
      seen.delete(keyOf([]));
    for (const group of known) {
      // What stood for a run without data ends with the first group.
      const verdict = group.length === 0 ? 'negative' : 'noData';
      const key = keyOf(group);
      if (!seen.has(key)) seen.set(key, { group, verdict, beyond: Number.NEGATIVE_INFINITY });
    }
    return [...seen.values()].map((one) => this.#count(one));
  }

  #count({ group, verdict, value, expected }: Judged): GroupOutcome {
    const { alertOnNoData, positiveRuns, fromRuns } = this.#rule;
    const positive = verdict === 'positive' || (verdict === 'noData' && alertOnNoData);
    const key = keyOf(group);
    const former = this.#recent.get(key) ?? { group, runs: [], open: false };
    const runs = [...former.runs, positive].slice(-fromRuns);
    const alerting = runs.filter(Boolean).length >= positiveRuns;
    this.#recent.set(key, { group, runs, open: alerting });
    return {
      group,
      verdict,
      positive,
      ...(value !== undefined && { value }),
      ...(expected !== undefined && { expected }),
      alerting,
      ...(alerting !== former.open && { change: alerting ? 'opened' : 'resolved' }),
    };
  }
}
