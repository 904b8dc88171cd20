/**
 * How the rows of many runs of a monitor are read with one query: by bins of time that the ranges of the runs are
 * made of. Where that would not give what each run reads, the runs are asked for one by one.
 */
import { hasGroups, readPipeline, readsRowByRow, summarizesRows } from './pipeline.ts';
import type { Rule } from './rule.ts';

export type Combining = 'sum' | 'min' | 'max';

export type QueryPlan =
  /** The query has bins of its own, which are rows of the runs. */
  | { readonly kind: 'ownBins'; readonly apl: string; readonly binMs: number }
  /** Bins are added to the query; those of a run are combined by column, by the names of the aggregates. */
  | {
      readonly kind: 'bins';
      readonly apl: string;
      readonly binMs: number;
      readonly combined: boolean;
    }
  /** Events are counted by bins. */
  | { readonly kind: 'events'; readonly apl: string; readonly binMs: number }
  /** The reason completes "Each run is asked for by itself, since". */
  | { readonly kind: 'runs'; readonly reason: string };

/** What the answer of one run has shown of the query. */
export interface Probe {
  /** The length of the bins of the answer, where its rows are bins of time. */
  readonly binMs?: number;
  /** The aggregates of the columns that are watched; empty text for another column. */
  readonly aggregates: readonly string[];
}

const dayMs = 86_400_000;

/** How the values of an aggregate over parts of a span give that over the span. */
const combining: Readonly<Record<string, Combining>> = {
  count: 'sum',
  countif: 'sum',
  sum: 'sum',
  sumif: 'sum',
  min: 'min',
  minif: 'min',
  max: 'max',
  maxif: 'max',
};

export function combiningOf(aggregate: string): Combining | undefined {
  return Object.hasOwn(combining, aggregate) ? combining[aggregate] : undefined;
}

/** Whether the width of its bins depends on the range that is asked for. */
export function hasAutomaticBins(apl: string): boolean {
  return /\bbin_auto\s*\(/.test(apl);
}

export function planQueries(rule: Rule, apl: string, { binMs, aggregates }: Probe): QueryPlan {
  const text = apl.trim();
  const pipeline = readPipeline(text);
  const last = pipeline.stages.at(-1) ?? '';
  const step = stepOf(rule);
  if (dayMs % step !== 0)
    return { kind: 'runs', reason: 'its interval and range do not divide a day' };
  if (rule.type === 'MatchEvent') {
    if (!readsRowByRow(pipeline))
      return { kind: 'runs', reason: 'the query does more than filter events' };
    const counted = `${joined(pipeline.stages)}\n| summarize aplomb_events = count() by bin(_time, ${seconds(step)})`;
    return { kind: 'events', apl: counted, binMs: step };
  }
  if (binMs !== undefined) {
    if (hasAutomaticBins(text))
      return { kind: 'runs', reason: 'the bins of bin_auto depend on the range' };
    if (step % binMs !== 0)
      return { kind: 'runs', reason: 'a run starts or ends within a bin of the query' };
    if (!summarizesRows(pipeline, false))
      return { kind: 'runs', reason: 'the query does more than filter and summarize' };
    return { kind: 'ownBins', apl: text, binMs };
  }
  if (!summarizesRows(pipeline, true))
    return { kind: 'runs', reason: 'the query does more than filter and summarize' };
  const combined = rule.rangeMinutes * 60_000 !== step;
  if (combined && !aggregates.every((name) => combiningOf(name) !== undefined))
    return { kind: 'runs', reason: 'ranges overlap, and its aggregates cannot be combined' };
  const group = `bin(_time, ${seconds(step)})`;
  const stages = joined([...pipeline.stages.slice(0, -1), withGroup(last, group)]);
  return { kind: 'bins', apl: stages, binMs: step, combined };
}

/**
 * The query with a value for each range of a run, where it gives one value for all of its range; undefined where it
 * has times already, or where it is not known how to add them.
 */
export function queryOverTime(rule: Rule, apl: string): string | undefined {
  const { stages, ...others } = readPipeline(apl.trim());
  const pipeline = { stages, ...others };
  const last = stages.at(-1) ?? '';
  const group = `bin(_time, ${rule.rangeMinutes * 60}s)`;
  if (rule.type === 'MatchEvent')
    return readsRowByRow(pipeline)
      ? `${joined(stages)}\n| summarize events = count() by ${group}`
      : undefined;
  if (!summarizesRows(pipeline, true) || /\bbin(?:_auto|_at)?\s*\(/.test(last)) return undefined;
  return joined([...stages.slice(0, -1), withGroup(last, group)]);
}

function withGroup(summarize: string, group: string): string {
  return `${summarize}${hasGroups(summarize) ? ', ' : ' by '}${group}`;
}

/** The greatest length of time, in milliseconds, of which ranges, intervals and the delay are multiples. */
export function stepOf({ intervalMinutes, rangeMinutes, delaySeconds }: Rule): number {
  const divisor = [rangeMinutes * 60_000, delaySeconds * 1_000].reduce(
    greatestCommonDivisor,
    intervalMinutes * 60_000,
  );
  return divisor;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1_000}s`;
}

function joined(stages: readonly string[]): string {
  return stages.join('\n| ');
}
