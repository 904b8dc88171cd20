/** Replays a monitor's rule over past runs. `docs/choices.md` lists assumptions about undocumented behavior. */
import type { Rule } from './rule.ts';

export interface RunRow {
  /** The row's values in the group-by columns other than the time, as text. */
  readonly group: readonly string[];
  /** The start of the row's bin, in milliseconds after the start of the run's range; 0 if the row isn't a bin. */
  readonly offset: number;
  /** The numbers in the watched columns. For a monitor that matches events, the number of events. */
  readonly values: readonly (number | null)[];
}

export interface Run {
  readonly at: number;
  readonly rows: readonly RunRow[];
}

/** Verdicts from least to most severe. `noHistory`: the previous days have no numbers to compare with. */
const verdicts = ['noData', 'noHistory', 'negative', 'positive'] as const;
type Verdict = (typeof verdicts)[number];

export interface GroupOutcome {
  /** The values of the group's columns. Empty if all groups alert together. */
  readonly group: readonly string[];
  readonly verdict: Verdict;
  /** Whether the run counts toward an alert. A run without data counts if the rule alerts on missing data. */
  readonly positive: boolean;
  /** The value furthest beyond the bound, or the value closest to it if none is beyond. */
  readonly value?: number;
  /** The threshold or, for anomaly detection, the average of previous days. */
  readonly expected?: number;
  readonly alerting: boolean;
  readonly change?: 'opened' | 'resolved';
}

export interface RunOutcome {
  readonly at: number;
  /** One outcome for all groups, or one per group if groups alert separately. */
  readonly groups: readonly GroupOutcome[];
  /** The number of matched events; 0 for other monitor types. */
  readonly events: number;
  /** Whether the run would have sent an alert. */
  readonly fired: boolean;
}

const dayMs = 86_400_000;

/**
 * Returns the outcomes of the runs at or after `from`, in time order. Earlier runs serve only as history for anomaly
 * detection. No alert is open before `from`.
 */
export function evaluate(rule: Rule, runs: readonly Run[], from = 0): RunOutcome[] {
  const ordered = runs.toSorted((a, b) => a.at - b.at);
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
  const events = rows.reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
  const positive = events > 0;
  const verdict = positive ? 'positive' : 'negative';
  const group = { group: [], verdict, positive, value: events, alerting: positive } as const;
  return { at, groups: [group], events, fired: positive };
}

interface Judged extends Pick<GroupOutcome, 'group' | 'verdict' | 'value' | 'expected'> {
  /** The distance of the value beyond the bound; negative if the value is within the bound. */
  readonly beyond: number;
}

export const keyOf = (group: readonly string[]): string => JSON.stringify(group);

/** The numbers of each run by group, bin and column; the outer key is the run's time. */
type History = ReadonlyMap<number, ReadonlyMap<string, number>>;

const without = { verdict: 'noData', beyond: Number.NEGATIVE_INFINITY } as const;

function pointsOf({ rows }: Run): ReadonlyMap<string, number> {
  const points = rows.flatMap(({ group, offset, values }) =>
    values.flatMap((value, column): [string, number][] =>
      value === null ? [] : [[pointKey(group, offset, column), value]],
    ),
  );
  return new Map(points);
}

function pointKey(group: readonly string[], offset: number, column: number): string {
  return `${offset} ${column} ${keyOf(group)}`;
}

/** Judges each group of a run. A run without rows counts as one group without data. */
function judge(rule: Rule, run: Run, history: History): Judged[] {
  const byGroup = new Map<string, Judged>();
  for (const { group, offset, values } of run.rows) {
    const key = keyOf(group);
    let best: Judged = byGroup.get(key) ?? { group, ...without };
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
  return byGroup.size === 0 ? [{ group: [], ...without }] : [...byGroup.values()];
}

function worse(one: Judged, other: Judged): Judged {
  const difference = verdicts.indexOf(other.verdict) - verdicts.indexOf(one.verdict);
  return difference > 0 || (difference === 0 && other.beyond > one.beyond) ? other : one;
}

/** Returns the average of the same point on previous days; undefined if no previous day has the point. */
function expectedAt(
  { compareDays }: Rule,
  at: number,
  key: string,
  history: History,
): number | undefined {
  const values = Array.from(
    { length: compareDays },
    (_, day) => history.get(at - (day + 1) * dayMs)?.get(key) ?? [],
  ).flat();
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

/** Returns how far a value is beyond the bound; negative if it is within the bound. */
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

/** Returns whether a value equal to the bound makes a run positive. An anomaly must always exceed the tolerance. */
function includesBound({ type, operator }: Rule): boolean {
  return type === 'Threshold' && (operator === 'AboveOrEqual' || operator === 'BelowOrEqual');
}

function together(judged: readonly Judged[]): Judged {
  const { group: _, ...worst } = judged.reduce(worse);
  return { group: [], ...worst };
}

/** Tracks open alerts by group from each group's latest runs. */
class Alerts {
  readonly #rule: Rule;
  readonly #recent = new Map<string, { group: readonly string[]; runs: readonly boolean[] }>();

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  /** Adds a run and returns its outcomes. Known groups that the run lacks count as groups without data. */
  after(judged: readonly Judged[]): GroupOutcome[] {
    const seen = new Map(judged.map((one) => [keyOf(one.group), one]));
    const known = [...this.#recent.values()].map(({ group }) => group);
    // If groups are known, a run without rows means that every known group has no data.
    if (known.some(({ length }) => length > 0) && seen.get(keyOf([]))?.verdict === 'noData')
      seen.delete(keyOf([]));
    for (const group of known) {
      const key = keyOf(group);
      if (seen.has(key)) continue;
      // Resolve an alert for runs without any rows as soon as a group has rows.
      seen.set(key, { group, ...without, ...(group.length === 0 && { verdict: 'negative' }) });
    }
    return [...seen.values()].map((one) => this.#count(one));
  }

  #count({ group, verdict, value, expected }: Judged): GroupOutcome {
    const { alertOnNoData, positiveRuns, fromRuns } = this.#rule;
    const isOpen = (runs: readonly boolean[]) => runs.filter(Boolean).length >= positiveRuns;
    const positive = verdict === 'positive' || (verdict === 'noData' && alertOnNoData);
    const key = keyOf(group);
    const former = this.#recent.get(key)?.runs ?? [];
    const runs = [...former, positive].slice(-fromRuns);
    const alerting = isOpen(runs);
    this.#recent.set(key, { group, runs });
    return {
      group,
      verdict,
      positive,
      ...(value !== undefined && { value }),
      ...(expected !== undefined && { expected }),
      alerting,
      ...(alerting !== isOpen(former) && { change: alerting ? 'opened' : 'resolved' }),
    };
  }
}
