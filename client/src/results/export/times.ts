/** Times as the service writes them, read exactly. */

const time = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z$/;

export interface Instant {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** Nanoseconds after the second, from 0. */
  readonly nanoseconds: number;
}

/** The instant of an RFC 3339 time in UTC; undefined if the text is not one, or is finer than a nanosecond. */
export function readInstant(text: string): Instant | undefined {
  const match = time.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((part) =>
    Number(match[part]),
  ) as [number, number, number, number, number, number];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 for those after 1900.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
  return { seconds, nanoseconds: Number((match[7] ?? '').padEnd(9, '0')) };
}

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Nanoseconds since 1970; undefined where 64 bits do not suffice (before 1677, after 2262). */
export function nanosecondsOf({ seconds, nanoseconds }: Instant): bigint | undefined {
  const value = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  return value < int64.min || value > int64.max ? undefined : value;
}

/** Whether `nanosecondsOf` gives a value, which is cheaper to ask. */
export function fitsNanoseconds({ seconds }: Instant): boolean {
  return seconds > -9_223_372_036 && seconds < 9_223_372_036;
}

/** Between the start of Excel's days, 1899-12-30, and 1970. */
const excelEpochDays = 25_569;
const millisecondsPerDay = 86_400_000;

/** From here on Excel's days are those of the calendar: it takes 1900 for a leap year. */
const firstExcelMillisecond = Date.UTC(1900, 2, 1);

/**
 * The instant as a day number of Excel, or undefined where that loses something: Excel shows times to the
 * millisecond, up to the year 9999.
 */
export function excelDay({ seconds, nanoseconds }: Instant): number | undefined {
  if (nanoseconds % 1_000_000 !== 0) return undefined;
  const milliseconds = seconds * 1000 + nanoseconds / 1_000_000;
  if (milliseconds < firstExcelMillisecond) return undefined;
  return excelEpochDays + milliseconds / millisecondsPerDay;
}

/** Nanoseconds of the units that durations of the service have. */
const units: Readonly<Record<string, bigint>> = {
  d: 86_400_000_000_000n,
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ns: 1n,
};

const duration = /^-?(?:\d{1,15}(?:\.\d{1,9})?(?:ns|us|µs|μs|ms|s|m|h|d))+$/;

/** Whether the text is a duration as the service writes it, such as `1h30m0s` or `-1.5ms`. */
export function isTimespan(text: string): boolean {
  return duration.test(text);
}

/** A duration in one unit, the largest that measures it in whole numbers: `1h30m0s` is `90m`. */
export function timespanInOneUnit(text: string): string {
  let nanoseconds = 0n;
  for (const [, whole, fraction = '', unit] of text.matchAll(/(\d+)(?:\.(\d+))?([a-zµμ]+)/g)) {
    const scale = 10n ** BigInt(fraction.length);
    nanoseconds += (BigInt(`${whole}${fraction}`) * (units[unit as string] as bigint)) / scale;
  }
  const sign = text.startsWith('-') && nanoseconds > 0n ? '-' : '';
  for (const [unit, value] of Object.entries(units))
    if (nanoseconds % value === 0n && nanoseconds > 0n)
      return `${sign}${nanoseconds / value}${unit}`;
  return '0s';
}
