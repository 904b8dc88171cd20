// The order of names in lists: numbers in them by value, so that f2 precedes f10.
let collator: Intl.Collator | undefined;

/** Compares two names or paths. Names that read the same are ordered by their code units. */
export function naturalOrder(a: string, b: string): number {
  // Made with its first use, since it loads data of languages. One language, so that lists are the same everywhere.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
