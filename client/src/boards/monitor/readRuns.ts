/** Reads the rows of a monitor's past runs with one query per run. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import { concurrently } from '../../host/concurrently.ts';
import type { Failure, Outcome } from '../../service/failure.ts';
import type { Run } from './evaluate.ts';
import type { Rule } from './rule.ts';
import type { RunSpan } from './schedule.ts';
import { rowsOf, tableOf, type Watched, watchedOf } from './watchedTable.ts';

export interface RunsRequest {
  readonly rule: Rule;
  readonly apl: string;
  /** The runs to query in time order, including runs of earlier days for anomaly detection. */
  readonly spans: readonly RunSpan[];
  readonly maxConcurrent: number;
  readonly signal: AbortSignal;
  /** Runs a query over a range in milliseconds since 1970. */
  ask(
    apl: string,
    from: number,
    to: number,
    signal: AbortSignal,
  ): Promise<Outcome<ReadResponse<'queryEdge'>>>;
  /** Called after each query with the number of finished queries. */
  onProgress(done: number): void;
}

/** Reads the newest run first, because its answer shows whether the rule fits the query. Stops at the first failure. */
export async function readRuns(
  request: RunsRequest,
): Promise<Outcome<{ readonly runs: readonly Run[]; readonly watched: Watched }>> {
  const { rule, spans, ask, signal, maxConcurrent, onProgress } = request;
  // Count events in the query: only their number matters, and the service limits the rows that it returns.
  const apl = rule.type === 'MatchEvent' ? `${request.apl.trim()}\n| count` : request.apl;
  const runs: Run[] = [];
  let watched: Watched = { values: [], groups: [] };
  let failure: Failure | undefined;
  let done = 0;
  const readRun = async (span: RunSpan): Promise<void> => {
    if (failure !== undefined) return;
    const { at, from, to } = span;
    const answer = await ask(apl, from, to, signal);
    if (!answer.ok) {
      failure ??= answer.failure;
      return;
    }
    const table = tableOf(answer.value);
    const found = watchedOf(rule, table);
    if (span === spans.at(-1) && found.problem !== undefined) {
      failure ??= { kind: 'refused', host: '', message: found.problem };
      return;
    }
    // Take the columns from the first answer that has any, because an answer without rows may lack columns.
    if (watched.values.length === 0) watched = found;
    runs.push({ at, rows: rowsOf(table, found, from) });
    done += 1;
    onProgress(done);
  };
  await concurrently([...spans].reverse(), maxConcurrent, readRun, signal);
  if (failure !== undefined) return { ok: false, failure };
  return { ok: true, value: { runs, watched } };
}
