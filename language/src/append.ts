/** Helpers for arrays: appending without overflowing the stack, trimming arrays kept in memory, and binary search. */

/** Appends items to an array. `push(...items)` would overflow the stack on long arrays. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** A shared empty array. Trees and bound queries contain thousands of empty arrays, so sharing one saves memory. */
export const none: readonly never[] = [];

/** Returns a copy of the array without spare capacity: `push` reserves room for 17 items, but most arrays have one. */
export function packed<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}

/** Returns the number of items that pass the test, by binary search. All passing items must precede the others. */
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
