// Sorts names in natural order: numbers in them compare by value, so f2 precedes f10.
let collator: Intl.Collator | undefined;

/** Compares two names or paths. If they collate as equal, compares their code units. */
export function naturalOrder(a: string, b: string): number {
  // Create the collator on first use, because creating it loads locale data. Its locale is fixed, so that the order is
  // the same everywhere.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
