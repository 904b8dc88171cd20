// Runs a cell's queries in order. Stops at the first query that fails.
import type * as vscode from 'vscode';
import type { CellQuery } from '../../../server/src/protocol.ts';
import type { FailedTabState } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { settled } from '../languageServer/pendingEdits.ts';
import type { Wait } from '../query/afterRateLimit.ts';
import { fileKey } from '../query/fileKey.ts';
import { fillParameters } from '../query/fillParameters.ts';
import { editorRange, type Query } from '../query/query.ts';
import { type Answered, runAnswer, traceNote } from '../query/runAnswer.ts';
import type { RunEnd } from '../query/runner.ts';
import { confirmUnlimited } from '../query/unlimited.ts';
import { parseTimeRange } from '../time/parseTimeRange.ts';
import { rangeLabel } from '../time/timeRange.ts';
import { cellFailure, conflictingLets, invalidRange, missingDeployment } from './cellFailure.ts';
import { deploymentNameOf, rangeOf } from './effective.ts';

interface CellRunEvents {
  /** Called when waiting for a rate limit starts, and with undefined when waiting ends. */
  waits(wait: Wait | undefined): void;
  answered(query: Query, answer: Answered): Promise<void>;
  /** `place` is the location of the error, such as `Line 3 of this cell`. */
  failed(query: Query, state: FailedTabState, place?: string): Promise<void>;
}

/** Returns true if all queries were answered, false if one failed, and undefined if the run was cancelled. */
export async function askCell(
  cell: vscode.NotebookCell,
  parts: Context,
  signal: AbortSignal,
  events: CellRunEvents,
): Promise<boolean | undefined> {
  await settled(cell.document);
  for (const found of await parts.language.cellQueries(cell.document)) {
    if (!found.runs) continue;
    const answered = await runQuery(cell, found, parts, signal, events);
    if (!answered) return answered;
  }
  return true;
}

async function runQuery(
  cell: vscode.NotebookCell,
  found: CellQuery,
  parts: Context,
  signal: AbortSignal,
  events: CellRunEvents,
): Promise<boolean | undefined> {
  const { deployments, marks, log, runner } = parts;
  const written = queryOf(cell, found, parts);
  const fail = async (query: Query, state: FailedTabState, place?: string): Promise<false> => {
    await events.failed(query, state, place);
    return false;
  };
  const deployment = deploymentNameOf(cell, deployments);
  const profile = deployments.find(deployment.text);
  if (profile === undefined) return fail(written, missingDeployment(cell, deployment));
  if (found.conflict !== undefined) return fail(written, conflictingLets(found, found.conflict));
  const query = await completed(written, parts);
  if (query === undefined || signal.aborted) return undefined;
  const startedAt = Date.now();
  const zone = resultsTimeZone();
  const rangeText = query.rangeText ?? '';
  const range = parseTimeRange(rangeText, startedAt, zone);
  const sent = sentQuery(found, query);
  const label = typeof range === 'string' ? rangeText : rangeLabel(range, zone);
  const report = (end: RunEnd) =>
    runner.reportEnd({ query: sent, rangeLabel: label, startedAt, end, deployment: profile.name });
  marks.clear(query);
  if (typeof range === 'string') {
    const state = invalidRange(cell, rangeOf(cell, parts.timeRange), range);
    report({ kind: 'failed', message: state.message });
    return fail(query, state);
  }
  const asked = { query: sent, profile, range, askedAt: startedAt };
  const answer = await runAnswer(asked, parts, signal, { onWait: events.waits });
  if (answer === undefined) {
    report({ kind: 'cancelled' });
    return undefined;
  }
  if (!answer.ok) {
    const { failure } = answer;
    const { state, place, marks: parted } = cellFailure(found, query, sent.text, failure, profile);
    log.warn(`${query.title}: ${failure.message}${traceNote(failure)}`);
    for (const part of parted) {
      marks.clear(part.query);
      marks.show(part.query, part.failure);
    }
    report({ kind: 'failed', message: state.message });
    return fail(query, state, place);
  }
  const { id, head } = answer.value;
  await events.answered(query, answer.value);
  report({ kind: 'result', answer: id, head });
  return true;
}

/** Prompts for all parameters of a cell. Returns false if the form is closed; undefined without parameters. */
export async function askForParameters(
  cell: vscode.NotebookCell,
  { language, parameters, results }: Context,
): Promise<boolean | undefined> {
  await settled(cell.document);
  const queries = (await language.cellQueries(cell.document)).filter(({ runs }) => runs);
  // Merge the queries' parameters, because all queries of a notebook share values by name.
  const byName = new Map(
    queries.flatMap(({ facts }) => facts.parameters.map((one) => [one.name, one] as const)),
  );
  const [first] = queries;
  if (first === undefined || byName.size === 0) return undefined;
  const notebook = fileKey(cell.document.uri);
  const before = parameters.get(notebook);
  const texts = await results.askForParameters(first.title, [...byName.values()], before);
  if (texts === undefined) return false;
  await parameters.set(notebook, texts);
  return true;
}

/** Returns the query as written in the cell, without lets of other cells. */
function queryOf(
  cell: vscode.NotebookCell,
  { text, above, range, title, facts }: CellQuery,
  { timeRange, deployments }: Context,
): Query {
  const { unlimited, statesColumnOrder, datasets } = facts;
  return {
    text: text.slice(above),
    title,
    statesColumnOrder,
    datasets,
    place: { uri: cell.document.uri, range: editorRange(range) },
    deployment: deploymentNameOf(cell, deployments).text,
    // Shift the offsets in `facts`, because they include the lets of other cells.
    facts: {
      ...facts,
      ...(unlimited && { unlimited: { ...unlimited, offset: unlimited.offset - above } }),
    },
    rangeText: rangeOf(cell, timeRange).text,
  };
}

/** Returns the query with parameter values and, if the user chooses one, a limit; undefined if cancelled. */
async function completed(query: Query, context: Context): Promise<Query | undefined> {
  const range = context.timeRange.value;
  const limited = await confirmUnlimited([query], { ...context, range });
  return limited && (await fillParameters(limited, context))?.[0];
}

/** Prepends the lets of other cells that the query needs. */
function sentQuery({ text, above }: CellQuery, query: Query): Query {
  const { place } = query;
  return {
    ...query,
    text: text.slice(0, above) + query.text,
    ...(place && { place: { ...place, written: query.text } }),
  };
}
