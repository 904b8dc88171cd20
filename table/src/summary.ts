/** Summarizes a column over the rows that pass the filters. */
import { compareCells } from './cells.ts';
import type { Column } from './columns/column.ts';
import type { HeldTable } from './columns/heldTable.ts';
import { kinds } from './columns/values.ts';
import {
  type BoundedCount,
  type CountedValue,
  commonest,
  countValues,
  type ValueCount,
  valueKey,
} from './countValues.ts';
import { drawerOf } from './drawn.ts';
import type { Cell } from './result.ts';
import type { LongTask } from './rowSource.ts';
import { inSlices } from './slices.ts';
import { columnAt } from './tableSource.ts';
import { TotalOfNumbers } from './total.ts';

/** Row counts for equal parts of the range from `min` to `max`. */
export interface Histogram {
  readonly kind: 'number' | 'time';
  /** The range's bounds as exact text. Times are RFC 3339 in UTC. */
  readonly min: string;
  readonly max: string;
  readonly counts: readonly number[];
}

export interface ColumnSummary {
  readonly column: number;
  readonly rowCount: number;
  readonly nulls: number;
  readonly distinct: BoundedCount;
  /** The most frequent non-null values; empty unless `distinct` is exact. */
  readonly top: readonly CountedValue[];
  /** The least and greatest value as exact text, by sort order; absent if there are no values. */
  readonly min?: string;
  readonly max?: string;
  /** The mean; absent for columns without numbers. */
  readonly mean?: string;
  readonly histogram?: Histogram;
  /** The number of empty strings. */
  readonly empty: number;
}

export async function columnSummary(
  table: HeldTable,
  index: number,
  top: number,
  bins: number,
  task: LongTask,
): Promise<ColumnSummary> {
  const column = columnAt(table, index);
  const rows = table.arranged;
  const rowCount = table.shownCount;
  const counts = await countValues(column, rows, task);
  // If all distinct values are known, examine each value only once.
  const values = counts.exact ? counts.values : eachRow(rows, column.length);
  const ends = await extremes(column, values, task);
  const histogram =
    ends && bins > 0 ? await histogramOf(column, rows, ends, bins, task) : undefined;
  return {
    column: index,
    rowCount,
    nulls: counts.nulls,
    distinct: { count: counts.values.length, exact: counts.exact },
    top: counts.exact ? countedValues(table, index, commonest(column, counts.values, top)) : [],
    ...(ends && { min: column.text(ends.min) ?? '', max: column.text(ends.max) ?? '' }),
    ...(ends?.mean !== undefined && { mean: ends.mean }),
    ...(histogram && { histogram }),
    empty: ends?.empty ?? 0,
  };
}

/** Returns values with their counts and their formatted text. */
export function countedValues(
  table: HeldTable,
  index: number,
  values: readonly ValueCount[],
): CountedValue[] {
  const column = columnAt(table, index);
  const draw = drawerOf(table, index, { timeZone: 'utc' });
  return values.map(({ row, count }) => ({ key: valueKey(column, row), text: draw(row), count }));
}

type Extremes = NonNullable<Awaited<ReturnType<typeof extremes>>>;

function* eachRow(rows: Uint32Array | undefined, length: number): Generator<ValueCount> {
  const count = rows?.length ?? length;
  for (let at = 0; at < count; at++)
    yield { row: rows === undefined ? at : (rows[at] as number), count: 1 };
}

/** Returns the rows with the least and the greatest value, the mean, and the number of empty strings. */
async function extremes(column: Column, values: Iterable<ValueCount>, task: LongTask) {
  const { store } = column;
  const cell = store.comparables();
  let min: { row: number; cell: Cell } | undefined;
  let max: { row: number; cell: Cell } | undefined;
  let empty = 0;
  const total = new TotalOfNumbers();
  let looked = 0;
  for (const { row, count } of values) {
    if ((++looked & 1023) === 0 && task.due) await task.pause(0, 0);
    if (store.isNull(row)) continue;
    const value = cell(row);
    if (value === '') empty += count;
    if (
      typeof value === 'number' ||
      (typeof value === 'bigint' && store.kind(row) === kinds.number)
    )
      total.add(value, count);
    if (min === undefined || max === undefined) {
      min = { row, cell: value };
      max = min;
    } else if (compareCells(value, min.cell) < 0) min = { row, cell: value };
    else if (compareCells(value, max.cell) > 0) max = { row, cell: value };
  }
  if (min === undefined || max === undefined) return undefined;
  const mean = total.average();
  return { min: min.row, max: max.row, empty, mean };
}

async function histogramOf(
  column: Column,
  rows: Uint32Array | undefined,
  { min, max }: Extremes,
  bins: number,
  task: LongTask,
): Promise<Histogram | undefined> {
  const { store } = column;
  const value = store.magnitudes();
  const first = value(min);
  const width = value(max) - first;
  // Columns with values that are neither numbers nor times have no histogram.
  if (!Number.isFinite(width)) return undefined;
  const counts = new Array<number>(width === 0 ? 1 : bins).fill(0);
  await inSlices(rows?.length ?? column.length, task, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows === undefined ? at : (rows[at] as number);
      if (store.isNull(row)) continue;
      const place = (value(row) - first) / (width || 1);
      const bin = Math.min(counts.length - 1, Math.floor(place * counts.length));
      counts[bin] = (counts[bin] as number) + 1;
    }
  });
  return {
    kind: store.holdsTimes ? 'time' : 'number',
    min: column.text(min) ?? '',
    max: column.text(max) ?? '',
    counts,
  };
}
