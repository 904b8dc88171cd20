/** The times of the oldest and newest event, in nanoseconds since 1970. */
export interface TimeBounds {
  readonly oldest: bigint;
  readonly newest: bigint;
}

/** Returns the bounds of both. Absent bounds have no events. */
export function mergeBounds(
  a: TimeBounds | undefined,
  b: TimeBounds | undefined,
): TimeBounds | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    oldest: a.oldest < b.oldest ? a.oldest : b.oldest,
    newest: a.newest > b.newest ? a.newest : b.newest,
  };
}
