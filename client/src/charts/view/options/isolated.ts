/** Finds the points that a line chart would not show without a symbol. */

/** Returns the indexes of points between two gaps, which no line connects. */
export function isolated(values: readonly (number | null)[]): ReadonlySet<number> {
  const found = new Set<number>();
  values.forEach((value, at) => {
    if (value === null) return;
    if ((values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null) found.add(at);
  });
  return found;
}
