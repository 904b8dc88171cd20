/** Parses durations as Go formats them, such as `1h30m0s`, with days as an additional unit. */

/** The nanoseconds of each unit, from the largest. The micro sign and the Greek letter mu are different characters. */
export const DURATION_UNITS: Readonly<Record<string, bigint>> = {
  d: 86_400_000_000_000n,
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ns: 1n,
};

const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h|d)/y;

/** Longer strings aren't durations. */
const LENGTH_MAX = 64;

/** Parses a duration, optionally negative, to nanoseconds. Fractions of a nanosecond are truncated, as in Go. */
export function parseDuration(text: string): bigint | undefined {
  const isNegative = text.startsWith('-');
  let at = isNegative ? 1 : 0;
  if (at === text.length || text.length > LENGTH_MAX) return undefined;
  let nanos = 0n;
  while (at < text.length) {
    PART.lastIndex = at;
    const match = PART.exec(text);
    if (match === null) return undefined;
    const [whole = '', fraction = ''] = (match[1] as string).split('.');
    const scale = 10n ** BigInt(fraction.length);
    nanos +=
      (BigInt(`${whole}${fraction}`) * (DURATION_UNITS[match[2] as string] as bigint)) / scale;
    at = PART.lastIndex;
  }
  return isNegative ? -nanos : nanos;
}
