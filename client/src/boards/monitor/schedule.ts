/** Lists a monitor's past runs and the time ranges that they read. Times are in milliseconds since 1970. */
import type { Rule } from './rule.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export const queriesMax = 300;

/** A run's time and the half-open range that it reads. */
export interface RunSpan {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the runs in (`from`, `to`]. A monitor runs at multiples of its interval, counted from 1970. */
export function runsIn(rule: Rule, from: number, to: number): RunSpan[] {
  const interval = rule.intervalMinutes * minuteMs;
  const earlier = Math.floor(from / interval);
  return Array.from({ length: countRuns(rule, from, to) }, (_, index) =>
    spanOf(rule, (earlier + 1 + index) * interval),
  );
}

/** Returns the number of runs in (`from`, `to`]. */
export function countRuns({ intervalMinutes }: Rule, from: number, to: number): number {
  const interval = intervalMinutes * minuteMs;
  return Math.max(0, Math.floor(to / interval) - Math.floor(from / interval));
}

/** Returns the latest runs that a test can cover, and all ranges to query, including history for anomaly detection. */
export function latestRuns(
  rule: Rule,
  from: number,
  to: number,
): { readonly runs: readonly RunSpan[]; readonly spans: readonly RunSpan[] } {
  const longest = queriesMax * rule.intervalMinutes * minuteMs;
  let runs = runsIn(rule, Math.max(from, to - longest), to);
  let spans = withHistory(rule, runs);
  while (spans.length > queriesMax) {
    runs = runs.slice(1);
    spans = withHistory(rule, runs);
  }
  return { runs, spans };
}

/** Returns the last run at or before a time. */
export function lastRun(rule: Rule, time: number): RunSpan {
  const interval = rule.intervalMinutes * minuteMs;
  return spanOf(rule, Math.floor(time / interval) * interval);
}

function spanOf(rule: Rule, at: number): RunSpan {
  const to = at - rule.delaySeconds * 1_000;
  return { at, from: to - rule.rangeMinutes * minuteMs, to };
}

/** Adds the runs of previous days for anomaly detection. Returns distinct runs in time order. */
export function withHistory(rule: Rule, runs: readonly RunSpan[]): RunSpan[] {
  if (rule.type !== 'AnomalyDetection') return [...runs];
  const times = runs.flatMap(({ at }) =>
    Array.from({ length: rule.compareDays + 1 }, (_, day) => at - day * dayMs),
  );
  return [...new Set(times)].sort((a, b) => a - b).map((at) => spanOf(rule, at));
}
