/** Plans the datetime functions. Times in results keep nanosecond precision. */
import { movedTime } from '../arithmetic.ts';
import { argumentError } from '../errors.ts';
import { originOf, timeConstant } from '../outOfRange.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { as, constant, scalarOf, type Value, value } from '../values.ts';
import {
  at,
  type Call,
  constantText,
  type FunctionPlan,
  guarded,
  isRecent,
  operandAt,
  simple,
} from './define.ts';

/** Nanoseconds per fixed-length unit, by all names that the functions accept. */
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

function unitError(call: Call, unit: string): Error {
  const names = [...Object.keys(monthUnits), ...Object.keys(fixedUnits)].join(', ');
  return argumentError(call, 0, `The part ${unit} is not supported here. Use ${names}.`);
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

/** Adds months to a time. If the resulting month is too short, the result is the month's last day. */
function monthsLater(nanoseconds: bigint, count: bigint): bigint {
  const day = fixedUnits['day'] as bigint;
  // An approximation suffices, because the result is out of range anyway.
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

const calendarUnits: ReadonlySet<string> = new Set(['year', 'quarter', 'month', 'week']);

/** Plans `datetime_diff`. The count is negative if the first time is earlier. */
function datetimeDiff(call: Call): Value {
  const unit = constantText(call, 0, 'part').toLowerCase();
  const [a, b] = [as(at(call, 1), 'datetime'), as(at(call, 2), 'datetime')];
  const count = (macro: string, ...rest: readonly Sql[]) =>
    value(sql`(${print.call(macro, a, ...rest)} - ${print.call(macro, b, ...rest)})`, 'long');
  if (calendarUnits.has(unit)) return count(`apl.${unit}s_since`);
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

const fractions: ReadonlySet<string> = new Set(['millisecond', 'microsecond', 'nanosecond']);

function datetimePart(call: Call): Value {
  const unit = constantText(call, 0, 'part').toLowerCase();
  const part = parts[unit];
  if (part === undefined) {
    throw argumentError(
      call,
      0,
      `The part ${unit} does not exist. Use ${Object.keys(parts).join(', ')}.`,
    );
  }
  const time = fractions.has(unit) ? as(at(call, 1), 'datetime') : calendarTime(call, 1);
  return value(sql`CAST(${part(time)} AS BIGINT)`, 'long');
}

/** Plans a time argument. Rounds times before 1970 down to microseconds, because DuckDB would round them up. */
function calendarTime(call: Call, i: number): Sql {
  const time = as(at(call, i), 'datetime');
  return isRecent(call, i) ? time : sql`apl.us_of(${time})`;
}

function whole(name: Sql): FunctionPlan {
  return (call) => value(sql`CAST(${name}(${calendarTime(call, 0)}) AS BIGINT)`, 'long');
}

const zero = { 1: print.long(0n) };

function startOf(unit: string): FunctionPlan {
  return simple(['datetime', 'long'], 'datetime', `apl.start_of_${unit}`, zero);
}

/** Plans the end of a unit. As in the service, it is 100 nanoseconds before the start of the next unit. */
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

/** Plans a Unix time in units of `scale` nanoseconds. Rounds a real in seconds or milliseconds to microseconds. */
function fromUnix(scale: bigint): FunctionPlan {
  return (call) => {
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
  };
}

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
  ago: (call) => fromNow(call, -1n),
  datetime_add: datetimeAdd,
  datetime_diff: guarded(datetimeDiff),
  datetime_part: datetimePart,
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
  now: (call) => fromNow(call, 1n),
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

const raw = String.raw;

/** Combines each date format with each of its time formats, which begin with a separator. */
function formatList(
  ...dates: readonly (readonly [date: string, ...times: readonly string[]])[]
): string {
  const formats = dates.flatMap(([date, ...times]) => times.map((time) => `'${date}${time}'`));
  return `[${formats.join(', ')}]`;
}

/** Time formats that are tried after ISO 8601. As in the service, the month precedes the day in numeric dates. */
const formats = formatList(
  ['%m/%d/%Y', '', ' %H:%M:%S.%f', ' %H:%M:%S', ' %H:%M', ' %I:%M:%S %p', ' %I:%M %p'],
  ['%m-%d-%Y', '', ' %H:%M:%S'],
  ['%m.%d.%Y', ''],
  ['%Y/%m/%d', '', ' %H:%M:%S.%f', ' %H:%M:%S', ' %H:%M'],
  ['%Y.%m.%d', ''],
  ['%d/%b/%Y', ':%H:%M:%S %z'],
  // %z precedes %Z, because DuckDB fails to parse an offset if it tries a zone name first.
  ['%a, %d %b %Y', ' %H:%M:%S %z', ' %H:%M:%S %Z'],
  ['%A, %d-%b-%y', ' %H:%M:%S %Z'],
  ['%a %b %d', ' %H:%M:%S %Y', ' %H:%M:%S %Z %Y'],
  ['%d %b %Y', ''],
  ['%d %B %Y', ''],
  ['%d %b %Y', ' %H:%M:%S'],
  ['%d %B %Y', ' %H:%M:%S'],
  ['%d-%b-%Y', ''],
  ['%b %d, %Y', ''],
  ['%B %d, %Y', ''],
  ['%b %d %Y', ''],
  ['%B %d %Y', ''],
  ['%b %d, %Y', ' %H:%M:%S'],
  ['%B %d, %Y', ' %H:%M:%S'],
  ['%b %d, %Y', ' %I:%M:%S %p'],
  ['%B %d, %Y', ' %I:%M:%S %p'],
  ['%b %d, %Y', ' at %I:%M %p'],
);

/** Formats for strings whose weekday and `UTC` were removed. %y precedes %Y, because %Y matches two digits too. */
const plainFormats = formatList(
  ['%d %b %y', ' %H:%M:%S', ' %H:%M', ''],
  ['%d %b %Y', ' %H:%M:%S', ' %H:%M', ''],
  ['%d %B %Y', ' %H:%M'],
  ['%d-%b-%y', ' %H:%M:%S', ' %H:%M', ''],
  ['%d-%b-%Y', ' %H:%M:%S', ' %H:%M'],
  ['%b %d %Y', ' %H:%M:%S'],
  ['%b %d, %Y', ' %H:%M'],
  ['%B %d, %Y', ' %H:%M'],
  ['%Y%m%d', 'T%H%M%S'],
);

/** Nanoseconds per unit in a Go duration. */
const unitCase = raw`CASE regexp_extract(_part, '[^0-9.]+$')
      WHEN 'ns' THEN 1 WHEN 'us' THEN 1000 WHEN 'µs' THEN 1000 WHEN 'μs' THEN 1000 WHEN 'ms' THEN 1000000
      WHEN 's' THEN 1000000000 WHEN 'm' THEN 60000000000 ELSE 3600000000000 END`;

/**
 * Macros over times. DuckDB's date functions round to microseconds, so macros that must keep nanoseconds compute with
 * nanoseconds since 1970.
 */
export const datetimeMacros: Readonly<Record<string, string>> = {
  // ── Arithmetic that rounds down, for bins of negative numbers ──
  'floor_mod(_a, _m)': raw`((_a % _m) + _m) % _m`,
  'floor_div(_a, _m)': raw`(_a - apl.floor_mod(_a, _m)) // _m`,

  // ── Overflow: `_span` and `_wide` macros return null; other macros fail, so the planner wraps them in TRY ──
  'plus_span(_a, _b)': raw`TRY_CAST(CAST(_a AS HUGEINT) + CAST(_b AS HUGEINT) AS BIGINT)`,
  'minus_span(_a, _b)': raw`TRY_CAST(CAST(_a AS HUGEINT) - CAST(_b AS HUGEINT) AS BIGINT)`,
  'times_span(_a, _b)': raw`TRY_CAST(CAST(_a AS HUGEINT) * CAST(_b AS HUGEINT) AS BIGINT)`,
  // The intermediate sum overflows for times before 1677-09-22, so that TRY makes them null.
  'time_plus(_t, _n)': raw`make_timestamp_ns(epoch_ns(_t) + _n - 85636854775808 + 85636854775808)`,
  'time_plus_wide(_t, _n)': raw`apl.from_epoch(apl.plus_span(epoch_ns(_t), _n))`,
  'time_minus(_t, _n)': raw`make_timestamp_ns(epoch_ns(_t) - _n - 85636854775808 + 85636854775808)`,
  'time_minus_wide(_t, _n)': raw`apl.from_epoch(apl.minus_span(epoch_ns(_t), _n))`,
  'time_difference(_a, _b)': raw`epoch_ns(_a) - epoch_ns(_b)`,

  // ── Bins: any bin starts at `_offset`, in nanoseconds since 1970 ──
  'bin_time(_t, _size, _offset)': raw`make_timestamp_ns(epoch_ns(_t) - apl.floor_mod(epoch_ns(_t) - _offset, _size))`,
  'bin_recent(_t, _size)': raw`make_timestamp_ns(epoch_ns(_t) // _size * _size)`,
  'bin_long(_n, _size)': raw`CASE WHEN _size > 0 THEN _n - apl.floor_mod(_n, _size) END`,
  'bin_long_wide(_n, _size)': raw`CASE WHEN _size > 0 THEN apl.minus_span(_n, apl.floor_mod(CAST(_n AS HUGEINT), CAST(_size AS HUGEINT))) END`,
  'bin_real(_x, _size)': raw`CASE WHEN _size > 0 THEN floor(_x / _size) * _size END`,
  'bin_nanos(_n, _size)': raw`CAST(_n - apl.floor_mod(CAST(_n AS HUGEINT) + 62135596800000000000, _size) AS BIGINT)`,
  'bin_any_time(_t, _size)': raw`CASE WHEN _size > 0 THEN apl.from_epoch(TRY_CAST(epoch_ns(_t) - apl.floor_mod(CAST(epoch_ns(_t) AS HUGEINT) + 62135596800000000000, _size) AS BIGINT)) END`,

  'modulo_time(_t, _size)': raw`CAST(apl.floor_mod(CAST(epoch_ns(_t) AS HUGEINT) + 62135596800000000000, abs(CAST(nullif(_size, 0) AS HUGEINT))) AS BIGINT)`,

  // ── Calendar ── Macros use `_t` once if possible, because repeating it would multiply the SQL of nested calls.
  // `us_of` divides a positive number, because DuckDB would round a negative one up.
  'us_of(_t)': raw`make_timestamp(((epoch_ns(_t) >> 3) + 1152921504606847000) // 125 - 9223372036854776)`,
  'ns_of(_us)': raw`apl.from_epoch(CAST(epoch_us(_us) AS HUGEINT) * 1000)`,
  // An offset of a million or more becomes null, because DuckDB can add at most a million months.
  'offset(_n)': raw`CAST(TRY_CAST(_n AS DECIMAL(6, 0)) AS INTEGER)`,
  'add_months(_t, _n)': raw`apl.from_epoch(CAST(epoch_us(apl.us_of(_t) + to_months(apl.offset(_n))) AS HUGEINT) * 1000 + (epoch_ns(_t) % 1000 + 1000) % 1000)`,
  'start_of_day(_t, _n)': raw`apl.ns_of(date_trunc('day', apl.us_of(_t)) + to_days(apl.offset(_n)))`,
  // DuckDB's weeks start on Monday, but APL's start on Sunday, so the time is shifted by a day.
  'start_of_week(_t, _n)': raw`apl.ns_of(date_trunc('week', apl.us_of(_t) + to_days(1)) + to_days(apl.offset(_n) * 7 - 1))`,
  'start_of_month(_t, _n)': raw`apl.ns_of(date_trunc('month', apl.us_of(_t)) + to_months(apl.offset(_n)))`,
  'start_of_year(_t, _n)': raw`apl.ns_of(date_trunc('year', apl.us_of(_t)) + to_months(apl.offset(CAST(_n AS HUGEINT) * 12)))`,
  'months_since(_t)': raw`datediff('month', TIMESTAMP '0001-01-01', apl.us_of(_t))`,
  'quarters_since(_t)': raw`datediff('quarter', TIMESTAMP '0001-01-01', apl.us_of(_t))`,
  'years_since(_t)': raw`datediff('year', TIMESTAMP '0001-01-01', apl.us_of(_t))`,
  // Compute weeks from days, because the first week starts before the minimum time.
  'weeks_since(_t)': raw`apl.floor_div(apl.floor_div(epoch_ns(_t), 86400000000000) + 4, 7)`,
  'units_since(_t, _unit)': raw`apl.floor_div(epoch_ns(_t), _unit)`,
  'second_part(_t, _unit)': raw`apl.floor_mod(epoch_ns(_t), 1000000000) // _unit`,

  // ── Strings ──
  'format_datetime(_t)': raw`replace(CAST(_t AS VARCHAR), ' ', 'T') || 'Z'`,
  'plain_date(_s)': raw`regexp_replace(regexp_replace(trim(_s), '^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? +', '', 'i'), ' ?(GMT|UTC|Z)$', '', 'i')`,
  // DuckDB rejects a time zone directly after the minutes, so zero seconds are inserted.
  'iso_time(_s)': raw`regexp_replace(regexp_replace(trim(_s), ' ?(GMT|[Zz])$', 'Z'), '^([^:]*:[0-9]{1,2})(Z|[+-].*)$', '\1:00\2')`,
  // Rejects 24:00, which DuckDB reads as the next day.
  'parse_datetime(_s)': raw`CASE
    WHEN contains(_s, '24:') AND regexp_matches(_s, '[0-9][ T]24:') THEN NULL
    WHEN regexp_matches(_s, '^\s*[0-9]{4}-[0-9]') THEN coalesce(TRY_CAST(regexp_replace(trim(_s), ' ([+-][0-9])', '\1') AS TIMESTAMP_NS), TRY_CAST(apl.iso_time(_s) AS TIMESTAMP_NS), TRY(apl.ns_of(CAST(try_strptime(trim(_s), ['%Y-%m', '%Y-%m-%d %I:%M:%S %p', '%Y-%m-%d %I:%M %p']) AS TIMESTAMP))))
    WHEN regexp_full_match(_s, '[0-9]+') THEN CASE length(_s)
      WHEN 4 THEN TRY_CAST(_s || '-01-01' AS TIMESTAMP_NS)
      WHEN 8 THEN TRY(apl.ns_of(try_strptime(_s, '%Y%m%d')))
      WHEN 14 THEN TRY(apl.ns_of(try_strptime(_s, '%Y%m%d%H%M%S')))
      WHEN 10 THEN apl.from_epoch(TRY(TRY_CAST(_s AS BIGINT) * 1000000000))
      WHEN 13 THEN apl.from_epoch(TRY(TRY_CAST(_s AS BIGINT) * 1000000))
      WHEN 16 THEN apl.from_epoch(TRY(TRY_CAST(_s AS BIGINT) * 1000))
      WHEN 19 THEN apl.from_epoch(TRY_CAST(_s AS BIGINT)) END
    ELSE coalesce(TRY(apl.ns_of(CAST(try_strptime(trim(_s), ${formats}) AS TIMESTAMP))), TRY(apl.ns_of(CAST(try_strptime(apl.plain_date(_s), ${plainFormats}) AS TIMESTAMP)))) END`,
  'fraction(_n, _unit, _digits)': raw`CAST(_n // _unit AS VARCHAR) || CASE WHEN _n % _unit = 0 THEN '' ELSE rtrim('.' || lpad(CAST(_n % _unit AS VARCHAR), _digits, '0'), '0') END`,
  'format_positive(_n)': raw`CASE
    WHEN _n = 0 THEN '0s'
    WHEN _n < 1000 THEN CAST(_n AS VARCHAR) || 'ns'
    WHEN _n < 1000000 THEN apl.fraction(_n, 1000, 3) || 'µs'
    WHEN _n < 1000000000 THEN apl.fraction(_n, 1000000, 6) || 'ms'
    ELSE CASE WHEN _n >= 3600000000000 THEN CAST(_n // 3600000000000 AS VARCHAR) || 'h' ELSE '' END
      || CASE WHEN _n >= 60000000000 THEN CAST(_n // 60000000000 % 60 AS VARCHAR) || 'm' ELSE '' END
      || apl.fraction(_n % 60000000000, 1000000000, 9) || 's' END`,
  // The minimum 64-bit integer can't be negated, so its string is a constant.
  'format_timespan(_n)': raw`CASE WHEN _n < -9223372036854775807 THEN '-2562047h47m16.854775808s'
    WHEN _n < 0 THEN '-' || apl.format_positive(-_n) ELSE apl.format_positive(_n) END`,
  'parse_timespan(_s)': raw`CASE
    WHEN regexp_full_match(_s, '[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+') THEN
      TRY_CAST(CASE WHEN starts_with(_s, '-') THEN -1 ELSE 1 END * list_sum(list_transform(
        regexp_extract_all(_s, '[0-9.]+[^0-9.]+'),
        lambda _part: CAST(TRY_CAST(regexp_extract(_part, '^[0-9.]{1,20}') AS DECIMAL(29, 9)) AS DOUBLE) * ${unitCase})) AS BIGINT)
    WHEN regexp_full_match(_s, '[+-]?0') THEN 0
    WHEN regexp_full_match(_s, '-?([0-9]+\.)?[0-9]{1,2}:[0-5]?[0-9](:[0-5]?[0-9](\.[0-9]+)?)?') THEN
      TRY_CAST(CASE WHEN starts_with(_s, '-') THEN -1 ELSE 1 END * (
        coalesce(TRY_CAST(regexp_extract(_s, '^-?([0-9]{1,9})\.[0-9]+:', 1) AS HUGEINT), 0) * 86400000000000
        + coalesce(TRY_CAST(regexp_extract(_s, '([0-9]{1,2}):[0-9]{1,2}', 1) AS HUGEINT), 0) * 3600000000000
        + coalesce(TRY_CAST(regexp_extract(_s, ':([0-9]{1,2})', 1) AS HUGEINT), 0) * 60000000000
        + coalesce(TRY_CAST(TRY_CAST(regexp_extract(_s, ':[0-9]{1,2}:([0-9.]+)', 1) AS DECIMAL(38, 9)) * 1000000000 AS HUGEINT), 0)) AS BIGINT) END`,
};
