/** Parses datetime and timespan literals into nanoseconds. */
import { timespanUnits } from './units.ts';

const day = 86_400_000_000_000n;

const datetimePattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?$/;
/** Matches dates with the month first, because the service's date library accepts them. */
const americanPattern = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?!\d)/;
const clockPattern = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*[Zz]?$/;
const spanPattern = /^([+-]?)(?:(\d+)\.)?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?$/;
const unitPattern = /(\d+(?:\.\d+)?|\.\d+)\s*([a-z\u00b5\u03bc]+)/gy;

/** Returns a fraction of a second in nanoseconds. Digits after the ninth are dropped. */
function fraction(digits: string | undefined): bigint {
  return BigInt((digits ?? '').padEnd(9, '0').slice(0, 9));
}

/** Returns nanoseconds since 1970 in UTC, or undefined if the text is invalid. */
export function parseDatetime(written: string): bigint | undefined {
  const match = datetimePattern.exec(written.trim().replace(americanPattern, '$3-$1-$2'));
  if (match === null) return undefined;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, date, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(part) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const calendar = new Date(0);
  calendar.setUTCFullYear(year, month - 1, date);
  calendar.setUTCHours(hour, minute, second);
  if (
    calendar.getUTCMonth() !== month - 1 ||
    calendar.getUTCDate() !== date ||
    calendar.getUTCHours() !== hour ||
    minute > 59 ||
    second > 59
  ) {
    return undefined;
  }
  const offset = (part(10) * 60 + part(11)) * (match[9] === '-' ? -1 : 1);
  return BigInt(calendar.getTime() - offset * 60_000) * 1_000_000n + fraction(match[7]);
}

/** Returns whether a string is a time of day, which a datetime literal interprets as a time today. */
export function isTimeOfDay(written: string): boolean {
  const match = clockPattern.exec(written.trim());
  return (
    match !== null && Number(match[1]) < 24 && Number(match[2]) < 60 && Number(match[3] ?? 0) < 60
  );
}

/** Returns nanoseconds for a timespan such as `1.5h`, `2h45m` or `-1.12:00:00`, or undefined if it is invalid. */
export function parseTimespan(written: string): bigint | undefined {
  const text = written.trim();
  const clock = spanPattern.exec(text);
  if (clock !== null) {
    const part = (index: number) => BigInt(clock[index] ?? 0);
    if (part(3) > 23n || part(4) > 59n || part(5) > 59n) return undefined;
    const seconds = (part(3) * 60n + part(4)) * 60n + part(5);
    const value = part(2) * day + seconds * 1_000_000_000n + fraction(clock[6]);
    return clock[1] === '-' ? -value : value;
  }
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  let value = 0n;
  let at = 0;
  while (at < body.length) {
    unitPattern.lastIndex = at;
    const match = unitPattern.exec(body);
    const unit = timespanUnits.get(match?.[2] ?? '');
    if (match === null || unit === undefined) return undefined;
    value += times(match[1] as string, unit);
    at = unitPattern.lastIndex;
  }
  if (body === '') return undefined;
  return negative ? -value : value;
}

/** Multiplies a decimal number by a unit exactly. Truncates fractions of a nanosecond. */
function times(decimal: string, unit: bigint): bigint {
  const [whole = '', digits = ''] = decimal.split('.');
  const scale = 10n ** BigInt(digits.length);
  return (
    ((BigInt(whole === '' ? 0 : whole) * scale + BigInt(digits === '' ? 0 : digits)) * unit) / scale
  );
}
