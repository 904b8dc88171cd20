/** Functions over times. If the result is a time, it keeps nanoseconds. */
import { movedTime } from '../arithmetic.ts';
import { PlanError } from '../errors.ts';
import { originOf, timeConstant } from '../outOfRange.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { as, constant, scalarOf, type Value, value } from '../values.ts';
import {
  at,
  type Call,
  constantText,
  custom,
  type FunctionPlan,
  guarded,
  isRecent,
  operandAt,
  simple,
} from './define.ts';

/** Units of fixed length, in nanoseconds, by all names that the functions accept. */
const fixedUnits: Readonly<Record<string, bigint>> = {
  week: 604_800_000_000_000n,
  day: 86_400_000_000_000n,
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1000n,
  nanosecond: 1n,
};

const monthUnits: Readonly<Record<string, bigint>> = { year: 12n, quarter: 3n, month: 1n };

function unitError(call: Call, unit: string): PlanError {
  const names = [...Object.keys(monthUnits), ...Object.keys(fixedUnits)].join(', ');
  return new PlanError(
    'invalid-argument',
    call.args[0] ?? call.node,
    `The part ${unit} is not supported here. Use ${names}.`,
  );
}

function datetimeAdd(call: Call): Value {
  const unit = constantText(call, 0, 'part').toLowerCase();
  const [units, from] = [at(call, 1), at(call, 2)];
  const [amount, time] = [as(units, 'long'), as(from, 'datetime')];
  const months = monthUnits[unit];
  const outOfRange = sumOutOfRange(units, from, months, fixedUnits[unit]);
  if (outOfRange !== undefined) return outOfRange;
  if (months !== undefined) {
    const count = sql`apl.times_span(${amount}, ${print.bareLong(months)})`;
    return value(sql`apl.add_months(${time}, ${count})`, 'datetime');
  }
  const length = fixedUnits[unit];
  if (length === undefined) throw unitError(call, unit);
  const span = sql`apl.times_span(${amount}, ${print.bareLong(length)})`;
  return value(movedTime('time_plus', time, span), 'datetime');
}

/** Returns the sum of a constant time and constant units if it is out of range. */
function sumOutOfRange(
  amount: Value,
  time: Value,
  months: bigint | undefined,
  length: bigint | undefined,
): Value | undefined {
  const [count, from] = [scalarOf(amount), scalarOf(time)];
  if (amount.type !== 'long' || time.type !== 'datetime') return undefined;
  if (typeof count !== 'bigint' || typeof from !== 'bigint') return undefined;
  const to =
    months === undefined ? from + count * (length ?? 0n) : monthsLater(from, count * months);
  const sum = timeConstant(to, 'datetime', 'computed');
  return sum.outOfRange === undefined ? undefined : sum;
}

/** Adds months to a time. A day past the end of the month becomes its last day. */
function monthsLater(nanoseconds: bigint, count: bigint): bigint {
  const day = fixedUnits['day'] as bigint;
  // Such a time is out of range in any calendar, so an approximation suffices.
  if (count > 1_000_000n || count < -1_000_000n) return nanoseconds + count * 28n * day;
  const rest = ((nanoseconds % day) + day) % day;
  const date = new Date(Number((nanoseconds - rest) / 1_000_000n));
  const wanted = date.getUTCDate();
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + Number(count);
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12];
  date.setUTCFullYear(year, month + 1, 0);
  date.setUTCFullYear(year, month, Math.min(wanted, date.getUTCDate()));
  return BigInt(date.getTime()) * 1_000_000n + rest;
}

/** Counts the unit boundaries between the second time and the first. */
function datetimeDiff(call: Call): Value {
  const unit = constantText(call, 0, 'part').toLowerCase();
  const [a, b] = [as(at(call, 1), 'datetime'), as(at(call, 2), 'datetime')];
  const count = (macro: string, ...rest: readonly Sql[]) =>
    value(sql`(${print.call(macro, a, ...rest)} - ${print.call(macro, b, ...rest)})`, 'long');
  switch (unit) {
    case 'year':
      return count('apl.years_since');
    case 'quarter':
      return count('apl.quarters_since');
    case 'month':
      return count('apl.months_since');
    case 'week':
      return count('apl.weeks_since');
  }
  const length = fixedUnits[unit];
  if (length === undefined) throw unitError(call, unit);
  return count('apl.units_since', print.bareLong(length));
}

const parts: Readonly<Record<string, (time: Sql) => Sql>> = {
  year: (t) => sql`year(${t})`,
  quarter: (t) => sql`quarter(${t})`,
  month: (t) => sql`month(${t})`,
  week_of_year: (t) => sql`week(${t})`,
  weekofyear: (t) => sql`week(${t})`,
  day: (t) => sql`day(${t})`,
  dayofyear: (t) => sql`dayofyear(${t})`,
  hour: (t) => sql`hour(${t})`,
  minute: (t) => sql`minute(${t})`,
  second: (t) => sql`second(${t})`,
  millisecond: (t) => sql`apl.second_part(${t}, 1000000)`,
  microsecond: (t) => sql`apl.second_part(${t}, 1000)`,
  nanosecond: (t) => sql`apl.second_part(${t}, 1)`,
};

/** Parts computed from nanoseconds. */
const fractions: ReadonlySet<string> = new Set(['millisecond', 'microsecond', 'nanosecond']);

function datetimePart(call: Call): Value {
  const unit = constantText(call, 0, 'part').toLowerCase();
  const part = parts[unit];
  if (part === undefined) {
    throw new PlanError(
      'invalid-argument',
      call.args[0] ?? call.node,
      `The part ${unit} does not exist. Use ${Object.keys(parts).join(', ')}.`,
    );
  }
  const time = fractions.has(unit) ? as(at(call, 1), 'datetime') : calendarTime(call, 1);
  return value(sql`CAST(${part(time)} AS BIGINT)`, 'long');
}

/**
 * Returns a time for DuckDB's calendar functions. They round to microseconds towards 1970, which would move an earlier
 * time with a fractional microsecond to a later one.
 */
function calendarTime(call: Call, i: number): Sql {
  const time = as(at(call, i), 'datetime');
  return isRecent(call, i) ? time : sql`apl.us_of(${time})`;
}

function whole(name: Sql): FunctionPlan {
  return custom((call) => value(sql`CAST(${name}(${calendarTime(call, 0)}) AS BIGINT)`, 'long'));
}

const zero = { 1: print.long(0n) };

function startOf(unit: string): FunctionPlan {
  return simple(['datetime', 'long'], 'datetime', `apl.start_of_${unit}`, zero);
}

/** Plans the end of a unit: 100 nanoseconds before the next start, as in the service. */
function endOf(unit: string): FunctionPlan {
  return simple(
    ['datetime', 'long'],
    'datetime',
    (t, n) => {
      const next = print.call(`apl.start_of_${unit}`, t, sql`apl.offset(${n}) + 1`);
      return movedTime('time_minus', next, print.bareLong(100n));
    },
    zero,
  );
}

/**
 * Plans a conversion from Unix time. Real seconds or milliseconds are rounded to microseconds, the precision of a
 * double.
 */
function fromUnix(scale: bigint): FunctionPlan {
  return custom((call) => {
    const of = at(call, 0);
    const known = of.type === 'long' ? scalarOf(of) : undefined;
    if (typeof known === 'bigint' && !print.isTime(known * scale)) {
      return timeConstant(known * scale, 'datetime', 'computed');
    }
    if (of.type === 'real' && scale > 1000n) {
      const microseconds = sql`round(${of.sql} * ${print.real(Number(scale / 1000n))})`;
      return value(
        sql`apl.from_epoch(apl.times_span(apl.truncate_long(${microseconds}), 1000))`,
        'datetime',
      );
    }
    if (of.type === 'real') {
      return value(sql`apl.from_epoch_real(${of.sql} * ${print.real(Number(scale))})`, 'datetime');
    }
    const long = as(of, 'long');
    return value(
      sql`apl.from_epoch(apl.times_span(${long}, ${print.bareLong(scale)}))`,
      'datetime',
    );
  });
}

/** Returns the statement's current time, moved by a constant timespan or one from the row. */
function fromNow(call: Call, sign: 1n | -1n): Value {
  const { now } = call.scope.planning.context;
  if (call.args.length === 0) return constant(now, 'datetime');
  const offset = operandAt(call, 0);
  const known = scalarOf(offset);
  if (typeof known === 'bigint') {
    return timeConstant(now + sign * known, 'datetime', originOf([offset]));
  }
  const length = as(offset, 'timespan');
  const macro = sign === 1n ? 'time_plus' : 'time_minus';
  return value(movedTime(macro, print.datetime(now), length), 'datetime');
}

export const datetimeFunctions = {
  ago: custom((call) => fromNow(call, -1n)),
  datetime_add: custom(datetimeAdd),
  datetime_diff: guarded(custom(datetimeDiff)),
  datetime_part: custom(datetimePart),
  dayofmonth: whole(sql`day`),
  dayofweek: whole(sql`dayofweek`),
  dayofyear: whole(sql`dayofyear`),
  endofday: endOf('day'),
  endofmonth: endOf('month'),
  endofweek: endOf('week'),
  endofyear: endOf('year'),
  getmonth: whole(sql`month`),
  getyear: whole(sql`year`),
  hourofday: whole(sql`hour`),
  monthofyear: whole(sql`month`),
  now: custom((call) => fromNow(call, 1n)),
  startofday: startOf('day'),
  startofmonth: startOf('month'),
  startofweek: startOf('week'),
  startofyear: startOf('year'),
  unixtime_microseconds_todatetime: fromUnix(1000n),
  unixtime_milliseconds_todatetime: fromUnix(1_000_000n),
  unixtime_nanoseconds_todatetime: fromUnix(1n),
  unixtime_seconds_todatetime: fromUnix(1_000_000_000n),
  week_of_year: whole(sql`week`),
} as const satisfies Readonly<Record<string, FunctionPlan>>;
