/** Reads the rows of a monitor's past runs: one query per run, each with the run's own time range. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import type { Failure, Outcome } from '../../service/failure.ts';
import type { Run } from './evaluate.ts';
import type { Rule } from './rule.ts';
import type { RunSpan } from './schedule.ts';
import { rowsOf, tableOf, type Watched, watchedOf } from './watchedTable.ts';

export interface RunsRequest {
  readonly rule: Rule;
  readonly apl: string;
  /** In the order of their times, with those of the days before that anomalies are compared with. */
  readonly spans: readonly RunSpan[];
  readonly maxConcurrent: number;
  readonly signal: AbortSignal;
  /** Asks over a range in milliseconds since 1970. */
  ask(
    apl: string,
    from: number,
    to: number,
    signal: AbortSignal,
  ): Promise<Outcome<ReadResponse<'queryEdge'>>>;
  /** Called after each query with the number of queries that have finished. */
  onProgress(done: number): void;
}

/** Starts with the newest run, whose answer shows whether the rule fits the query. Stops at the first failure. */
export async function readRuns(
  request: RunsRequest,
): Promise<Outcome<{ readonly runs: readonly Run[]; readonly watched: Watched }>> {
  const { rule, spans, ask, signal, maxConcurrent, onProgress } = request;
  // Only the number of events matters, and the service limits the rows of a query.
  const apl = rule.type === 'MatchEvent' ? `${request.apl.trim()}\n| count` : request.apl;
  const runs: Run[] = [];
  let watched: Watched = { values: [], groups: [] };
  let failure: Failure | undefined;
  let done = 0;
  const waiting = [...spans];
  const work = async () => {
    while (failure === undefined && !signal.aborted) {
      const span = waiting.pop();
      if (span === undefined) return;
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
      // An answer without rows may not have the columns.
      if (watched.values.length === 0) watched = found;
      runs.push({ at, rows: rowsOf(table, found, from) });
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, maxConcurrent) }, work));
  if (failure !== undefined) return { ok: false, failure };
  return { ok: true, value: { runs, watched } };
}
