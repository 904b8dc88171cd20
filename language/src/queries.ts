/** Splits a document into queries, updates the split after a change, and finds the query at an offset. */
import { partitionPoint } from './append.ts';
import { type QuerySpan, readQueries } from './queryReader.ts';
import type { SourceText } from './sourceText.ts';
import { isNewline } from './syntax/characters.ts';
import type { Change } from './text.ts';

export type { QuerySpan };

/** Splits a document into queries in linear time. */
export function splitQueries(text: string): QuerySpan[] {
  return readQueries(text, () => false);
}

/** The result of splitting a document again after a change: the unchanged, new and moved queries. */
export interface Resplit {
  /** The number of unchanged queries at the start. */
  readonly kept: number;
  /** The queries in the text that was read again. In the document, they come after the unchanged queries. */
  readonly fresh: readonly QuerySpan[];
  /** The index of the first old query after `fresh`. From this index on, queries move by the change in length. */
  readonly rest: number;
}

/**
 * Updates the queries of a document after a change. The result equals `splitQueries` of the new text, but only the text
 * around the change is read.
 */
export function resplitQueries(
  text: SourceText,
  before: readonly QuerySpan[],
  { start, end, length }: Change,
): Resplit {
  // The change may extend the preceding query, so read again from there. If that query isn't the first on its line,
  // start at the nearest earlier query that is.
  const above = partitionPoint(before, (query) => reachEnd(query) < start);
  let kept = Math.max(0, above - 1);
  while (kept > 0 && !startsLine(text, before[kept] as QuerySpan)) kept--;
  const from = kept === 0 ? 0 : reachStart(before[kept] as QuerySpan);
  const by = start + length - end;
  let rest = kept;
  let met = false;
  const known = (line: number): boolean => {
    // Reuse an old query only if the line break before it is unchanged. Otherwise, the query may no longer start a
    // line.
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

/** The number of characters after a change to read again at first. The next query nearly always starts within them. */
const usualAhead = 2048;

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

/** Returns the query that contains the cursor offset. `queries` are in text order. */
export function queryAt<Query extends Placed>(
  queries: readonly Query[],
  offset: number,
): Query | undefined {
  const found = queries[partitionPoint(queries, (query) => reachStart(query) <= offset) - 1];
  return found !== undefined && offset <= reachEnd(found) ? found : undefined;
}

function startsLine(text: SourceText, query: QuerySpan): boolean {
  const start = reachStart(query);
  return start === 0 || isNewline(text.charCodeAt(start - 1));
}
