// Sets of a batch's events as ascending, nonadjacent, half-open ranges of indexes. Plain JSON, for the journal.

export type Range = readonly [from: number, to: number];
export type Ranges = readonly Range[];

export function fullRange(count: number): Ranges {
  return count === 0 ? [] : [[0, count]];
}

export function sizeOf(ranges: Ranges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** Returns the indexes in `[0, count)` that are in none of the sets. */
export function complement(count: number, ...sets: readonly Ranges[]): Ranges {
  const covered = sets.flat().sort((a, b) => a[0] - b[0]);
  const free: Range[] = [];
  let at = 0;
  for (const [from, to] of covered) {
    if (from > at) free.push([at, Math.min(from, count)]);
    at = Math.max(at, to);
  }
  if (at < count) free.push([at, count]);
  return free;
}

export function union(count: number, ...sets: readonly Ranges[]): Ranges {
  return complement(count, complement(count, ...sets));
}

/** Returns the set without some indexes. */
export function without(count: number, ranges: Ranges, indexes: Iterable<number>): Ranges {
  const removed = [...indexes].map((index): Range => [index, index + 1]);
  return complement(count, complement(count, ranges), removed);
}

/** Splits a set of two or more into its first and second half. */
export function halves(ranges: Ranges): readonly [Ranges, Ranges] {
  const first: Range[] = [];
  const second: Range[] = [];
  let room = Math.ceil(sizeOf(ranges) / 2);
  for (const [from, to] of ranges) {
    const cut = Math.min(to, from + room);
    if (cut > from) first.push([from, cut]);
    if (cut < to) second.push([cut, to]);
    room -= cut - from;
  }
  return [first, second];
}

/** Returns the indexes of a set, ascending. */
export function indexesOf(ranges: Ranges): number[] {
  return ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at));
}
