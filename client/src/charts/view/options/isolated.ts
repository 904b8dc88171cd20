/** Finds the points that a line chart would not show without a symbol. */

/** Returns the indexes of isolated points: each has no value on either side, so no line would show it. */
export function isolated(values: readonly (number | null)[]): ReadonlySet<number> {
  const found = new Set<number>();
  values.forEach((value, at) => {
    if (value === null) return;
    if ((values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null) found.add(at);
  });
  return found;
}
