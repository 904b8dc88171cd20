/** 32-bit sort keys for numbers, least significant first. */

import { mergeSort } from '../arrange/mergeSort.ts';
import { compareCells } from '../cells.ts';
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';

export const signBit = 0x8000_0000;

/** Returns sort keys for 64-bit integers, each given as two words, low word first. */
export function wordKeys(words: Int32Array, length: number): Uint32Array[] {
  const low = new Uint32Array(length);
  const high = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    low[row] = words[row * 2] as number;
    high[row] = (words[row * 2 + 1] as number) ^ signBit;
  }
  return [low, high];
}

/** Returns sort keys for doubles: their bits, inverted for negative numbers because those sort in descending order. */
export async function doubleKeys(values: Float64Array, task: LongTask): Promise<Uint32Array[]> {
  const low = new Uint32Array(values.length);
  const high = new Uint32Array(values.length);
  const one = new Float64Array(1);
  const words = new Int32Array(one.buffer);
  await inSlices(values.length, task, (from, to) => {
    for (let row = from; row < to; row++) {
      // Add zero, so that -0 becomes equal to 0.
      one[0] = (values[row] as number) + 0;
      const upper = words[1] as number;
      const sign = upper >> 31;
      low[row] = (words[0] as number) ^ sign;
      high[row] = upper ^ (sign | signBit);
    }
  });
  return [low, high];
}

/** Sorts items by their cells and writes their ranks, from 0, to `ranks`. Equal cells have equal ranks. */
export async function rankCells(
  items: Uint32Array,
  cellOf: (item: number) => Cell,
  ranks: Uint32Array,
  task: LongTask,
): Promise<Uint32Array> {
  await mergeSort(items, (left, right) => compareCells(cellOf(left), cellOf(right)), task);
  let rank = 0;
  let before: Cell = null;
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as number;
    const current = cellOf(item);
    if (at > 0 && compareCells(before, current) !== 0) rank++;
    ranks[item] = rank;
    before = current;
    if ((at & 1023) === 0 && task.due) await task.pause(0, 0);
  }
  return ranks;
}
