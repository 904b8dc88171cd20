// Runs the queries of one cell, one after another. The cell fails with the first query that does.
import type * as vscode from 'vscode';
import type { CellQuery } from '../../../server/src/protocol.ts';
import type { FailedTabState } from '../answers/tabs.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { settled } from '../languageServer/pendingEdits.ts';
import type { Wait } from '../query/afterRateLimit.ts';
import { fileKey } from '../query/fileKey.ts';
import { fillParameters } from '../query/fillParameters.ts';
import type { ParameterMemory } from '../query/parameterMemory.ts';
import { editorRange, type Query } from '../query/query.ts';
import { type Answered, runAnswer, traceNote } from '../query/runAnswer.ts';
import type { RunEnd } from '../query/runner.ts';
import type { SilencedFiles } from '../query/silencedFiles.ts';
import { confirmUnlimited } from '../query/unlimited.ts';
import { parseTimeRange } from '../time/parseTimeRange.ts';
import { rangeLabel } from '../time/timeRange.ts';
import { cellFailure, conflictingLets, invalidRange, missingDeployment } from './cellFailure.ts';
import { deploymentNameOf, rangeOf } from './effective.ts';
import type { OutputsParts } from './outputs.ts';

export interface CellRunParts extends OutputsParts {
  readonly parameters: ParameterMemory;
  readonly silenced: SilencedFiles;
}

interface CellRunEvents {
  /** A rate limit is waited for; undefined at the end of the wait. */
  waits(wait: Wait | undefined): void;
  answered(query: Query, answer: Answered): Promise<void>;
  /** `place` is where the error is, such as `Line 3 of this cell`. */
  failed(query: Query, state: FailedTabState, place?: string): Promise<void>;
}

/** True when all queries were answered, false when one failed, undefined when the run was cancelled. */
export async function askCell(
  cell: vscode.NotebookCell,
  parts: CellRunParts,
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
  parts: CellRunParts,
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
  const answer = await runAnswer(asked, parts, signal, events.waits);
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

/**
 * Asks for a cell's parameters in one form. Returns false if it is closed, and undefined if there are no parameters.
 */
export async function askForParameters(
  cell: vscode.NotebookCell,
  { language, parameters, results }: CellRunParts,
): Promise<boolean | undefined> {
  await settled(cell.document);
  const queries = (await language.cellQueries(cell.document)).filter(({ runs }) => runs);
  // The queries of a notebook share the value of a name.
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

/** The query as it is in the cell, without lets of other cells. */
function queryOf(
  cell: vscode.NotebookCell,
  { text, above, range, title, facts }: CellQuery,
  { timeRange, deployments }: CellRunParts,
): Query {
  const { unlimited, statesColumnOrder, datasets } = facts;
  return {
    text: text.slice(above),
    title,
    statesColumnOrder,
    datasets,
    place: { uri: cell.document.uri, range: editorRange(range) },
    deployment: deploymentNameOf(cell, deployments).text,
    // The facts have offsets of the text that is sent.
    facts: {
      ...facts,
      ...(unlimited && { unlimited: { ...unlimited, offset: unlimited.offset - above } }),
    },
    rangeText: rangeOf(cell, timeRange).text,
  };
}

/** The query with the values of its parameters and, if the person chooses so, a limit; undefined if they cancel. */
async function completed(
  query: Query,
  { timeRange, extents, deployments, silenced, parameters, results }: CellRunParts,
): Promise<Query | undefined> {
  const limited = await confirmUnlimited([query], {
    range: timeRange.value,
    deployments,
    extents,
    silenced,
  });
  const [filled] =
    (limited && (await fillParameters(limited, parameters, results.askForParameters))) ?? [];
  return filled;
}

/** The query with the lets of the cells above that it needs. */
function sentQuery({ text, above }: CellQuery, query: Query): Query {
  const { place } = query;
  return {
    ...query,
    text: text.slice(0, above) + query.text,
    ...(place && { place: { ...place, written: query.text } }),
  };
}
