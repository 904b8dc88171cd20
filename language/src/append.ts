/** Lists that are put behind others, however long, and lists that are kept. */

/** Adds items to the end of a list; `push(...items)` would lay all of them on the stack, which overflows. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** What every empty list that is kept is: a tree and what is bound of it have thousands of them. */
export const none: readonly never[] = [];

/**
 * The same items in a list without room for more. One that grew by `push` has room for seventeen at once,
 * and a tree keeps thousands of lists of one.
 */
export function packed<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}
