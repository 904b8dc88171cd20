/** Functions on times, and the planner's macros on times that ClickHouse computes in other ways. */

import { coerced } from '../casts.ts';
import { argument, type FunctionRow } from '../context.ts';
import { computedOnce } from '../lists.ts';
import { scalarType } from '../types.ts';
import { scalar } from '../value.ts';
import { simple } from './define.ts';
import { tryStrptime } from './strptime.ts';

const time = (sql: string) => `fromUnixTimestamp64Nano(${sql}, 'UTC')`;
const nanos = (sql: string) => `toUnixTimestamp64Nano(${sql})`;
const part = (name: string) =>
  simple(['time'], 'int', (t) => `toInt64(${name}(${t}))`, { small: true });

const DAY = "toInt64('86400000000000')";

/** Rounds down to a multiple. */
function floored(n: string, size: string): string {
  return `(${n} - (${n} % ${size} + ${size}) % ${size})`;
}

const FIRST = 'toInt128(-9223286400000000000)';
const LAST = 'toInt128(9223372036854775806)';

/** Makes a time from 128-bit nanoseconds. A time outside the range is null. */
function timeInRange(wide: string): string {
  return computedOnce(
    [wide],
    (n) => `if((${n}) BETWEEN ${FIRST} AND ${LAST}, ${time(`toInt64(${n})`)}, NULL)`,
  );
}

/** Returns the number of a date's day since 1970-01-01. Years are positive. */
function dayNumber(year: string, month: string, day: string): string {
  const y = `(${year} - (${month} <= 2))`;
  const ofYear = `(intDiv(153 * ((${month} + 9) % 12) + 2, 5) + ${day} - 1)`;
  return `(${y} * 365 + intDiv(${y}, 4) - intDiv(${y}, 100) + intDiv(${y}, 400) + ${ofYear} - 719468)`;
}

/** Adds months to a time. A day past the end of the month becomes the month's last day. */
function plusMonths(t: string, months: string): string {
  const month = `(toInt64(toYear(${t})) * 12 + toMonth(${t}) - 1 + ${months})`;
  return computedOnce([month, t], (m, time) => {
    const [year, ofYear] = [`intDiv(${m}, 12)`, `(${m} % 12 + 1)`];
    const isLeap = `(${year} % 4 = 0 AND (${year} % 100 != 0 OR ${year} % 400 = 0))`;
    const length = `multiIf(${ofYear} IN (4, 6, 9, 11), 30, ${ofYear} != 2, 31, ${isLeap}, 29, 28)`;
    const day = dayNumber(year, ofYear, `least(toDayOfMonth(${time}), ${length})`);
    const nanosOfDay = `(${nanos(time as string)} - ${floored(nanos(time as string), DAY)})`;
    return `if(isNull(${m}) OR ${m} < 12, NULL, ${timeInRange(`toInt128(${day}) * ${DAY} + ${nanosOfDay}`)})`;
  });
}

const MONTHS = 'if(abs(toFloat64({n})) < 1000000, toInt64({n}), NULL)';
const offset = (n: string) => MONTHS.replaceAll('{n}', n);

function startOfDay(t: string): string {
  return `toInt128(${floored(nanos(t), DAY)})`;
}

function dayStart(t: string, days: string): string {
  return `(${startOfDay(t)} - toInt128(${days}) * ${DAY})`;
}

const monthStart = (t: string) => dayStart(t, `(toDayOfMonth(${t}) - 1)`);
const yearStart = (t: string) => dayStart(t, `(toDayOfYear(${t}) - 1)`);

function startOf(unit: (t: string, n: string) => string): FunctionRow {
  return simple(['time', 'int'], 'time', unit, { nullable: true });
}

/** The first moment of a month that is `n` months after the time's month. */
function monthAfter(start: string, months: string): string {
  const both = [timeInRange(start), months];
  return computedOnce(
    both,
    (first, n) => `if(${n} = 0, ${first}, ${plusMonths(first as string, n as string)})`,
  );
}

const months = (t: string) => `((toInt64(toYear(${t})) - 1) * 12 + toMonth(${t}) - 1)`;

export const timeFunctions: Readonly<Record<string, FunctionRow>> = {
  epoch_ns: simple(['time'], 'int', nanos),
  epoch_us: simple(['time'], 'int', (t) => `intDiv(${floored(nanos(t), '1000')}, 1000)`),
  make_timestamp_ns: simple(['int'], 'time', time),
  year: part('toYear'),
  quarter: part('toQuarter'),
  month: part('toMonth'),
  week: part('toISOWeek'),
  day: part('toDayOfMonth'),
  dayofyear: part('toDayOfYear'),
  dayofweek: simple(['time'], 'int', (t) => `toInt64(toDayOfWeek(${t}) % 7)`, { small: true }),
  hour: part('toHour'),
  minute: part('toMinute'),
  second: part('toSecond'),
  try_strptime: tryStrptime,
  // DuckDB's macro has microseconds here, because DuckDB has no functions for nanoseconds.
  'apl.us_of': (call) => coerced(argument(call, 0), scalarType('time')),
  'apl.ns_of': (call) => coerced(argument(call, 0), scalarType('time')),
  'apl.bin_recent': simple(['time', 'int'], 'time', (t, size) =>
    time(`intDiv(${nanos(t)}, ${size}) * ${size}`),
  ),
  'apl.add_months': startOf((t, n) => plusMonths(t, offset(n))),
  'apl.start_of_day': startOf((t, n) =>
    timeInRange(`${startOfDay(t)} + toInt128(${offset(n)}) * ${DAY}`),
  ),
  'apl.start_of_week': startOf((t, n) =>
    timeInRange(`${dayStart(t, `(toDayOfWeek(${t}) % 7)`)} + toInt128(${offset(n)}) * 7 * ${DAY}`),
  ),
  'apl.start_of_month': startOf((t, n) => monthAfter(monthStart(t), offset(n))),
  'apl.start_of_year': startOf((t, n) => monthAfter(yearStart(t), offset(`(toInt128(${n}) * 12)`))),
  'apl.months_since': simple(['time'], 'int', months, { small: true }),
  'apl.quarters_since': simple(['time'], 'int', (t) => `intDiv(${months(t)}, 3)`, { small: true }),
  'apl.years_since': simple(['time'], 'int', (t) => `(toInt64(toYear(${t})) - 1)`, { small: true }),
  'apl.from_epoch': (call) => {
    const of = coerced(argument(call, 0), scalarType('huge'));
    return scalar(timeInRange(of.sql), 'time', of.fails ? { fails: true } : {});
  },
};
