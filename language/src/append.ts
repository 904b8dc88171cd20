/** Lists put behind lists, however long: `push(...items)` lays all items on the stack, which overflows. */

/** Adds items to the end of a list. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
