/** Ranks UTF-8 strings in JavaScript's order (by UTF-16 code units), using a radix sort of eight bytes at a time. */

import type { ByteHeap } from '../columns/byteHeap.ts';
import type { LongTask } from '../rowSource.ts';
import { mergeSort } from './mergeSort.ts';
import { radixSort } from './radix.ts';

/** If there are fewer strings, they are compared with each other instead. */
const radixMin = 256;

/**
 * Maps UTF-8 bytes to UTF-16 order, in which characters beyond U+FFFF (F0 to F4) precede those that begin with EE and
 * EF.
 */
const byteOrder = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0xee || byte === 0xef) return byte + 5;
  return byte >= 0xf0 && byte <= 0xf4 ? byte - 2 : byte;
});

/** Sorts the string numbers in `entries` and writes ranks, starting with `first`, to `ranks`. Returns the next rank. */
export async function rankTexts(
  heap: ByteHeap,
  entries: Uint32Array,
  ranks: Uint32Array,
  first: number,
  task: LongTask,
): Promise<number> {
  const isSame = heap.hasLoneSurrogates
    ? await sortAsStrings(heap, entries, task)
    : await sortAsBytes(heap, entries, task);
  let rank = first;
  for (let at = 0; at < entries.length; at++) {
    if (at > 0 && !isSame(entries[at - 1] as number, entries[at] as number)) rank++;
    ranks[entries[at] as number] = rank;
    if ((at & 4095) === 0 && task.due) await task.pause(0, 0);
  }
  return entries.length === 0 ? first : rank + 1;
}

type Same = (left: number, right: number) => boolean;

async function sortAsStrings(heap: ByteHeap, entries: Uint32Array, task: LongTask): Promise<Same> {
  const texts = new Map<number, string>();
  for (const entry of entries) texts.set(entry, heap.text(entry));
  const text = (entry: number) => texts.get(entry) as string;
  const compare = (left: number, right: number) =>
    text(left) < text(right) ? -1 : text(left) > text(right) ? 1 : 0;
  await mergeSort(entries, compare, task);
  return (left, right) => text(left) === text(right);
}

async function sortAsBytes(heap: ByteHeap, entries: Uint32Array, task: LongTask): Promise<Same> {
  const high = new Uint32Array(heap.count);
  const low = new Uint32Array(heap.count);
  const runs: [from: number, to: number, depth: number][] = [[0, entries.length, 0]];
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const [from, to, depth] = run;
    const part = entries.subarray(from, to);
    if (part.length < radixMin) {
      part.sort((left, right) => compareBytes(heap, left, right, depth));
      if (task.due) await task.pause(0, 0);
      continue;
    }
    for (let at = 0; at < part.length; at++) {
      const entry = part[at] as number;
      high[entry] = fourBytes(heap, entry, depth);
      low[entry] = fourBytes(heap, entry, depth + 4);
      if ((at & 4095) === 0 && task.due) await task.pause(0, 0);
    }
    const sorted = await radixSort(part.slice(), [low, high], task);
    part.set(sorted);
    // Sort strings that are equal in these eight bytes by the next eight bytes.
    for (let start = 0; start < part.length; ) {
      const entry = part[start] as number;
      let end = start + 1;
      while (
        end < part.length &&
        high[part[end] as number] === high[entry] &&
        low[part[end] as number] === low[entry]
      )
        end++;
      if (end - start > 1) {
        const state = endsOf(heap, part.subarray(start, end), depth + 8);
        if (state === 'none') runs.push([from + start, from + end, depth + 8]);
        else if (state === 'some')
          await mergeSort(
            part.subarray(start, end),
            (left, right) => compareBytes(heap, left, right, depth),
            task,
          );
      }
      start = end;
      if (task.due) await task.pause(0, 0);
    }
  }
  return (left, right) =>
    heap.length(left) === heap.length(right) && compareBytes(heap, left, right, 0) === 0;
}

/** Returns which of the strings with equal bytes up to `depth` end there: none, all with equal lengths, or some. */
function endsOf(heap: ByteHeap, entries: Uint32Array, depth: number): 'none' | 'all' | 'some' {
  const length = heap.length(entries[0] as number);
  let areSame = true;
  let areLonger = true;
  for (const entry of entries) {
    areSame &&= heap.length(entry) === length;
    areLonger &&= heap.length(entry) > depth;
  }
  if (areLonger) return 'none';
  return areSame ? 'all' : 'some';
}

/** Returns four bytes as one number, with zeros after the end of the string. */
function fourBytes(heap: ByteHeap, entry: number, depth: number): number {
  const start = heap.start(entry) + depth;
  const end = heap.end(entry);
  let word = 0;
  for (let at = start; at < start + 4; at++)
    word = (word << 8) | (at < end ? (byteOrder[heap.byteAt(at)] as number) : 0);
  return word >>> 0;
}

function compareBytes(heap: ByteHeap, left: number, right: number, depth: number): number {
  const leftEnd = heap.end(left);
  const rightEnd = heap.end(right);
  let a = heap.start(left) + depth;
  let b = heap.start(right) + depth;
  while (a < leftEnd && b < rightEnd) {
    const difference =
      (byteOrder[heap.byteAt(a++)] as number) - (byteOrder[heap.byteAt(b++)] as number);
    if (difference !== 0) return difference;
  }
  return leftEnd - a - (rightEnd - b);
}
