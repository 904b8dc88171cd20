// A small seeded generator, so that property tests use the same cases in every run.

export interface Random {
  /** Returns an integer from 0 to `bound` - 1. */
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Creates a mulberry32 generator. The same seed gives the same numbers. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    below: (bound) => next() % bound,
    pick: (items) => items[next() % items.length]!,
  };
}

const CHARACTERS = [
  ...'abcXYZ019-_.~!*\'()%/\\?#&=+:@;,[]{}|"<> \t\n\0\u007f',
  'é',
  '漢',
  '🙂',
  '\u2028',
  '\ufeff',
];

/** Returns up to `length` random characters, many of them special in URLs. */
export function randomText(source: Random, length: number): string {
  let text = '';
  for (let left = source.below(length + 1); left > 0; left -= 1) text += source.pick(CHARACTERS);
  return text;
}
