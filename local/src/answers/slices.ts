/**
 * The rows of a result as JSON, in slices that the engine makes one at a time, so that memory does not grow
 * with the answer.
 */
import type { Session } from '../store/duckdb.ts';
import type { Part } from './shapes.ts';

/** Rows in the first slice, which all parts give at once. */
export const SLICE_ROWS = 16_384;

/** Bytes that a later slice aims at: each costs a statement. */
const SLICE_BYTES = 16 * 1_048_576;

/** Rows of one of DuckDB's row groups. */
const ROW_GROUP_ROWS = 122_880;

/** The texts of a part: the first slice, which is there, and those behind it in the table `rows`. */
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
  for (let from = SLICE_ROWS; rows !== undefined && from < count; ) {
    const groupEnd = (Math.floor(from / ROW_GROUP_ROWS) + 1) * ROW_GROUP_ROWS;
    const to = Math.min(from + wanted, groupEnd, count);
    const { slices } = await readSlice(session, rows, [part], [from, to]);
    const [slice] = slices as [Uint8Array];
    yield COMMA;
    yield slice;
    wanted = nextSliceRows(wanted, to - from, slice.length);
    from = to;
  }
  yield Buffer.from(part.close);
}

const COMMA = Buffer.from(',');

/**
 * How many rows to ask for after a slice of `read` rows, which may be fewer than were `wanted`, took so many
 * bytes. The number only doubles, since rows to come may be longer than any so far.
 */
export function nextSliceRows(wanted: number, read: number, bytes: number): number {
  const fitting = Math.floor((SLICE_BYTES / Math.max(bytes, 1)) * read);
  return Math.max(1, Math.min(fitting, wanted * 2));
}

export interface Slice {
  readonly count: number;
  readonly aggregated: number | null;
  /** The text of each part, without brackets. */
  readonly slices: readonly Uint8Array[];
}

/**
 * A half-open span of rows. It lies within one row group, which one thread reads in order, so that its rows
 * stay in order. `told` is an aggregate of the rows, a number or null.
 */
export async function readSlice(
  session: Session,
  rows: string,
  parts: readonly Part[],
  [from, to]: readonly [number, number],
  told = 'NULL',
): Promise<Slice> {
  const values = parts.map(({ row }) => `, encode(coalesce(string_agg(${row}, ','), ''))`);
  const [row] = await session.rows<[bigint, bigint | null, ...Uint8Array[]]>(
    `SELECT count(*), ${told}${values.join('')} FROM ${rows} WHERE rowid >= ${from} AND rowid < ${to}`,
  );
  const [count, aggregated, ...slices] = row!;
  return {
    count: Number(count),
    aggregated: aggregated === null ? null : Number(aggregated),
    slices,
  };
}
