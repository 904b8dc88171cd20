/** A stable comparison sort in time slices, for values without sort keys. */
import type { LongTask } from '../rowSource.ts';

const runLength = 512;

export async function mergeSort(
  items: Uint32Array,
  compare: (left: number, right: number) => number,
  task: LongTask,
): Promise<void> {
  const { length } = items;
  for (let from = 0; from < length; from += runLength) {
    items.subarray(from, Math.min(length, from + runLength)).sort(compare);
    if (task.due) await task.pause(0, 0);
  }
  let source: Uint32Array = items;
  let target: Uint32Array = new Uint32Array(length);
  for (let run = runLength; run < length; run *= 2) {
    for (let from = 0; from < length; from += 2 * run) {
      const middle = Math.min(length, from + run);
      const end = Math.min(length, from + 2 * run);
      let left = from;
      let right = middle;
      for (let at = from; at < end; at++) {
        const takesLeft =
          right >= end ||
          (left < middle && compare(source[left] as number, source[right] as number) <= 0);
        target[at] = source[takesLeft ? left++ : right++] as number;
        if ((at & 255) === 0 && task.due) await task.pause(0, 0);
      }
    }
    [source, target] = [target, source];
  }
  if (source !== items) items.set(source);
}
