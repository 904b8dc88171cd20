/** Parses times in the form of RFC 3339, exactly to the nanosecond. */

export interface Instant {
  /** Whole seconds since 1970, rounded down. */
  readonly seconds: number;
  /** From 0 to 999,999,999. */
  readonly nanos: number;
}

const PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Parses a time: a date of the calendar, `T`, a time of day with any fraction, and an offset. Digits beyond nanoseconds
 * are dropped, as in the service. Leap seconds are rejected, because no store of the service can represent them.
 */
export function parseRfc3339(text: string): Instant | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  let seconds = daysOf(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  if (match[8] !== undefined) {
    const hours = Number(match[9]);
    const minutes = Number(match[10]);
    if (hours > 23 || minutes > 59) return undefined;
    const offset = hours * 3600 + minutes * 60;
    seconds += match[8] === '-' ? offset : -offset;
  }
  return { seconds, nanos: fractionNanos(match[7]) };
}

/** Parses a time without lowercase letters, which not all services accept. */
export const parseStrictRfc3339 = (text: string): Instant | undefined =>
  /[tz]/.test(text) ? undefined : parseRfc3339(text);

/** Parses a time to nanoseconds since 1970; undefined for other strings. */
export function parseRfc3339Nanos(text: string): bigint | undefined {
  const instant = parseRfc3339(text);
  return instant && BigInt(instant.seconds) * 1_000_000_000n + BigInt(instant.nanos);
}

/** Converts the digits of a fraction of a second to nanoseconds. */
export function fractionNanos(digits: string | undefined): number {
  if (digits === undefined) return 0;
  const length = Math.min(digits.length, 9);
  let nanos = 0;
  for (let index = 0; index < length; index += 1)
    nanos = nanos * 10 + digits.charCodeAt(index) - 48;
  return nanos * (POWERS[9 - length] as number);
}

const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] as const;

/** Returns a Gregorian date as days since 1970. */
export function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
