// Times and durations in the API: RFC 3339 in resources, relative times in ranges, and Go's durations.
import { parseDuration } from '../../formats/src/duration.ts';
import { parseRfc3339 } from '../../formats/src/rfc3339.ts';

const RELATIVE = /^now(?:-\d+[smhdw])?$/;

// Longer strings aren't times.
const LENGTH_MAX = 64;

/** Returns whether a string is an RFC 3339 time. */
export function isTimestamp(text: string): boolean {
  return text.length <= LENGTH_MAX && parseRfc3339(text) !== undefined;
}

/** Returns whether a string is a bound of a query's range: a time, `now`, or `now-` with a duration such as `90m`. */
export function isQueryTime(text: string): boolean {
  return (text.length <= LENGTH_MAX && RELATIVE.test(text)) || isTimestamp(text);
}

/**
 * Parses a duration as Go formats it, such as `1h30m`, `1m0s` or `0`, to nanoseconds. Returns undefined for other
 * strings and for negative durations, which the service does not have.
 */
export function goDurationNanos(text: string): bigint | undefined {
  if (text === '0') return 0n;
  return /[-d]/.test(text) ? undefined : parseDuration(text);
}
