/** Plans the math functions and `bin`. */

import { jsonNumber, numberForJson } from '../integers.ts';
import { nullOnError, nullOnErrorOr } from '../nullOnError.ts';
import { precomputeLarge } from '../precompute.ts';
import { negation } from '../scalarOperators.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { autoBinSize } from '../timeBins.ts';
import {
  arrayValue,
  as,
  constant,
  isNumeric,
  scalarOf,
  toDynamic,
  toNumber,
  type Value,
  value,
} from '../values.ts';
import {
  at,
  type Call,
  type FunctionPlan,
  guarded,
  isA,
  isRecent,
  optionalAt,
  type PlanCall,
  simple,
  toCommonType,
  values,
} from './define.ts';

function real(body: string): PlanCall {
  return simple(['real'], 'real', body);
}

// ── Bins ──────────────────────────────────────────────────────────────────────────────────────────

/** Nanoseconds from Monday 0001-01-01, when the first time bin starts, to 1970. */
const epochOfBins = 719_162n * 86_400_000_000_000n;
const day = 86_400_000_000_000n;

function bin(call: Call): Value {
  const [of, size] = [at(call, 0), at(call, 1)];
  const time =
    of.type === 'dynamic' && size.type === 'timespan' ? value(as(of, 'datetime'), 'datetime') : of;
  if (time.type === 'datetime') return binTime(call, time.sql, size);
  if (of.type === 'timespan' || (of.type === 'long' && size.type !== 'real')) {
    const known = scalarOf(size);
    const length = typeof known === 'bigint' ? print.bareLong(known) : as(size, 'long');
    const wide = sql`apl.bin_long_wide(${of.sql}, ${length})`;
    return value(nullOnErrorOr(sql`apl.bin_long(${of.sql}, ${length})`, wide), of.type);
  }
  return value(sql`apl.bin_real(${as(of, 'real')}, ${as(size, 'real')})`, 'real');
}

function binTime(call: Call, time: Sql, size: Value): Value {
  const known = scalarOf(size);
  // The first bin may start before the minimum time if bins are long or the size isn't constant.
  if (typeof known !== 'bigint' || known > 400n * day) {
    return value(sql`apl.bin_any_time(${time}, ${as(size, 'timespan')})`, 'datetime');
  }
  return known > 0n ? binBy(call, time, known) : value(sql`CAST(NULL AS TIMESTAMP_NS)`, 'datetime');
}

/** Plans the bin of a time. Bins that evenly divide a day start at midnight, and other bins on Monday 0001-01-01. */
function binBy(call: Call, time: Sql, size: bigint): Value {
  const length = print.bareLong(size);
  const offset = day % size === 0n ? 0n : ((-epochOfBins % size) + size) % size;
  if (offset === 0n && isRecent(call, 0)) {
    return value(sql`apl.bin_recent(${time}, ${length})`, 'datetime');
  }
  const bins = sql`apl.bin_time(${time}, ${length}, ${print.bareLong(offset)})`;
  if (offset === 0n) return value(bins, 'datetime');
  // If the first bin starts before the minimum time, the calculation overflows, so provide a slower alternative.
  return value(nullOnErrorOr(bins, sql`apl.bin_any_time(${time}, ${length})`), 'datetime');
}

// ── Others ────────────────────────────────────────────────────────────────────────────────────────

function extreme(name: 'greatest' | 'least'): FunctionPlan {
  return (call) => {
    const { type, parts } = toCommonType(values(call));
    if (type !== 'dynamic' && type !== 'real') return value(print.call(name, ...parts), type);
    const numbers = values(call).map((of) => as(of, 'real'));
    if (name === 'greatest') return value(print.call(name, ...numbers), 'real');
    // Compute a negated maximum, because DuckDB's `greatest` returns NaN if an argument is NaN, but `least` doesn't.
    return value(sql`-greatest(${print.join(numbers.map(print.negative))})`, 'real');
  };
}

const hour = 3_600_000_000_000n;

/** The maximum number of items in the result of `range`, as in the service. */
const maxItems = 1_048_576n;

/** Plans `range`. The default step is 1, or 1 h for times and timespans. */
function range(call: Call): Value {
  const [start, stop] = [at(call, 0), at(call, 1)];
  const isTimed = start.type === 'datetime' || start.type === 'timespan';
  const step = optionalAt(call, 2) ?? constant(isTimed ? hour : 1n, 'long');
  const parts = [start, stop, step].map((part) => (isTimed ? part : toNumber(part)));
  const isWhole = isTimed || parts.every((part) => part.type === 'long');
  const [from, to, by] = parts.map((part) => as(part, isWhole ? 'long' : 'real')) as [
    Sql,
    Sql,
    Sql,
  ];
  // Limit the total number of items in a chunk of rows if the number isn't known during planning.
  const suffix = parts.every((part) => scalarOf(part) !== undefined) ? '' : '_of_row';
  const macro = `apl.${isWhole ? 'long' : 'real'}_range${suffix}`;
  const text =
    start.type === 'datetime'
      ? sql`apl.format_datetime(make_timestamp_ns(_n))`
      : sql`apl.format_timespan(_n)`;
  const array = (last: Sql) => {
    const items = print.call(macro, from, last, by, print.long(maxItems));
    if (!isWhole) return arrayValue(items);
    const list = isTimed ? sql`list_transform(${items}, lambda _n: ${text})` : items;
    return arrayValue(sql`to_json(${list})`);
  };
  const [first, last, length] = parts.map((part) => Number(scalarOf(part) ?? Number.NaN));
  const isLong = (Number(last) - Number(first)) / Number(length) > 1_000;
  return isLong ? precomputeLarge(call.node, to, array, call.scope) : array(to);
}

function folded(macro: string): FunctionPlan {
  return (call) => {
    const sets = values(call).map((of) => as(of, 'dynamic'));
    return arrayValue(sets.reduce((left, right) => print.call(macro, left, right)));
  };
}

export const mathFunctions = {
  abs: (call) => {
    const of = at(call, 0);
    const number = of.type === 'timespan' ? of : toNumber(of);
    if (number.type === 'real') return value(sql`abs(${number.sql})`, 'real');
    const wide = sql`apl.abs_long_wide(${number.sql})`;
    return value(nullOnErrorOr(sql`apl.abs_long(${number.sql})`, wide), number.type);
  },
  acos: real('apl.acos'),
  asin: real('apl.asin'),
  atan: real('atan'),
  atan2: simple(['real', 'real'], 'real', 'atan2'),
  bin: bin,
  bin_auto: (call) => {
    const time = as(at(call, 0), 'datetime');
    return binBy(call, time, autoBinSize(call.scope.planning.context));
  },
  ceiling: (call) => rounded(call, sql`ceil`),
  cos: real('apl.cos'),
  cot: real('apl.cot'),
  degrees: real('degrees'),
  exp: real('exp'),
  exp10: simple(['real'], 'real', (x) => nullOnError(sql`apl.pow(10e0, ${x})`)),
  exp2: simple(['real'], 'real', (x) => nullOnError(sql`apl.pow(2e0, ${x})`)),
  floor: (call) => (call.args.length > 1 ? bin(call) : rounded(call, sql`floor`)),
  gamma: guarded(real('apl.gamma')),
  isfinite: simple(['real'], 'bool', 'isfinite'),
  isinf: simple(['real'], 'bool', 'isinf'),
  isint: isA(['long'], ['BIGINT', 'UBIGINT']),
  isnan: simple(['real'], 'bool', 'isnan'),
  log: real('apl.log'),
  log10: real('apl.log10'),
  log2: real('apl.log2'),
  loggamma: guarded(real('apl.loggamma')),
  max_of: extreme('greatest'),
  min_of: extreme('least'),
  not: (call) => negation(call.args[0] ?? call.node, call.scope),
  pi: () => value(sql`pi()`, 'real'),
  pow: guarded(simple(['real', 'real'], 'real', 'apl.pow')),
  radians: real('radians'),
  rand: (call) => {
    const max = optionalAt(call, 0);
    if (max === undefined) return value(sql`random()`, 'real');
    return value(sql`CAST(floor(random() * ${as(max, 'real')}) AS BIGINT)`, 'long');
  },
  range: range,
  round: (call) => {
    const digits = optionalAt(call, 1);
    const given = at(call, 0);
    const of = as(given, 'real');
    if (given.type === 'timespan') {
      const nanoseconds = sql`apl.round(${of}, ${digits === undefined ? print.long(0n) : as(digits, 'long')})`;
      return value(sql`apl.truncate_long(${nanoseconds})`, 'timespan');
    }
    if (digits === undefined) return value(sql`round(${of})`, 'real');
    const known = scalarOf(digits);
    if (typeof known === 'bigint' && known >= 0n && known <= 15n) {
      return value(sql`round(${of}, ${print.bareLong(known)})`, 'real');
    }
    return value(sql`apl.round(${of}, ${as(digits, 'long')})`, 'real');
  },
  set_difference: folded('apl.set_difference'),
  set_has_element: (call) => {
    const [set, item] = [as(at(call, 0), 'dynamic'), at(call, 1)];
    if (isNumeric(item.type)) {
      // Compare the items as numbers, because 2 and 2.0 are equal but are different JSON strings.
      const numbers = sql`list_transform(apl.items(${set}), lambda _item: ${jsonNumber(sql`_item`, item)})`;
      return value(sql`list_contains(${numbers}, ${numberForJson(item)})`, 'bool');
    }
    return value(sql`list_contains(apl.items(${set}), ${toDynamic(item).sql})`, 'bool');
  },
  set_intersect: folded('apl.set_intersect'),
  set_union: folded('apl.set_union'),
  sign: simple(['real'], 'long', 'apl.sign'),
  sin: real('apl.sin'),
  sqrt: real('apl.sqrt'),
  tan: real('apl.tan'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

/** Plans `ceiling` and `floor`, which return integers. */
function rounded(call: Call, name: Sql): Value {
  const of = toNumber(at(call, 0));
  if (of.type === 'long') return of;
  return value(sql`apl.truncate_long(${name}(${of.sql}))`, 'long');
}

const raw = String.raw;

/** The maximum total number of `range` items in a chunk of rows. DuckDB reads that many in a few seconds. */
const mostTogether = 4_194_304;

/** Macros over numbers. Most handle cases in which DuckDB fails. */
export const mathMacros: Readonly<Record<string, string>> = {
  'sqrt(_x)': raw`CASE WHEN _x < 0 THEN 'nan'::DOUBLE ELSE sqrt(_x) END`,
  'log(_x)': raw`CASE WHEN _x < 0 THEN NULL WHEN _x = 0 THEN '-inf'::DOUBLE ELSE ln(_x) END`,
  'log2(_x)': raw`CASE WHEN _x < 0 THEN NULL WHEN _x = 0 THEN '-inf'::DOUBLE ELSE log2(_x) END`,
  'log10(_x)': raw`CASE WHEN _x < 0 THEN NULL WHEN _x = 0 THEN '-inf'::DOUBLE ELSE log10(_x) END`,
  'asin(_x)': raw`CASE WHEN abs(_x) > 1 THEN 'nan'::DOUBLE ELSE asin(_x) END`,
  'acos(_x)': raw`CASE WHEN abs(_x) > 1 THEN 'nan'::DOUBLE ELSE acos(_x) END`,
  'sin(_x)': raw`CASE WHEN isinf(_x) THEN 'nan'::DOUBLE ELSE sin(_x) END`,
  'cos(_x)': raw`CASE WHEN isinf(_x) THEN 'nan'::DOUBLE ELSE cos(_x) END`,
  'tan(_x)': raw`CASE WHEN isinf(_x) THEN 'nan'::DOUBLE ELSE tan(_x) END`,
  'cot(_x)': raw`1e0 / apl.tan(_x)`,
  'gamma(_x)': raw`CASE WHEN _x = 0 THEN 'inf'::DOUBLE WHEN _x < 0 AND trunc(_x) = _x THEN 'nan'::DOUBLE ELSE gamma(_x) END`,
  'loggamma(_x)': raw`CASE WHEN _x = 0 THEN 'inf'::DOUBLE ELSE lgamma(_x) END`,
  'pow(_x, _y)': raw`pow(_x, _y)`,
  'round(_x, _digits)': raw`CASE WHEN _digits IS NULL THEN NULL WHEN isfinite(_x) THEN round(_x, CAST(greatest(least(_digits, 15), -300) AS INTEGER)) ELSE _x END`,
  'sign(_x)': raw`CAST(CASE WHEN isnan(_x) THEN NULL WHEN _x > 0 THEN 1 WHEN _x < 0 THEN -1 WHEN _x = 0 THEN 0 END AS BIGINT)`,
  // Integers wrap around at 64 bits. The `wide` macros use long operands only once.
  'wrap(_n)': raw`CAST(((_n + 9223372036854775808::HUGEINT) & 18446744073709551615::HUGEINT) - 9223372036854775808::HUGEINT AS BIGINT)`,
  'plus_long_wide(_a, _b)': raw`apl.wrap(CAST(_a AS HUGEINT) + CAST(_b AS HUGEINT))`,
  'minus_long_wide(_a, _b)': raw`apl.wrap(CAST(_a AS HUGEINT) - CAST(_b AS HUGEINT))`,
  'times_long_wide(_a, _b)': raw`apl.wrap(CAST(_a AS HUGEINT) * CAST(_b AS HUGEINT))`,
  'plus_long(_a, _b)': raw`CASE WHEN TRY(_a + _b) IS NOT NULL THEN TRY(_a + _b) ELSE apl.plus_long_wide(_a, _b) END`,
  'minus_long(_a, _b)': raw`CASE WHEN TRY(_a - _b) IS NOT NULL THEN TRY(_a - _b) ELSE apl.minus_long_wide(_a, _b) END`,
  'times_long(_a, _b)': raw`CASE WHEN TRY(_a * _b) IS NOT NULL THEN TRY(_a * _b) ELSE apl.times_long_wide(_a, _b) END`,
  // Use a wider macro for a divisor of -1, because dividing the minimum integer by -1 overflows 64 bits.
  'divide_long(_a, _b)': raw`CASE WHEN _b = -1 THEN apl.minus_long_wide(0, _a) ELSE _a // _b END`,
  'divide_long_wide(_a, _b)': raw`apl.wrap(CAST(_a AS HUGEINT) // CAST(_b AS HUGEINT))`,
  'negate(_n)': raw`-_n`,
  'abs_long(_n)': raw`abs(_n)`,
  'abs_long_wide(_n)': raw`TRY_CAST(abs(CAST(_n AS HUGEINT)) AS BIGINT)`,
  // In APL, a remainder is never negative.
  'modulo(_a, _b)': raw`CASE WHEN _b = 0 THEN 'nan'::DOUBLE WHEN _a % _b < 0 THEN _a % _b + abs(_b) ELSE _a % _b END`,
  'modulo_long(_a, _b)': raw`CASE WHEN _b = -1 THEN _a & 0 WHEN _a % _b >= 0 THEN _a % _b WHEN _b < 0 THEN _a % _b - _b ELSE _a % _b + _b END`,
  'modulo_long_wide(_a, _b)': raw`CAST((CAST(_a AS HUGEINT) % CAST(_b AS HUGEINT) + abs(CAST(_b AS HUGEINT))) % CAST(_b AS HUGEINT) AS BIGINT)`,
  'long_range(_from, _to, _step, _most)': raw`generate_series(_from, CASE WHEN _to IS NULL THEN NULL WHEN _step > 0
    THEN least(_to, coalesce(TRY_CAST(CAST(_from AS HUGEINT) + CAST(_step AS HUGEINT) * (_most - 1) AS BIGINT), _to))
    ELSE greatest(_to, coalesce(TRY_CAST(CAST(_from AS HUGEINT) + CAST(_step AS HUGEINT) * (_most - 1) AS BIGINT), _to)) END, nullif(_step, 0))`,
  'real_range(_from, _to, _step, _most)': raw`CASE WHEN _step <> 0 AND (_to - _from) / _step >= 0 THEN to_json(list_transform(
    range(0, CAST(least(floor((_to - _from) / _step + 1e-9) + 1, _most) AS BIGINT)), lambda _i: apl.real_json(_from + _i * _step))) ELSE '[]'::JSON END`,
  'bounded_count(_n, _most)': raw`CASE WHEN _n > _most THEN _most WHEN _n > 0 THEN _n ELSE 0e0 END`,
  'items_together(_from, _to, _step, _most)': raw`apl_together(apl.bounded_count((CAST(_to AS DOUBLE) - _from) / _step + 1, _most), ${mostTogether},
    'The calls of range give {count} items for {rows} rows, and the maximum is {most}. Use longer steps, shorter ranges or fewer rows.')`,
  'long_range_of_row(_from, _to, _step, _most)': raw`list_transform(list_zip([_from], [_to], [nullif(_step, 0)]), lambda _r:
    CASE WHEN apl.items_together(_r[1], _r[2], _r[3], _most) THEN apl.long_range(_r[1], _r[2], _r[3], _most) END)[1]`,
  'real_range_of_row(_from, _to, _step, _most)': raw`list_transform(list_zip([_from], [_to], [_step]), lambda _r:
    CASE WHEN apl.items_together(_r[1], _r[2], nullif(_r[3], 0), _most) THEN apl.real_range(_r[1], _r[2], _r[3], _most) END)[1]`,
  // Clamps a position to 32 bits, so that sums with it don't overflow.
  'place(_n)': raw`CASE WHEN _n IS NOT NULL THEN greatest(least(_n, 2147483647), -2147483648) END`,
};
