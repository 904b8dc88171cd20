// Asks for confirmation before running a query that reads a long time range and has neither a limit nor an aggregate.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { resultsTimeZone, warnBeyond } from '../host/settings.ts';
import { extentInWords } from '../time/extentWords.ts';
import { parseTimeRange } from '../time/parseTimeRange.ts';
import { rangeDetail, rangeLabel, rangeNanoseconds, type TimeRange } from '../time/timeRange.ts';
import { ask } from '../ui/notifications.ts';
import { lineBreaks, positionOf } from './errorPlace.ts';
import { fileKey } from './fileKey.ts';
import { documentOf, type Query } from './query.ts';

const RUN = 'Run Anyway';
const LIMIT = 'Add Limit';
const SILENCE = "Don't Ask Again for This File";

const NAMED_DATASETS_MAX = 5;

interface LimitQuestion extends Pick<Context, 'deployments' | 'extents' | 'silenced'> {
  /** The window's range, used by queries whose file sets none. */
  readonly range: TimeRange;
}

/** Returns the queries to run, with limits if the user chose them. Returns undefined if no query may run. */
export async function confirmUnlimited(
  queries: readonly Query[],
  question: LimitQuestion,
): Promise<readonly Query[] | undefined> {
  const asked = queries.filter((query) => isAsked(query, question));
  if (asked.length === 0) return queries;
  const { message, detail } = words(asked, queries.length, question);
  const inFile = asked.some(({ place }) => place !== undefined);
  const buttons = [RUN, LIMIT, ...(inFile ? [SILENCE] : [])];
  const answer = await ask(message, detail, ...buttons);
  if (answer === LIMIT) return limited(queries, new Set(asked), await writeLimits(asked));
  if (answer === SILENCE)
    await question.silenced.add(asked.flatMap(({ place }) => (place ? fileKey(place.uri) : [])));
  return answer === undefined ? undefined : queries;
}

function isAsked(query: Query, { range, silenced }: LimitQuestion): boolean {
  if (query.facts?.unlimited === undefined || warnBeyond().trim() === '') return false;
  const now = Date.now();
  const zone = resultsTimeZone();
  const longest = parseTimeRange(warnBeyond(), now);
  const own = rangeOf(query, range);
  // Don't ask if the setting or the query's range is invalid. The run reports the query's invalid range.
  if (typeof longest === 'string' || typeof own === 'string') return false;
  if (rangeNanoseconds(own, now, zone) <= rangeNanoseconds(longest, now, zone)) return false;
  return query.place === undefined || !silenced.has(fileKey(query.place.uri));
}

/** Returns the range that a query reads, or an error message if its file's range is invalid. */
function rangeOf({ rangeText }: Query, window: TimeRange): TimeRange | string {
  return rangeText === undefined
    ? window
    : parseTimeRange(rangeText, Date.now(), resultsTimeZone());
}

function words(
  asked: readonly Query[],
  all: number,
  { range, extents, deployments }: LimitQuestion,
): { readonly message: string; readonly detail: string } {
  const zone = resultsTimeZone();
  const { name: deployment } = deployments.active;
  const [first] = asked as readonly [Query];
  const own = rangeOf(first, range);
  const label = typeof own === 'string' ? own : rangeLabel(own, zone);
  const which =
    asked.length === 1
      ? 'This query has no limit and no aggregate'
      : `${asked.length} of ${all} queries have no limit and no aggregate`;
  const datasets = [...new Set(asked.flatMap(({ facts }) => facts?.unlimited?.datasets ?? []))];
  const figures = datasets.slice(0, NAMED_DATASETS_MAX).map((dataset) => {
    const isKnown = asked.every(({ deployment: named = deployment }) => named === deployment);
    const extent = isKnown ? extents.get(dataset) : undefined;
    return extent
      ? `${dataset} has ${extentInWords(extent)}.`
      : `${dataset}: the number of events is not known.`;
  });
  const more = datasets.length - figures.length;
  if (more > 0) figures.push(`${more} more datasets are read.`);
  if (typeof own !== 'string') {
    const setting = `The setting aplomb.query.warnBeyond is ${warnBeyond()}.`;
    figures.unshift(`${rangeDetail(own, Date.now(), zone)}. ${setting}`);
  }
  return {
    message: `${which}, and the time range is ${label}.`,
    detail: figures.join('\n'),
  };
}

/** Writes limits into the documents, and returns the queries whose limits were written. */
async function writeLimits(queries: readonly Query[]): Promise<ReadonlySet<Query>> {
  const edit = new vscode.WorkspaceEdit();
  const written = new Set<Query>();
  for (const query of queries) {
    const { place, text, facts } = query;
    const document = documentOf(query);
    // Skip queries whose text differs from the document because parts are replaced by spaces.
    if (!place || !document || !facts?.unlimited || place.written !== undefined) continue;
    if (document.getText(place.range) !== text) continue;
    const { offset, insert } = facts.unlimited;
    const start = document.offsetAt(place.range.start);
    edit.insert(document.uri, document.positionAt(start + offset), insert);
    written.add(query);
  }
  return written.size > 0 && (await vscode.workspace.applyEdit(edit)) ? written : new Set();
}

/** Returns the queries with their limits, at their positions after the limits were written. */
function limited(
  queries: readonly Query[],
  asked: ReadonlySet<Query>,
  written: ReadonlySet<Query>,
): Query[] {
  /** The number of lines inserted so far, by document, in text order. */
  const inserted = new Map<string, number>();
  return queries.map((query) => {
    const { place } = query;
    const text = asked.has(query) ? withLimit(query) : query.text;
    const { unlimited: _, ...facts } = query.facts ?? ({} as NonNullable<Query['facts']>);
    const changed = { ...query, text, ...(query.facts && { facts }) };
    if (place === undefined) return changed;
    const key = place.uri.toString();
    const above = inserted.get(key) ?? 0;
    const start = place.range.start.translate(above);
    if (!written.has(query)) {
      const range = new vscode.Range(start, place.range.end.translate(above));
      return { ...changed, place: { ...place, range } };
    }
    const end = positionOf(text, text.length, start);
    inserted.set(key, above + lineBreaks(text) - lineBreaks(query.text));
    const range = new vscode.Range(start, new vscode.Position(end.line, end.character));
    return { ...changed, place: { ...place, range } };
  });
}

function withLimit({ facts, text }: Query): string {
  if (facts?.unlimited === undefined) return text;
  const { offset, insert } = facts.unlimited;
  return text.slice(0, offset) + insert + text.slice(offset);
}
