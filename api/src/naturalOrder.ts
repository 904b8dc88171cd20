// Natural sort order of names: numbers in names compare by value, so f2 precedes f10.
let collator: Intl.Collator | undefined;

/** Compares two names or paths. Names that collate as equal are ordered by their code units. */
export function naturalOrder(a: string, b: string): number {
  // Created on first use, because it loads locale data. The locale is fixed, so that the order is the same on every
  // machine.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
