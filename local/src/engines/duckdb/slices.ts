/** Reads rows as JSON in slices (batches of rows), so that JavaScript's memory doesn't grow with the answer. */
import { availableParallelism } from 'node:os';
import type { Part } from '../../answers/shapes.ts';
import { type Ends, SLICE_ROWS } from '../answers.ts';
import type { Session } from './database/session.ts';

/** Target size of all slices but the first, in bytes. Smaller slices would take more statements. */
const SLICE_BYTES = 16 * 1_048_576;

/** Number of rows in a DuckDB row group. */
const ROW_GROUP_ROWS = 122_880;

/** Yields a part's JSON. `first` is the first slice. Later slices are read from the table `rows`, if there is one. */
export async function* partChunks(
  session: Session,
  rows: string | undefined,
  count: number,
  part: Part,
  first: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(part.open);
  yield first;
  let wanted = nextSliceRows(SLICE_ROWS, SLICE_ROWS, first.length);
  if (rows === undefined) {
    yield Buffer.from(part.close);
    return;
  }
  for (let from = SLICE_ROWS; from < count; ) {
    const groupEnd = (Math.floor(from / ROW_GROUP_ROWS) + 1) * ROW_GROUP_ROWS;
    const to = Math.min(from + wanted, groupEnd, count);
    let bytes = 0;
    for (const text of await readSpans(session, rows, part, spansOf(from, to))) {
      yield COMMA;
      yield text;
      bytes += text.length;
    }
    wanted = nextSliceRows(wanted, to - from, bytes);
    from = to;
  }
  yield Buffer.from(part.close);
}

const COMMA = Buffer.from(',');

type Span = readonly [from: number, to: number];

/** Minimum number of rows for which another thread is worthwhile. */
const SPAN_ROWS = 4_096;

function spansOf(from: number, to: number): readonly Span[] {
  const parts = Math.max(1, Math.min(THREADS, Math.floor((to - from) / SPAN_ROWS)));
  const size = Math.ceil((to - from) / parts);
  return Array.from({ length: parts }, (_, i): Span => {
    const start = from + i * size;
    return [start, Math.min(start + size, to)];
  });
}

const THREADS = Math.min(8, availableParallelism());

/** Reads all spans in one statement. DuckDB runs the branches of a union on separate threads. */
async function readSpans(
  session: Session,
  rows: string,
  part: Part,
  spans: readonly Span[],
): Promise<Uint8Array[]> {
  const branches = spans.map(
    (span, i) => `SELECT ${i} AS place, ${jsonSql(part)} AS text ${spanSql(rows, span)}`,
  );
  const found = await session.rows<[number, Uint8Array]>(branches.join(' UNION ALL '));
  return found.sort(([a], [b]) => a - b).map(([, text]) => text);
}

/** Returns the size of the next slice: at most twice the last number of rows, because later rows may be longer. */
export function nextSliceRows(wanted: number, read: number, bytes: number): number {
  const fitting = Math.floor((SLICE_BYTES / Math.max(bytes, 1)) * read);
  return Math.max(1, Math.min(fitting, wanted * 2));
}

interface Slice {
  readonly count: number;
  readonly aggregated: number | undefined;
  readonly first: readonly Uint8Array[];
  readonly ends?: Ends;
}

interface SliceOptions {
  /** The number of rows in the JSON. Without it, the JSON has all rows. */
  readonly limit?: number | undefined;
  /** Aggregates that return the members of `Ends`. */
  readonly ends?: readonly string[] | undefined;
}

/**
 * Reads a half-open span of rows. The span must be in one row group, so that a single thread reads it in order. The
 * JSON has only the first `limit` rows.
 */
export async function readSlice(
  session: Session,
  rows: string,
  parts: readonly Part[],
  span: Span,
  aggregatedCount = 'NULL',
  { limit, ends = [] }: SliceOptions = {},
): Promise<Slice> {
  const values = parts.map((part) => jsonSql(part, limit));
  const items = ['count(*)', aggregatedCount, ...values, ...ends];
  const [row] = await session.rows<[bigint, bigint | null, ...Uint8Array[]]>(
    `SELECT ${items.join(', ')} ${spanSql(rows, span)}`,
  );
  const [count, aggregated, ...read] = row!;
  return {
    count: Number(count),
    aggregated: aggregated === null ? undefined : Number(aggregated),
    first: read.slice(0, parts.length),
    ...(ends.length > 0 && { ends: read.slice(parts.length) as unknown as Ends }),
  };
}

export function jsonSql({ row }: Part, shown?: number): string {
  // FILTER would make DuckDB copy all columns for each aggregate, which may take gigabytes.
  const text = shown === undefined ? row : `CASE WHEN rowid < ${shown} THEN ${row} END`;
  return `encode(coalesce(string_agg(${text}, ','), ''))`;
}

function spanSql(rows: string, [from, to]: Span): string {
  return `FROM ${rows} WHERE rowid >= ${from} AND rowid < ${to}`;
}
