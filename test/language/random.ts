/** A seeded generator, so that a failing fuzz run can be reproduced. */

export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
}

/** Creates a Mulberry32 generator: small, fast and good enough to choose mutations. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

const fragments = [
  ...'|()[]{},;.:+-*/%<>=!~@#$?&^`\\\'" \n\t09azAZ_',
  '..', '==', '!=', '=~', '//', '\r\n', '||', "['", "']", '["', '"]', '@"', '“', '’', 'é', '💥', '\u0000',
  ' and ', ' or ', ' not ', ' in ', ' by ', ' on ', ' with ', ' between ', ' asc ', ' to ', ' as ',
  'let ', 'set ', 'declare ', 'print ', 'datatable', 'union ', 'search ', 'dynamic(', 'datetime(', 'typeof(',
  '| where ', '| summarize ', '| join ', '| parse ', '| project-away ', '| mv-expand ', '| make-series ',
  '1d', '0x', '1e9', '99999999999999999999', 'null', 'true', 'ago(1h)', "'text'", '$left.',
]; // biome-ignore format: packed lines are easier to read

/** Returns a string of random APL tokens and invalid tokens. */
export function randomText(random: Random, pieces: number): string {
  let text = '';
  for (let i = 0; i < pieces; i++) text += random.pick(fragments);
  return text;
}

/**
 * Applies one to four random edits to a text: a piece removed, doubled, moved, replaced or inserted.
 */
export function mutate(random: Random, text: string): string {
  let mutated = text;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(mutated.length + 1);
    const end = Math.min(mutated.length, at + 1 + random.below(random.pick([1, 1, 3, 20])));
    const piece = mutated.slice(at, end);
    const to = random.below(mutated.length + 1);
    const kinds = [
      () => mutated.slice(0, at) + mutated.slice(end),
      () => mutated.slice(0, at) + piece + piece + mutated.slice(end),
      () => mutated.slice(0, at) + random.pick(fragments) + mutated.slice(at),
      () => mutated.slice(0, at) + random.pick(fragments) + mutated.slice(end),
      () => mutated.slice(0, to) + piece + mutated.slice(to),
    ];
    mutated = random.pick(kinds)();
  }
  return mutated;
}
