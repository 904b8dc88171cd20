/** Finds the points that a line alone would not show. */

/** Points between two gaps, which no line leads to. */
export function isolated(values: readonly (number | null)[]): ReadonlySet<number> {
  const found = new Set<number>();
  values.forEach((value, at) => {
    if (value === null) return;
    if ((values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null) found.add(at);
  });
  return found;
}
