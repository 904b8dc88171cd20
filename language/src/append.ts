/** Helpers for arrays: appending without overflowing the stack, trimming arrays kept in memory, and binary search. */

/** Appends items to an array. `push(...items)` would overflow the stack on long arrays. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** The shared empty array, which saves memory because trees and bound queries contain thousands of them. */
export const none: readonly never[] = [];

/** Returns a copy without spare capacity, because `push` reserves room for 17 and most arrays have one element. */
export function packed<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}

/** Returns the number of items at the start that pass a test, by binary search. No item after these may pass it. */
export function partitionPoint<T>(list: readonly T[], test: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
