// Checks a query before a run, and finds its time range. Queries that would fail or read far too much are refused, with
// the query to write instead, and so are queries that read files or addresses.
import { analyzeQuery, type QueryAnalysis, type Schema, walk } from '../../language/src/index.ts';
import { checkText } from './checkText.ts';
import type { Result } from './context.ts';
import { hasErrors } from './fixQuery.ts';
import { rangeOf, refuseUnlimited, type TimeRange } from './range.ts';
import type { Run } from './run.ts';
import { type AgentSession, datasetsOf } from './session.ts';

export interface PreparedRun extends Run {
  readonly range: TimeRange;
  readonly analysis: QueryAnalysis;
}

export interface RunInput {
  readonly query: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export async function prepareRun(
  session: AgentSession,
  { query, from, to }: RunInput,
  signal: AbortSignal,
): Promise<Result<PreparedRun>> {
  let schema = await session.schemaFor(query, signal);
  let analysis = analyzeQuery(query, schema);
  if (hasErrors(analysis)) {
    // Events may have added a field or dataset since the schema was read.
    session.forgetSchema();
    schema = await session.schemaFor(query, signal);
    analysis = analyzeQuery(query, schema);
  }
  if (hasErrors(analysis)) return notRun(analysis, schema);
  if (analysis.bound.pipelines.length !== 1) {
    return { ok: false, message: 'Not run: write exactly one query.' };
  }
  if (readsExternalData(analysis)) {
    const message =
      'Refused: externaldata reads files and sends requests to addresses. Only a person can run it. Use datasets.';
    return { ok: false, message };
  }
  const range = rangeOf(analysis.bound, from, to);
  if (typeof range === 'string') return { ok: false, message: range };
  const refusal = refuseUnlimited(analysis.bound, range, schema);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const datasets = [...datasetsOf(query, schema)];
  return {
    ok: true,
    value: { apl: query, from: range.from, to: range.to, datasets, range, analysis },
  };
}

/** Returns whether a query could read a file, or send what an agent has read to an address. */
function readsExternalData({ tree }: QueryAnalysis): boolean {
  let found = false;
  walk(tree.statements, ({ kind }) => {
    found ||= kind === 'ExternaldataSource';
  });
  return found;
}

function notRun(analysis: QueryAnalysis, schema: Schema): Result<never> {
  return { ok: false, message: `Not run. ${checkText(analysis, schema)}` };
}
