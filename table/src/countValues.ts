/** Counts the rows with each value of a column, up to a maximum number of distinct values. */
import { compareCells } from './cells.ts';
import type { Column } from './columns/column.ts';
import type { Key } from './columns/store.ts';
import { kindNames } from './columns/values.ts';
import type { DrawnCell } from './drawn.ts';
import type { LongTask } from './rowSource.ts';
import { inSlices } from './slices.ts';
import type { ValueKey } from './viewState.ts';

export interface CountedValue {
  readonly key: ValueKey;
  /** The formatted text, cut if it is very long; null for null. Times are in UTC. */
  readonly text: DrawnCell;
  readonly count: number;
}

/** A number that is exact, or a lower bound if counting stopped early. */
export interface BoundedCount {
  readonly count: number;
  readonly exact: boolean;
}

/** The maximum number of distinct values to count. */
export const distinctMax = 100_000;

export interface ValueCount {
  /** The number of an original row with the value. */
  readonly row: number;
  count: number;
}

/** Counts the values in the given original rows, or in all rows. `exact`: whether no other values exist. */
export async function countValues(column: Column, rows: Uint32Array | undefined, task: LongTask) {
  const { store } = column;
  const rowCount = rows?.length ?? column.length;
  const keyOf = store.keys();
  const byKey = new Map<Key, ValueCount>();
  let nulls = 0;
  let exact = true;
  await inSlices(rowCount, task, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows === undefined ? at : (rows[at] as number);
      if (store.isNull(row)) {
        nulls++;
        continue;
      }
      const key = keyOf(row);
      const known = byKey.get(key);
      if (known !== undefined) known.count++;
      else if (byKey.size < distinctMax) byKey.set(key, { row, count: 1 });
      else exact = false;
    }
  });
  return { values: [...byKey.values()] as readonly ValueCount[], nulls, exact };
}

export function valueKey(column: Column, row: number): ValueKey {
  const text = column.text(row);
  return text === null ? null : { kind: kindNames[column.kind(row)], text };
}

/** Returns the `limit` most frequent values, most frequent first; equally frequent values in ascending order. */
export function commonest(
  column: Column,
  values: readonly ValueCount[],
  limit: number,
): ValueCount[] {
  const counts = Float64Array.from(values, ({ count }) => count).sort();
  const least = counts[Math.max(0, counts.length - limit)] ?? 0;
  const more = values.filter(({ count }) => count > least);
  // Return the first found of the values tied for the last place, because sorting all of them could be slow.
  const asMany = values.filter(({ count }) => count === least).slice(0, limit - more.length);
  return [...more, ...asMany].sort(
    (left, right) =>
      right.count - left.count || compareCells(column.cell(left.row), column.cell(right.row)),
  );
}
