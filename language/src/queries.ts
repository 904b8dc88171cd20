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
  const from = kept === 0 ? 0 : reachStart(before[kept] as QuerySpan);
  const by = start + length - end;
  let rest = kept;
  let met = false;
  const known = (line: number): boolean => {
    // The line break above must be an old one, so that the old query, too, started with its line.
    if (line <= start + length) return false;
    while (rest < before.length && reachStart(before[rest] as QuerySpan) + by < line) rest++;
    const next = before[rest];
    met = next !== undefined && reachStart(next) + by === line;
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
  return { start: start + by, end: end + by, reach };
}

type Placed = Pick<QuerySpan, 'start' | 'reach'>;

function reachStart({ start, reach }: Placed): number {
  return start + reach.start;
}

function reachEnd({ start, reach }: Placed): number {
  return start + reach.end;
}

/** The query that a cursor at an offset is in; `queries` is what `splitQueries` found, or values made of that. */
export function queryAt<Query extends Placed>(
  queries: readonly Query[],
  offset: number,
): Query | undefined {
  let low = 0;
  let high = queries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reachStart(queries[middle] as Query) <= offset) low = middle + 1;
    else high = middle;
  }
  const found = queries[low - 1];
  return found !== undefined && offset <= reachEnd(found) ? found : undefined;
}

/** The index of the first query whose reach ends at an offset or behind it. */
function firstReaching(queries: readonly QuerySpan[], offset: number): number {
  let low = 0;
  let high = queries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reachEnd(queries[middle] as QuerySpan) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a query starts with its line, which one behind a `;` does not. */
function startsLine(text: SourceText, query: QuerySpan): boolean {
  const start = reachStart(query);
  return start === 0 || isNewline(text.charCodeAt(start - 1));
}
