// Sorts names in natural order, in which f2 precedes f10.
let collator: Intl.Collator | undefined;

/** Compares two names in natural order or, if the names collate as equal, by code units. */
export function naturalOrder(a: string, b: string): number {
  // Creating the collator loads locale data, so it is created on first use. Its fixed locale gives the same order
  // everywhere.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
