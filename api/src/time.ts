// Times and durations in the API: RFC 3339 in resources, relative times in time ranges, and Go's durations.
import { parseDuration } from '../../formats/src/duration.ts';
import { parseRfc3339 } from '../../formats/src/rfc3339.ts';

const RELATIVE = /^now(?:-\d+[smhdw])?$/;

// Maximum length of a time. Longer strings are rejected.
const LENGTH_MAX = 64;

export function isTimestamp(text: string): boolean {
  return text.length <= LENGTH_MAX && parseRfc3339(text) !== undefined;
}

/** Whether a string is a time, `now`, or `now-` and a duration. */
export function isQueryTime(text: string): boolean {
  return (text.length <= LENGTH_MAX && RELATIVE.test(text)) || isTimestamp(text);
}

/**
 * Converts a duration in Go's format, such as `1h30m`, `1m0s` or `0`, to nanoseconds. Returns undefined for negative
 * durations, which the service does not have.
 */
export function goDurationNanos(text: string): bigint | undefined {
  if (text === '0') return 0n;
  return /[-d]/.test(text) ? undefined : parseDuration(text);
}
