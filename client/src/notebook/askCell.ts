// Runs the queries of one cell, one after another, and makes the cell's outputs. The cell fails with the first
// query that does; what failed is marked where it is written, which may be in a cell above.
import * as vscode from 'vscode';
import type { CellQuery } from '../../../server/src/protocol.ts';
import { adviceFor } from '../advice.ts';
import { type Failure, failed, type Outcome } from '../api/failure.ts';
import type { Context } from '../context.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import type { Profile } from '../deployments/profiles.ts';
import { parseTimeRange } from '../parseTimeRange.ts';
import { settled } from '../pendingEdits.ts';
import type { Answers } from '../query/answers.ts';
import { ask } from '../query/ask.ts';
import { fillParameters } from '../query/fillParameters.ts';
import { orAborted } from '../query/orAborted.ts';
import type { ParameterMemory } from '../query/parameterMemory.ts';
import type { Query } from '../query/query.ts';
import type { SilencedFiles } from '../query/silencedFiles.ts';
import { confirmUnlimited } from '../query/unlimited.ts';
import type { AnswerHead } from '../results/store/answer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import { maxAnswerBytes, queryTimeoutMs, resultsTimeZone, warnBeyond } from '../settings.ts';
import { rangeLabel, rangeParameters } from '../timeRange.ts';
import { failuresByCell } from './cellQuery.ts';
import { deploymentOf, rangeOf } from './effective.ts';

export interface CellRunParts extends Context {
  readonly answers: Answers;
  readonly parameters: ParameterMemory;
  readonly silenced: SilencedFiles;
}

export interface CellAnswer {
  readonly id: AnswerId;
  readonly head: AnswerHead;
}

export interface CellRunEvents {
  answered(query: Query, answer: CellAnswer): Promise<void>;
  failed(message: string): Promise<void>;
}

/** True when all queries were answered, false when one failed, undefined when the run was cancelled. */
export async function askCell(
  cell: vscode.NotebookCell,
  parts: CellRunParts,
  signal: AbortSignal,
  events: CellRunEvents,
): Promise<boolean | undefined> {
  const profile = deploymentOf(cell, parts.deployments);
  if (typeof profile === 'string') {
    await events.failed(profile);
    return false;
  }
  await settled(cell.document);
  for (const found of await parts.language.cellQueries(cell.document)) {
    if (!found.runs) continue;
    if (found.conflict !== undefined) {
      await events.failed(conflictMessage(found.conflict));
      return false;
    }
    const query = await completed(cell, found, parts);
    if (query === undefined || signal.aborted) return undefined;
    parts.marks.clear(query);
    const answer = await askQuery(found, query, profile, parts, signal);
    if (signal.aborted || answer === undefined) {
      if (answer?.ok) parts.answers.drop(answer.value.id);
      return undefined;
    }
    if (!answer.ok) {
      await events.failed(failureMessage(cell, found, answer.failure, profile));
      mark(cell, found, query, answer.failure, parts);
      return false;
    }
    await events.answered(query, answer.value);
    await tellValues(query.text, answer.value.id, parts);
  }
  return true;
}

/** The query with its parameters filled and, where the person wants it, a limit; undefined where they give up. */
async function completed(
  cell: vscode.NotebookCell,
  { text, above, range: at, title, facts }: CellQuery,
  parts: CellRunParts,
): Promise<Query | undefined> {
  const { unlimited, statesColumnOrder } = facts;
  const range = rangeOf(cell, parts.timeRange);
  const place = new vscode.Range(at.start.line, at.start.character, at.end.line, at.end.character);
  const query: Query = {
    text: text.slice(above),
    title,
    statesColumnOrder,
    place: { uri: cell.document.uri, range: place },
    // Places of the facts are those of the text that is sent.
    facts: {
      ...facts,
      ...(unlimited && { unlimited: { ...unlimited, offset: unlimited.offset - above } }),
    },
    rangeText: range.text,
  };
  const limited = await confirmUnlimited([query], {
    range: parts.timeRange.value,
    zone: resultsTimeZone(),
    warnBeyond: warnBeyond(),
    extents: parts.extents,
    silenced: parts.silenced,
  });
  const [filled] = (limited && (await fillParameters(limited, parts.parameters))) ?? [];
  return filled;
}

async function askQuery(
  { text, above }: CellQuery,
  query: Query,
  profile: Profile,
  { answers, deployments, log }: CellRunParts,
  signal: AbortSignal,
): Promise<Outcome<CellAnswer> | undefined> {
  const zone = resultsTimeZone();
  const askedAt = Date.now();
  const range = parseTimeRange(query.rangeText ?? '', askedAt, zone);
  if (typeof range === 'string') {
    const message = `The time range "${query.rangeText}" is not valid. ${range}`;
    return failed({ kind: 'refused', host: profile.name, message });
  }
  await askForMissingToken(deployments, profile);
  const service = await orAborted(deployments.service(profile), signal);
  if (service === undefined || !service.ok) return service;
  const { title, variables, statesColumnOrder, place } = query;
  const apl = text.slice(0, above) + query.text;
  const times = rangeParameters(range, askedAt, zone);
  const pending = answers.begin({
    title,
    query: apl,
    ...(place && { document: place.uri.toString() }),
    deployment: profile.name,
    ...times,
    rangeLabel: rangeLabel(range, zone),
    ...(variables && { variables }),
    askedAt,
    statesColumnOrder,
  });
  const answer = await ask(
    { apl, ...times, ...(variables && { variables }) },
    {
      service: service.value,
      timeoutMs: queryTimeoutMs(),
      maxBytes: maxAnswerBytes(),
      signal,
    },
    pending,
  );
  if (answer.ok) return { ok: true, value: { id: pending.id, head: answer.value } };
  const { message, traceId } = answer.failure;
  log.warn(`${title}: ${message}${traceId === undefined ? '' : ` Trace ID ${traceId}.`}`);
  return answer;
}

/** Marks the places of a failure in the cells that they are in. */
function mark(
  { notebook }: vscode.NotebookCell,
  found: CellQuery,
  query: Query,
  failure: Failure,
  { marks }: CellRunParts,
): void {
  for (const { let: declared, places } of failuresByCell(found, failure)) {
    if (declared === undefined) {
      marks.show(query, { ...failure, places });
      continue;
    }
    const { uri, range, offset, length } = declared;
    const cell = notebook.getCells().find(({ document }) => document.uri.toString() === uri);
    if (cell === undefined) continue;
    const place = new vscode.Range(
      range.start.line,
      range.start.character,
      range.end.line,
      range.end.character,
    );
    const text = found.text.slice(offset, offset + length);
    const statement: Query = {
      text,
      title: declared.name,
      statesColumnOrder: false,
      place: { uri: cell.document.uri, range: place },
    };
    marks.clear(statement);
    marks.show(statement, { ...failure, places });
  }
}

/** What happened, where, and what to do. */
function failureMessage(
  { notebook }: vscode.NotebookCell,
  found: CellQuery,
  failure: Failure,
  profile: Profile,
): string {
  const { message } = adviceFor(failure, {
    local: profile.kind === 'local',
    needs: 'query access to the datasets in the query',
  });
  const [first] = failuresByCell(found, failure);
  const [place] = first?.places ?? [];
  if (first === undefined || place === undefined) return message;
  const { let: declared } = first;
  const line = (declared?.range ?? found.range).start.line + place.line;
  if (declared === undefined) return `${message}\nLine ${line} of this cell`;
  const index = notebook
    .getCells()
    .findIndex(({ document }) => document.uri.toString() === declared.uri);
  return `${message}\nLine ${line} of cell ${index + 1}, in the let ${declared.name}`;
}

function conflictMessage(name: string): string {
  return `Two cells above declare "${name}", and this query needs both: one itself, the other through another let. Rename one of the two.`;
}

async function tellValues(
  query: string,
  id: AnswerId,
  { answers, language, log }: CellRunParts,
): Promise<void> {
  try {
    const columns = [...(await answers.valuesToOffer(id))];
    if (columns.length > 0) language.tellValuesSeen({ query, columns });
  } catch (error) {
    log.error('Collecting the values of a result', error);
  }
}
