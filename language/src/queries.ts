/** A document to its queries, at first and after a change, and the query at an offset. */
import { type QuerySpan, readQueries } from './queryReader.ts';
import type { SourceText } from './sourceText.ts';
import { isNewline } from './syntax/characters.ts';
import type { Change } from './text.ts';

export type { QuerySpan };

/** The queries of a document in order. Linear in the text. */
export function splitQueries(text: string): QuerySpan[] {
  return readQueries(text, () => false);
}

/** What a change has made of the queries of a document. */
export interface Resplit {
  /** How many queries at the start are as they were. */
  readonly kept: number;
  /** The queries behind them, read anew. */
  readonly fresh: readonly QuerySpan[];
  /** The index of the first old query that follows these, moved by what the change has added. */
  readonly rest: number;
}

/**
 * What has become of the queries of a text by a change. Put together, the answer equals `splitQueries`
 * of the new text; only lines around the change are read, since what starts a query depends on nothing
 * above the query before it.
 */
export function resplitQueries(
  text: SourceText,
  before: readonly QuerySpan[],
  { start, end, length }: Change,
): Resplit {
  // The query above the change may go on now, so it is read again, its first line being as it was.
  let kept = Math.max(0, firstReaching(before, start) - 1);
  while (kept > 0 && !startsLine(text, before[kept] as QuerySpan)) kept--;
  const from = kept === 0 ? 0 : (before[kept] as QuerySpan).reach.start;
  const by = start + length - end;
  let rest = kept;
  let met = false;
  const known = (line: number): boolean => {
    // The line break above must be an old one, so that the old query, too, started with its line.
    if (line <= start + length) return false;
    while (rest < before.length && (before[rest] as QuerySpan).reach.start + by < line) rest++;
    met = (before[rest]?.reach.start ?? Number.NaN) + by === line;
    return met;
  };
  for (let ahead = usualAhead; ; ahead *= 8) {
    const to = text.lineStart(text.positionAt(start + length + ahead).line + 1);
    const fresh = readQueries(text.slice(from, to), (line) => known(from + line));
    if (met || to === text.length)
      return {
        kept,
        fresh: fresh.map((query) => movedQuery(query, from)),
        rest: met ? rest : before.length,
      };
    rest = kept;
  }
}

/** How far below a change is read at first; nearly always another query starts there. */
const usualAhead = 2048;

/** Where a query stands whose document has grown above it. */
function movedQuery({ start, end, reach }: QuerySpan, by: number): QuerySpan {
  return {
    start: start + by,
    end: end + by,
    reach: { start: reach.start + by, end: reach.end + by },
  };
}

/** The query that a cursor at an offset is in; `queries` is what `splitQueries` found, or values made of that. */
export function queryAt<Query extends Pick<QuerySpan, 'reach'>>(
  queries: readonly Query[],
  offset: number,
): Query | undefined {
  let low = 0;
  let high = queries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((queries[middle] as Query).reach.start <= offset) low = middle + 1;
    else high = middle;
  }
  const found = queries[low - 1];
  return found !== undefined && offset <= found.reach.end ? found : undefined;
}

/** The index of the first query whose reach ends at an offset or behind it. */
function firstReaching(queries: readonly QuerySpan[], offset: number): number {
  let low = 0;
  let high = queries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((queries[middle] as QuerySpan).reach.end < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a query starts with its line, which one behind a `;` does not. */
function startsLine(text: SourceText, { reach: { start } }: QuerySpan): boolean {
  return start === 0 || isNewline(text.charCodeAt(start - 1));
}
