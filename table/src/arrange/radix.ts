/** A stable radix sort of row numbers by 32-bit keys, in time slices. */
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';

const digitBits = 11;

/** Sorts rows stably by `keys`, least significant first. Each key array is indexed by row. Overwrites `rows`. */
export async function radixSort(
  rows: Uint32Array,
  keys: readonly Uint32Array[],
  task: LongTask,
): Promise<Uint32Array> {
  let source: Uint32Array = rows;
  let target: Uint32Array = new Uint32Array(rows.length);
  const counts = new Uint32Array(1 << digitBits);
  for (const key of keys) {
    const differing = await differingBits(source, key, task);
    const bits = 32 - Math.clz32(differing);
    for (let shift = 0; shift < bits; shift += digitBits) {
      const mask = (1 << Math.min(digitBits, bits - shift)) - 1;
      if (((differing >>> shift) & mask) === 0) continue;
      counts.fill(0);
      const from = source;
      await inSlices(from.length, task, (first, end) => {
        for (let at = first; at < end; at++) {
          const digit = ((key[from[at] as number] as number) >>> shift) & mask;
          counts[digit] = (counts[digit] as number) + 1;
        }
      });
      let sum = 0;
      for (let digit = 0; digit <= mask; digit++) {
        const count = counts[digit] as number;
        counts[digit] = sum;
        sum += count;
      }
      const to = target;
      await inSlices(from.length, task, (first, end) => {
        for (let at = first; at < end; at++) {
          const row = from[at] as number;
          const digit = ((key[row] as number) >>> shift) & mask;
          const place = counts[digit] as number;
          counts[digit] = place + 1;
          to[place] = row;
        }
      });
      [source, target] = [to, from];
    }
  }
  return source;
}

/** Returns the bits in which the rows' keys differ. */
async function differingBits(rows: Uint32Array, key: Uint32Array, task: LongTask): Promise<number> {
  const first = key[rows[0] ?? 0] ?? 0;
  let bits = 0;
  await inSlices(rows.length, task, (from, to) => {
    for (let at = from; at < to; at++) bits |= (key[rows[at] as number] as number) ^ first;
  });
  return bits;
}

/** Returns keys for descending order, given the keys for ascending order. */
export function inverted(keys: readonly Uint32Array[]): Uint32Array[] {
  return keys.map((key) => {
    const result = new Uint32Array(key.length);
    for (let row = 0; row < key.length; row++) result[row] = ~(key[row] as number);
    return result;
  });
}
