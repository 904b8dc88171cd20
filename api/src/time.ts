// How times are written: RFC 3339 in resources, and what else a query's range takes.

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;
const RELATIVE = /^now(?:-\d+[smhdw])?$/;

// Longer text is no time, and is not worth matching.
const LENGTH_MAX = 64;

/**
 * Whether text is a point in time in the form of RFC 3339: a real day of the calendar, fractions of
 * any length, an offset. Leap seconds are refused: neither the service nor the engine behind the
 * local deployment can store one.
 */
export function isTimestamp(text: string): boolean {
  if (text.length > LENGTH_MAX) return false;
  const parts = TIMESTAMP.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, east = 0, rest = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    east <= 23 &&
    rest <= 59
  );
}

/** Whether text bounds a query's range: a point in time, `now`, or `now-` and a length such as 90m. */
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
 * A length of time as programs in Go write it, such as `1h30m`, `1m0s` or `0`, in nanoseconds; undefined for other
 * text and for what is negative, since no length of the service is.
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

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
