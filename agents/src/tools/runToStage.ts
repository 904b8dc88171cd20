// Runs a query up to a stage, and counts the rows after each stage until then.
import { integer, object, optional } from '../../../api/src/schema.ts';
import { grouped } from '../../../formats/src/counts.ts';
import { type CutQuery, queriesUpToEach } from '../../../language/src/editing.ts';
import { printable } from '../../../language/src/index.ts';
import { failedAnswer, shortened } from '../answer.ts';
import { RUN_TIMEOUT_MS } from '../limits.ts';
import { type PreparedRun, prepareRun } from '../prepareRun.ts';
import { boundsRows } from '../range.ts';
import { ask } from '../run.ts';
import { writeAnswer } from '../runText.ts';
import type { AgentSession } from '../session.ts';
import { tool } from '../tool.ts';
import { queryInput, rangeInput } from './runQuery.ts';

const STAGES_MAX = 20;

/** Number of rows of a stage that neither groups nor limits rows. */
const ROWS_SHOWN = 20;

const STAGE_CHARACTERS_MAX = 80;

export const runToStage = tool({
  name: 'run_to_stage',
  title: 'Run to Stage',
  description:
    'Run a query up to a stage, with the row count after each stage. Shows where rows are lost.',
  input: object({
    query: queryInput(),
    stage: optional(
      integer('0 is the source, 1 the first stage. Default: the last one.', { minimum: 0 }),
    ),
    ...rangeInput,
  }),
  async run(session, { query, stage, from, to }, signal) {
    const prepared = await prepareCut(session, { query, from, to }, signal);
    if (!prepared.ok) return failedAnswer(prepared.message);
    const { run, cuts } = prepared;
    const last = Math.min(stage ?? cuts.length - 1, cuts.length - 1, STAGES_MAX);
    // All runs of the call together have the time of one.
    const deadline = Date.now() + RUN_TIMEOUT_MS;
    const lines: string[] = ['Rows after each stage:'];
    for (const [index, cut] of cuts.slice(0, last + 1).entries()) {
      const apl = `${cut.text}\n| count`;
      const answer = await ask(session, { ...run, apl }, signal, deadline);
      const count = answer.ok ? answer.value.tables[0]?.columns[0]?.[0] : undefined;
      const rows =
        typeof count === 'number' || typeof count === 'bigint' ? grouped(Number(count)) : '?';
      const text = query.slice(cut.last.start, cut.last.end).replace(/\s+/g, ' ').trim();
      lines.push(`${index}. ${rows}: ${printable(shortened(text, STAGE_CHARACTERS_MAX))}`);
      if (!answer.ok) return failedAnswer(`${lines.join('\n')}\n${answer.message}`);
    }
    if (cuts.length - 1 > last && stage === undefined)
      lines.push(`… ${cuts.length - 1 - last} more stages`);
    const chosen = cuts[last] as CutQuery;
    const stages = run.analysis.bound.pipelines[0]?.stages.slice(0, last) ?? [];
    const apl = stages.some(boundsRows) ? chosen.text : `${chosen.text}\n| take ${ROWS_SHOWN}`;
    const answer = await ask(session, { ...run, apl }, signal, deadline);
    if (!answer.ok) return failedAnswer(`${lines.join('\n')}\n${answer.message}`);
    return {
      text: `${lines.join('\n')}\n\nRows of stage ${last}:\n${writeAnswer(session, answer.value, run)}`,
    };
  },
});

type Prepared =
  | { readonly ok: true; readonly run: PreparedRun; readonly cuts: readonly CutQuery[] }
  | { readonly ok: false; readonly message: string };

async function prepareCut(
  session: AgentSession,
  input: Parameters<typeof prepareRun>[1],
  signal: AbortSignal,
): Promise<Prepared> {
  const prepared = await prepareRun(session, input, signal);
  if (!prepared.ok) return prepared;
  const { analysis } = prepared.value;
  const [pipeline] = analysis.bound.pipelines;
  const cuts = queriesUpToEach(analysis.tree, pipeline?.start ?? 0);
  if (cuts.length === 0) return { ok: false, message: 'The query has no stages.' };
  return { ok: true, run: prepared.value, cuts };
}
