/**
 * Reads what each run of a monitor would have read, with as few queries as possible: one for all runs where the
 * query allows it, else one for each run, of which there is a bound.
 */
import type { ReadResponse } from '../../../../api/src/index.ts';
import type { Outcome } from '../../api/failure.ts';
import type { Run, RunRow } from './evaluate.ts';
import { combiningOf, planQueries, type QueryPlan } from './queryPlan.ts';
import type { Rule } from './rule.ts';
import { type RunSpan, spanOf, withHistory } from './schedule.ts';
import {
  isLimited,
  rowsOf,
  type TimedRow,
  tableOf,
  type Watched,
  watchedOf,
} from './watchedTable.ts';

type Answer = ReadResponse<'queryEdge'>;

/** Queries of a test that asks for each run. */
export const queriesMax = 300;
/** Bins of one query; longer spans are asked for in parts. */
const binsMax = 20_000;
/** Bins, and rows of bins, that are read for all runs together; more would stop the editor. */
const visitsMax = 10_000_000;

export interface RunsRequest {
  readonly rule: Rule;
  readonly apl: string;
  /** In the order of their times, without the days before. */
  readonly spans: readonly RunSpan[];
  readonly atOnce: number;
  readonly signal: AbortSignal;
  /** Asks over a range in milliseconds since 1970. */
  ask(apl: string, from: number, to: number, signal: AbortSignal): Promise<Outcome<Answer>>;
  onProgress(done: number, total: number): void;
}

export interface ReadRuns {
  /** With those of the days before that are compared with. */
  readonly runs: readonly Run[];
  /** The time of the first run that counts. */
  readonly from: number;
  readonly watched: Watched;
  readonly queries: number;
  /** How many runs of the span were left out at its beginning, since each takes a query. */
  readonly leftOut: number;
  /** Why each run was asked for by itself. */
  readonly reason?: string;
}

export async function readRuns(request: RunsRequest): Promise<Outcome<ReadRuns>> {
  const { rule, apl, spans, signal } = request;
  const newest = spans.at(-1) as RunSpan;
  const probe = await request.ask(apl, newest.from, newest.to, signal);
  if (!probe.ok) return probe;
  let watched = watchedOf(rule, tableOf(probe.value));
  // A run without rows may not say what its columns are.
  const plan = planQueries(rule, apl, {
    ...(watched.binMs !== undefined && { binMs: watched.binMs }),
    aggregates: watched.values.map(({ aggregate }) => aggregate),
  });
  if (watched.problem !== undefined) return refused(watched.problem);
  let reason: string | undefined;
  if (plan.kind === 'runs') reason = plan.reason;
  else {
    const all = withHistory(rule, spans);
    const read = await readByBins(request, plan, all, watched);
    if (read.kind === 'read') {
      const from = (spans[0] as RunSpan).at;
      return {
        ok: true,
        value: { runs: read.runs, from, watched, queries: read.queries + 1, leftOut: 0 },
      };
    }
    if (read.kind === 'failed' || signal.aborted) return read.outcome;
    reason = read.reason;
  }
  const asked = lastRuns(rule, spans);
  const all = withHistory(rule, asked);
  const read = await readOneByOne(request, all);
  if (!read.ok) return read;
  const widest = read.value
    .map(({ watched: found }) => found)
    .find(({ values }) => values.length > 0);
  watched = widest ?? watched;
  return {
    ok: true,
    value: {
      runs: read.value.map(({ run }) => run),
      from: (asked[0] as RunSpan).at,
      watched,
      queries: all.length + 1,
      leftOut: spans.length - asked.length,
      ...(reason !== undefined && { reason }),
    },
  };
}

function refused(message: string): Outcome<never> {
  return { ok: false, failure: { kind: 'refused', host: '', message } };
}

/** As many of the last runs as may be asked for, with the days before. */
function lastRuns(rule: Rule, spans: readonly RunSpan[]): readonly RunSpan[] {
  let count = Math.min(spans.length, queriesMax);
  while (count > 1 && withHistory(rule, spans.slice(-count)).length > queriesMax) count -= 1;
  return spans.slice(-count);
}

type ByBins =
  | { readonly kind: 'read'; readonly runs: readonly Run[]; readonly queries: number }
  | { readonly kind: 'failed'; readonly outcome: Outcome<never> }
  /** The bins do not give what the runs read. */
  | { readonly kind: 'impossible'; readonly reason: string; readonly outcome: Outcome<never> };

const cancelled = refused('Cancelled.');

async function readByBins(
  { rule, apl, ask, signal, onProgress }: RunsRequest,
  plan: Exclude<QueryPlan, { kind: 'runs' }>,
  spans: readonly RunSpan[],
  probed: Watched,
): Promise<ByBins> {
  const visits = (spans.length * rule.rangeMinutes * 60_000) / plan.binMs;
  const tooMany: ByBins = {
    kind: 'impossible',
    reason: 'its runs read too many bins together',
    outcome: cancelled,
  };
  if (visits > visitsMax) return tooMany;
  const parts = partsOf(spans, plan.binMs);
  const bins = parts.reduce((sum, { from, to }) => sum + (to - from) / plan.binMs, 0);
  const rows: TimedRow[] = [];
  const watched = plan.kind === 'events' ? eventCounts : probed;
  let queries = 0;
  for (const { from, to } of parts) {
    onProgress(queries, parts.length);
    const answer = await ask(plan.apl, from, to, signal);
    queries += 1;
    if (signal.aborted) return { kind: 'failed', outcome: cancelled };
    if (!answer.ok) {
      const { kind } = answer.failure;
      if (kind !== 'refused') return { kind: 'failed', outcome: answer };
      return {
        kind: 'impossible',
        reason: 'its query cannot be divided into bins',
        outcome: answer,
      };
    }
    if (isLimited(answer.value))
      return {
        kind: 'impossible',
        reason: 'the service limits the rows of one query',
        outcome: cancelled,
      };
    for (const row of rowsOf(tableOf(answer.value), watched)) rows.push(row);
    if ((visits * rows.length) / bins > visitsMax) return tooMany;
  }
  if (rows.some(({ time }) => time === undefined))
    return {
      kind: 'impossible',
      reason: 'its query cannot be divided into bins',
      outcome: cancelled,
    };
  let nothing: readonly RunRow[] = [];
  if (plan.kind === 'bins' && watched.groups.length === 0) {
    // What an aggregate is without any event differs: a count is 0, an average is null.
    const empty = await ask(apl, 0, 60_000, signal);
    if (empty.ok) nothing = rowsOf(tableOf(empty.value), watched).map(atStart);
    queries += 1;
  }
  return { kind: 'read', runs: runsOf(spans, rows, plan, watched, nothing, rule), queries };
}

const eventCounts: Watched = {
  values: [{ name: 'aplomb_events', aggregate: 'count' }],
  groups: [],
};

function atStart({ group, values }: TimedRow): RunRow {
  return { group, values, offset: 0 };
}

/** Spans that cover all runs, without the time between days that no run reads, each of a bounded number of bins. */
export function partsOf(
  spans: readonly Pick<RunSpan, 'from' | 'to'>[],
  binMs: number,
): { readonly from: number; readonly to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (const { from, to } of spans) {
    const last = parts.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else parts.push({ from, to });
  }
  const longest = binsMax * binMs;
  return parts.flatMap(({ from, to }) => {
    const cut: { from: number; to: number }[] = [];
    for (let at = from; at < to; at += longest)
      cut.push({ from: at, to: Math.min(to, at + longest) });
    return cut;
  });
}

function runsOf(
  spans: readonly RunSpan[],
  rows: readonly TimedRow[],
  plan: Exclude<QueryPlan, { kind: 'runs' }>,
  watched: Watched,
  nothing: readonly RunRow[],
  rule: Rule,
): Run[] {
  const byBin = new Map<number, TimedRow[]>();
  for (const row of rows) {
    const bin = row.time as number;
    const list = byBin.get(bin);
    if (list) list.push(row);
    else byBin.set(bin, [row]);
  }
  return spans.map(({ at, from, to }) => {
    const own: RunRow[] = [];
    for (let bin = from; bin < to; bin += plan.binMs) {
      for (const { group, values } of byBin.get(bin) ?? [])
        own.push({ group, values, offset: bin - from });
    }
    if (plan.kind === 'ownBins') return { at, rows: own };
    const combined = combine(own, watched);
    return { at, rows: combined.length > 0 || rule.type === 'MatchEvent' ? combined : nothing };
  });
}

/** One row per group. */
function combine(rows: readonly RunRow[], { values: columns }: Watched): RunRow[] {
  const groups = new Map<string, { group: readonly string[]; values: (number | null)[] }>();
  for (const { group, values } of rows) {
    const key = JSON.stringify(group);
    const former = groups.get(key);
    if (former === undefined) groups.set(key, { group, values: [...values] });
    else {
      former.values = former.values.map((value, index) => {
        const other = values[index] ?? null;
        if (value === null || other === null) return value ?? other;
        const how = combiningOf(columns[index]?.aggregate ?? '') ?? 'sum';
        return how === 'sum' ? value + other : Math[how](value, other);
      });
    }
  }
  return [...groups.values()].map((row) => ({ ...row, offset: 0 }));
}

async function readOneByOne(
  { rule, apl, ask, signal, atOnce, onProgress }: RunsRequest,
  spans: readonly RunSpan[],
): Promise<Outcome<readonly { readonly run: Run; readonly watched: Watched }[]>> {
  const found: { run: Run; watched: Watched }[] = [];
  let next = 0;
  let failure: Outcome<never> | undefined;
  const work = async () => {
    while (next < spans.length && failure === undefined && !signal.aborted) {
      const index = next;
      next += 1;
      const { at, from, to } = spans[index] as RunSpan;
      const answer = await ask(apl, from, to, signal);
      if (!answer.ok) {
        failure ??= answer;
        return;
      }
      const table = tableOf(answer.value);
      const watched = watchedOf(rule, table);
      const rows = rowsOf(table, watched);
      const run =
        rule.type === 'MatchEvent'
          ? { at, rows: [{ group: [], offset: 0, values: [rows.length] }] }
          : {
              at,
              rows: rows.map((row) => ({ ...atStart(row), offset: offsetOf(row, from, watched) })),
            };
      found[index] = { run, watched };
      onProgress(found.filter(Boolean).length, spans.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, work));
  if (failure !== undefined) return failure;
  return signal.aborted ? cancelled : { ok: true, value: found };
}

function offsetOf({ time }: TimedRow, from: number, { binMs }: Watched): number {
  return time === undefined || binMs === undefined ? 0 : time - from;
}

/** The run that would have been made last before a time. */
export function latestRun(rule: Rule, now: number): RunSpan {
  const interval = rule.intervalMinutes * 60_000;
  return spanOf(rule, Math.floor(now / interval) * interval);
}
