/**
 * Texts of durations such as `1h30m`, read while planning, so that one of the request or of a parameter can be
 * the size of a time bin. `apl.parse_timespan` reads the same and more while the query runs.
 */
import * as print from './sql.ts';

const billion = 1_000_000_000n;

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  ms: 1_000_000n,
  s: billion,
  m: 60n * billion,
  h: 3_600n * billion,
};

/** Nanoseconds; undefined for a text that is written otherwise or counts in parts of a nanosecond. */
export function durationOf(text: string): bigint | undefined {
  if (!/^(?:\d{1,12}(?:\.\d{1,9})?(?:[num]?s|[mh]))+$/.test(text)) return undefined;
  let sum = 0n;
  for (const [, whole, fraction = '', unit] of text.matchAll(/(\d+)(?:\.(\d+))?([a-z]+)/g)) {
    const parts = BigInt(`${whole}${fraction.padEnd(9, '0')}`) * (units[unit as string] as bigint);
    if (parts % billion !== 0n) return undefined;
    sum += parts / billion;
  }
  return print.isLong(sum) ? sum : undefined;
}
