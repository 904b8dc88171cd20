// Times and durations in the API: RFC 3339 in resources, relative times in ranges, and Go's durations.
import { parseRfc3339 } from '../../formats/src/rfc3339.ts';

const RELATIVE = /^now(?:-\d+[smhdw])?$/;

// Longer strings are neither times nor durations.
const LENGTH_MAX = 64;

/** Returns whether a string is an RFC 3339 time. */
export function isTimestamp(text: string): boolean {
  return text.length <= LENGTH_MAX && parseRfc3339(text) !== undefined;
}

/** Returns whether a string is a bound of a query's range: a time, `now`, or `now-` with a duration such as `90m`. */
export function isQueryTime(text: string): boolean {
  return (text.length <= LENGTH_MAX && RELATIVE.test(text)) || isTimestamp(text);
}

const UNIT_NANOS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3_600e9,
};

const DURATION = /^(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)/;

/**
 * Parses a duration as Go formats it, such as `1h30m`, `1m0s` or `0`, to nanoseconds. Returns undefined for other
 * strings and for negative durations, which the service does not have.
 */
export function goDurationNanos(text: string): bigint | undefined {
  if (text === '0') return 0n;
  if (text === '' || text.length > LENGTH_MAX) return undefined;
  let nanos = 0n;
  for (let rest = text; rest !== ''; ) {
    const part = DURATION.exec(rest)?.[0];
    if (part === undefined) return undefined;
    const [amount = ''] = /^[\d.]+/.exec(part)!;
    const [whole = '', fraction = ''] = amount.split('.');
    const unit = UNIT_NANOS[part.slice(amount.length)]!;
    nanos += BigInt(whole === '' ? '0' : whole) * BigInt(unit);
    if (fraction !== '') nanos += BigInt(Math.round(Number(`0.${fraction}`) * unit));
    rest = rest.slice(part.length);
  }
  return nanos;
}
