// Processes long lists in pieces, so that 100,000 monitors, for example, don't block the extension host.
import { setImmediate } from 'node:timers/promises';

/** The number of items between two pauses. Sorting them by name takes about ten milliseconds. */
const PIECE = 5_000;

export async function mappedInPieces<T, U>(items: readonly T[], map: (item: T) => U): Promise<U[]> {
  const result: U[] = [];
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) await setImmediate();
    for (const item of items.slice(at, at + PIECE)) result.push(map(item));
  }
  return result;
}

/** Returns the sorted items. Equal items keep their order. */
export async function sortedInPieces<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) await setImmediate();
    runs.push(items.slice(at, at + PIECE).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [first = [], second] = runs.slice(at, at + 2);
      merged.push(second === undefined ? first : await mergedRuns(first, second, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedRuns<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const result: T[] = [];
  let [left, right] = [0, 0];
  while (left < first.length && right < second.length) {
    if (result.length % PIECE === 0) await setImmediate();
    const [a, b] = [first[left] as T, second[right] as T];
    if (compare(a, b) <= 0) {
      result.push(a);
      left += 1;
    } else {
      result.push(b);
      right += 1;
    }
  }
  for (; left < first.length; left += 1) result.push(first[left] as T);
  for (; right < second.length; right += 1) result.push(second[right] as T);
  return result;
}
