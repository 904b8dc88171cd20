/**
 * Filters that reduce a block of row numbers to those that pass. Most filters are specialized for a column's storage,
 * so that their loops only read typed arrays.
 */
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import type { NumberRange, Store } from './store.ts';

/** Reduces the first `count` rows of a block to those that pass, in order. Returns their number. */
export type RowFilter = (block: Uint32Array, count: number) => number;

export const noRows: RowFilter = () => 0;

export function keep(accepts: (row: number) => boolean): RowFilter {
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      if (accepts(row)) block[kept++] = row;
    }
    return kept;
  };
}

/** Removes null rows before applying another filter. */
export function notNull({ nulls }: Store, filter: RowFilter): RowFilter {
  if (nulls === undefined) return filter;
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      if (!nulls.has(row)) block[kept++] = row;
    }
    return filter(block, kept);
  };
}

/** Keeps rows whose entry is 1 in `accepted`. */
export function acceptedEntries({ codes }: Store, accepted: Uint8Array): RowFilter {
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      block[kept] = row;
      kept += accepted[codes === undefined ? row : (codes[row] as number)] as number;
    }
    return kept;
  };
}

/** Returns a function that tests rows by their entry. Each repeated value is tested only once. */
export async function entryTest(
  { codes, entryCount }: Store,
  accepts: (entry: number) => boolean,
  task: LongTask,
): Promise<(row: number) => boolean> {
  if (codes === undefined) return accepts;
  const accepted = new Uint8Array(entryCount);
  for (let entry = 0; entry < entryCount; entry++) {
    accepted[entry] = Number(accepts(entry));
    if (task.due) await task.pause(0, 0);
  }
  return (row) => accepted[codes[row] as number] === 1;
}

/** Keeps doubles in a range. The range's bounds are rounded to the nearest doubles. */
export function doubleRange(
  values: { readonly [row: number]: number },
  range: NumberRange,
): RowFilter {
  const from = Number(range.from ?? Number.NEGATIVE_INFINITY);
  const to = Number(range.to ?? Number.POSITIVE_INFINITY);
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      const value = values[row] as number;
      block[kept] = row;
      kept += Number(value >= from && value <= to);
    }
    return kept;
  };
}

/** Keeps integers in a range with a single comparison, because unsigned differences wrap around below the range. */
export function integerRange(
  values: Int8Array | Int16Array | Int32Array,
  range: NumberRange,
): RowFilter {
  const from = Math.max(Math.ceil(Number(range.from ?? minInt32)), minInt32);
  const to = Math.min(Math.floor(Number(range.to ?? maxInt32)), maxInt32);
  if (!(from <= to)) return noRows;
  const span = to - from;
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      block[kept] = row;
      kept += Number(((values[row] as number) - from) >>> 0 <= span);
    }
    return kept;
  };
}

export function isInRange(cell: Cell, { from, to }: NumberRange): boolean {
  return (
    (typeof cell === 'number' || typeof cell === 'bigint') &&
    (from === undefined || cell >= from) &&
    (to === undefined || cell <= to)
  );
}

const minInt32 = -(2 ** 31);
const maxInt32 = 2 ** 31 - 1;

export const minInt64 = -(2n ** 63n);
export const maxInt64 = 2n ** 63n - 1n;

/** Keeps 64-bit integers from `from` to `to`, inclusive. Comparing words is faster than comparing bigints. */
export function wordRange(words: Int32Array, from: bigint, to: bigint): RowFilter {
  if (from > maxInt64 || to < minInt64 || from > to) return noRows;
  const first = from < minInt64 ? minInt64 : from;
  const last = to > maxInt64 ? maxInt64 : to;
  const [fromHigh, fromLow] = [Number(first >> 32n), Number(first & 0xffff_ffffn)];
  const [toHigh, toLow] = [Number(last >> 32n), Number(last & 0xffff_ffffn)];
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      const high = words[row * 2 + 1] as number;
      if (high < fromHigh || high > toHigh) continue;
      const low = (words[row * 2] as number) >>> 0;
      if ((high > fromHigh || low >= fromLow) && (high < toHigh || low <= toLow))
        block[kept++] = row;
    }
    return kept;
  };
}
