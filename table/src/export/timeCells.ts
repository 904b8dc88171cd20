/** Parses times and durations exactly, in the service's formats. */
import { DURATION_UNITS, parseDuration } from '../../../formats/src/duration.ts';
import { type Instant, parseRfc3339 } from '../../../formats/src/rfc3339.ts';
import { isInt64 } from './exactNumbers.ts';

const exactTime = /^[-\dT:]{19}(?:\.\d{1,9})?Z$/;

/**
 * Parses an RFC 3339 time. Returns undefined if it isn't in UTC or has fractions of a nanosecond, and for other text.
 */
export function readInstant(text: string): Instant | undefined {
  return exactTime.test(text) ? parseRfc3339(text) : undefined;
}

/** Returns nanoseconds since 1970; undefined if they don't fit into 64 bits (before 1677, after 2262). */
export function nanosecondsOf({ seconds, nanos }: Instant): bigint | undefined {
  const value = BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
  return isInt64(value) ? value : undefined;
}

/**
 * Whether an instant fits into 64-bit nanoseconds. Cheaper than `nanosecondsOf`, but excludes instants within two
 * seconds of the limits.
 */
export function fitsNanoseconds({ seconds }: Instant): boolean {
  return seconds > -9_223_372_036 && seconds < 9_223_372_036;
}

/** The number of days from Excel's epoch, 1899-12-30, to 1970. */
const excelEpochDays = 25_569;
const millisecondsPerDay = 86_400_000;

/** The first supported date. Earlier Excel dates don't match the calendar, because Excel treats 1900 as a leap year. */
const firstExcelMillisecond = Date.UTC(1900, 2, 1);

/** Returns the instant as an Excel date; undefined if that is inexact, because Excel supports only milliseconds. */
export function excelDay({ seconds, nanos }: Instant): number | undefined {
  if (nanos % 1_000_000 !== 0) return undefined;
  const milliseconds = seconds * 1000 + nanos / 1_000_000;
  if (milliseconds < firstExcelMillisecond) return undefined;
  return excelEpochDays + milliseconds / millisecondsPerDay;
}

const duration = /^-?(?:\d{1,15}(?:\.\d{1,9})?(?:ns|us|µs|μs|ms|s|m|h|d))+$/;

/** Whether the text is a duration in the service's format, such as `1h30m0s` or `-1.5ms`. */
export function isTimespan(text: string): boolean {
  return duration.test(text) && parseDuration(text) !== undefined;
}

/** Formats a duration in the largest unit that needs no fraction: `1h30m0s` becomes `90m`. */
export function timespanInOneUnit(text: string): string {
  const nanoseconds = parseDuration(text) ?? 0n;
  if (nanoseconds === 0n) return '0s';
  const [unit, size] = Object.entries(DURATION_UNITS).find(
    ([, value]) => nanoseconds % value === 0n,
  )!;
  return `${nanoseconds / size}${unit}`;
}
