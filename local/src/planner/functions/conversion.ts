/** Plans the functions that convert values to a type or test the type of a value. */
import { argumentError } from '../errors.ts';
import { inRange, outOfRangeTime } from '../outOfRange.ts';
import * as print from '../sql.ts';
import { sql } from '../sql.ts';
import {
  arrayValue,
  as,
  constant,
  convert,
  nullOf,
  scalarOf,
  toDynamic,
  toText,
  type Value,
  type ValueType,
  value,
  valueType,
} from '../values.ts';
import {
  at,
  type Call,
  constantText,
  type FunctionPlan,
  isA,
  kindTest,
  operandAt,
  optionalAt,
  simple,
} from './define.ts';

function to(type: ValueType): FunctionPlan {
  return (call) => {
    const of = operandAt(call, 0);
    // Return a value that already has the type unchanged, even if it is an out-of-range time.
    if (of.type === type) return of;
    return converted(inRange(of, call.args[0] ?? call.node), type);
  };
}

/**
 * Converts each row of a column with several types from its stored type. A constant string of up to 18 digits becomes a
 * constant integer.
 */
function converted(of: Value, type: ValueType): Value {
  const known = scalarOf(of);
  if (type === 'long' && typeof known === 'string' && /^[+-]?[0-9]{1,18}$/.test(known)) {
    return constant(BigInt(known.replace('+', '')), 'long');
  }
  const outOfRange = outOfRangeTime(of, type);
  if (outOfRange !== undefined) return outOfRange;
  if (of.variants === undefined || type === 'dynamic') return convert(of, type);
  const parts = of.variants.map((variant) => as(variant, type));
  return value(print.call('coalesce', ...parts), type);
}

function ensureField(call: Call): Value {
  const name = constantText(call, 0, 'name');
  const wanted = call.args[1];
  if (wanted?.kind !== 'typeof') {
    throw argumentError(call, 1, 'Write the type as typeof(string).');
  }
  const type = valueType(wanted.of);
  const found = call.scope.find(name);
  return found === undefined ? nullOf(type) : converted(found, type);
}

export const conversionFunctions = {
  dynamic_to_json: (call) => {
    const of = at(call, 0);
    const holdsScalars = of.type !== 'dynamic' || of.variants !== undefined;
    if (holdsScalars) return value(toText(of), 'string');
    return value(print.call('apl.sorted_json', toDynamic(of).sql), 'string');
  },
  ensure_field: ensureField,
  isbool: isA(['bool'], ['BOOLEAN']),
  iscc: simple(['string'], 'bool', 'apl.is_card'),
  isimei: simple(['string'], 'bool', 'apl.is_imei'),
  ismap: (call) => kindTest(at(call, 0), sql`'OBJECT'`),
  isreal: isA(['real', 'long'], ['DOUBLE', 'BIGINT', 'UBIGINT']),
  isstring: isA(['string'], ['VARCHAR']),
  isutf8: simple(['string'], 'bool', (s) => sql`(${s} IS NOT NULL)`),
  toarray: (call) => {
    const of = at(call, 0);
    const json = of.type === 'string' ? sql`apl.read_array(${of.sql})` : toDynamic(of).sql;
    return arrayValue(print.call('apl.to_array', json));
  },
  tobool: (call) => {
    const of = at(call, 0);
    return of.type === 'datetime'
      ? value(sql`(epoch_ns(${of.sql}) <> 0)`, 'bool')
      : converted(of, 'bool');
  },
  todatetime: to('datetime'),
  todouble: to('real'),
  todynamic: (call) => {
    const of = at(call, 0);
    if (of.type !== 'string') return toDynamic(of);
    return value(sql`apl.parse_json(${of.sql})`, 'dynamic');
  },
  tohex: (call) => {
    const of = at(call, 0);
    const digits = sql`lower(to_hex(${as(of, 'long')}))`;
    const length = optionalAt(call, 1);
    if (length === undefined) return value(digits, 'string');
    return value(print.call('apl.padded', digits, as(length, 'long')), 'string');
  },
  toint: to('long'),
  tolong: to('long'),
  toreal: to('real'),
  tostring: (call) => {
    const of = at(call, 0);
    const known = scalarOf(of);
    return typeof known === 'string' && of.type === 'string' ? of : value(toText(of), 'string');
  },
  totimespan: to('timespan'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

const raw = String.raw;

/** Regular expressions for card numbers, one per issuer, from the number ranges of ISO/IEC 7812. */
const cards = [
  '4[0-9]{12}([0-9]{3}){0,2}', // Visa
  '(5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}', // Mastercard
  '220[0-4][0-9]{12,15}', // Mir
  '3[47][0-9]{13}', // American Express
  '3(0[0-59]|[689][0-9])[0-9]{11,16}', // Diners Club
  '35(2[89]|[3-8][0-9])[0-9]{12,15}', // JCB
  '(5[06-9]|6[0-9])[0-9]{10,17}', // Maestro, Discover, UnionPay
  '81[0-9]{14,17}', // UnionPay
];

export const conversionMacros: Readonly<Record<string, string>> = {
  // ── JSON → typed: a JSON null or an unconvertible value is null ──
  'json_text(_j)': raw`json_extract_string(_j, '$')`,
  'json_string(_j)': raw`CASE WHEN json_type(_j) = 'VARCHAR' THEN json_extract_string(_j, '$') END`,
  'json_number(_j)': raw`CASE WHEN json_type(_j) IN ('BIGINT', 'UBIGINT', 'DOUBLE') THEN TRY_CAST(_j AS DOUBLE) END`,
  // These macros keep all digits of integers. The `whole` macros return null for fractions. The `floor` and `ceil`
  // macros round fractions, and clamp numbers of more than 128 bits.
  'real_whole(_x)': raw`CASE WHEN trunc(_x) = _x THEN TRY_CAST(_x AS HUGEINT) END`,
  'real_floor(_x)': raw`CAST(greatest(least(floor(_x), 1e38), -1e38) AS HUGEINT)`,
  'real_ceil(_x)': raw`CAST(greatest(least(ceil(_x), 1e38), -1e38) AS HUGEINT)`,
  'json_whole(_j)': raw`CASE json_type(_j) WHEN 'UBIGINT' THEN TRY_CAST(_j AS HUGEINT) WHEN 'BIGINT' THEN TRY_CAST(_j AS HUGEINT)
    WHEN 'DOUBLE' THEN apl.real_whole(TRY_CAST(_j AS DOUBLE)) END`,
  'json_floor(_j)': raw`CASE json_type(_j) WHEN 'UBIGINT' THEN TRY_CAST(_j AS HUGEINT) WHEN 'BIGINT' THEN TRY_CAST(_j AS HUGEINT)
    WHEN 'DOUBLE' THEN apl.real_floor(TRY_CAST(_j AS DOUBLE)) END`,
  'json_ceil(_j)': raw`CASE json_type(_j) WHEN 'UBIGINT' THEN TRY_CAST(_j AS HUGEINT) WHEN 'BIGINT' THEN TRY_CAST(_j AS HUGEINT)
    WHEN 'DOUBLE' THEN apl.real_ceil(TRY_CAST(_j AS DOUBLE)) END`,
  'json_boolean(_j)': raw`CASE WHEN json_type(_j) = 'BOOLEAN' THEN TRY_CAST(_j AS BOOLEAN) END`,
  'json_real(_j)': raw`CASE json_type(_j)
    WHEN 'BIGINT' THEN TRY_CAST(_j AS DOUBLE)
    WHEN 'UBIGINT' THEN TRY_CAST(_j AS DOUBLE)
    WHEN 'DOUBLE' THEN TRY_CAST(_j AS DOUBLE)
    WHEN 'BOOLEAN' THEN CAST(TRY_CAST(_j AS BOOLEAN) AS DOUBLE)
    WHEN 'VARCHAR' THEN apl.parse_real(json_extract_string(_j, '$')) END`,
  'json_long(_j)': raw`CASE json_type(_j)
    WHEN 'BIGINT' THEN TRY_CAST(_j AS BIGINT)
    WHEN 'UBIGINT' THEN TRY_CAST(_j AS BIGINT)
    WHEN 'DOUBLE' THEN apl.truncate_long(TRY_CAST(_j AS DOUBLE))
    WHEN 'BOOLEAN' THEN CAST(TRY_CAST(_j AS BOOLEAN) AS BIGINT)
    WHEN 'VARCHAR' THEN apl.parse_long(json_extract_string(_j, '$')) END`,
  'json_bool(_j)': raw`CASE json_type(_j)
    WHEN 'BOOLEAN' THEN TRY_CAST(_j AS BOOLEAN)
    WHEN 'BIGINT' THEN TRY_CAST(_j AS DOUBLE) <> 0
    WHEN 'UBIGINT' THEN TRY_CAST(_j AS DOUBLE) <> 0
    WHEN 'DOUBLE' THEN TRY_CAST(_j AS DOUBLE) <> 0
    WHEN 'VARCHAR' THEN apl.parse_bool(json_extract_string(_j, '$')) END`,
  'json_datetime(_j)': raw`CASE json_type(_j)
    WHEN 'BIGINT' THEN apl.from_epoch(TRY_CAST(_j AS BIGINT))
    WHEN 'UBIGINT' THEN apl.from_epoch(TRY_CAST(_j AS BIGINT))
    WHEN 'VARCHAR' THEN apl.parse_datetime(json_extract_string(_j, '$')) END`,
  'json_timespan(_j)': raw`CASE json_type(_j)
    WHEN 'BIGINT' THEN TRY_CAST(_j AS BIGINT)
    WHEN 'UBIGINT' THEN TRY_CAST(_j AS BIGINT)
    WHEN 'DOUBLE' THEN apl.truncate_long(TRY_CAST(_j AS DOUBLE))
    WHEN 'VARCHAR' THEN apl.parse_timespan(json_extract_string(_j, '$')) END`,

  'json_kind(_j)': raw`CASE coalesce(json_type(_j), 'NULL') WHEN 'NULL' THEN 'null' WHEN 'ARRAY' THEN 'array' WHEN 'OBJECT' THEN 'dictionary'
    WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'bool' WHEN 'DOUBLE' THEN 'real' ELSE 'long' END`,

  // ── String → typed ──
  'parse_long(_s)': raw`CASE WHEN regexp_full_match(_s, '[+-]?[0-9]+') THEN TRY_CAST(_s AS BIGINT) END`,
  'parse_real(_s)': raw`CASE WHEN regexp_full_match(_s, '(?i)[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity|nan)') THEN
    CASE WHEN isinf(TRY_CAST(_s AS DOUBLE)) AND NOT contains(lower(_s), 'inf') THEN NULL ELSE TRY_CAST(_s AS DOUBLE) END END`,
  'parse_bool(_s)': raw`CASE WHEN lower(_s) IN ('true', 't', '1') THEN true WHEN lower(_s) IN ('false', 'f', '0') THEN false
    WHEN regexp_full_match(_s, '[+-]?[0-9]{1,30}') THEN TRY_CAST(_s AS HUGEINT) <> 0 END`,
  // DuckDB also accepts NaN, Infinity and trailing commas, which aren't valid JSON. Whitespace is removed so that equal
  // values are equal strings.
  'is_loose_json(_s)': raw`regexp_matches(_s, '(?i)nan|inf|,\s*[\]}]')`,
  'parse_json(_s)': raw`CASE WHEN apl.is_loose_json(_s) AND apl.is_loose_json(regexp_replace(_s, '"(?:[^"\\]|\\.)*"', '""', 'g')) THEN NULL
    WHEN regexp_matches(_s, '\s') THEN CAST(json(TRY_CAST(_s AS JSON)) AS JSON) ELSE TRY_CAST(_s AS JSON) END`,

  // ── Numbers and times ──
  'truncate_long(_x)': raw`TRY_CAST(trunc(_x) AS BIGINT)`,
  // Returns null for times before 1677-09-22 or after 2262-04-11T23:47:16.854775, because DuckDB can't format them.
  // Shifting such times overflows 64 bits, which TRY_CAST turns into null. Don't compare `_n` with the bounds instead,
  // because each comparison would compute `_n` again.
  'from_epoch(_n)': raw`make_timestamp_ns(TRY_CAST(CAST(TRY_CAST(CAST(_n AS HUGEINT) - 85636854775808 AS BIGINT) AS HUGEINT) + 85636854776615 AS BIGINT) - 807)`,
  'from_epoch_real(_x)': raw`apl.from_epoch(apl.truncate_long(_x))`,
  'epoch_real(_t)': raw`CAST(epoch_ns(_t) AS DOUBLE)`,

  // ── Typed → string and JSON: a real is written with the fewest digits that round-trip ──
  'format_real(_x)': raw`CASE
    WHEN isnan(_x) THEN 'NaN'
    WHEN isinf(_x) THEN CASE WHEN _x > 0 THEN '+Inf' ELSE '-Inf' END
    WHEN abs(_x) < 1e15 AND trunc(_x) = _x THEN CAST(TRY_CAST(_x AS BIGINT) AS VARCHAR)
    WHEN abs(_x) < 1e21 AND trunc(_x) = _x THEN CAST(CAST(CAST(_x AS VARCHAR) AS DECIMAL(38, 0)) AS VARCHAR)
    ELSE CAST(_x AS VARCHAR) END`,
  'real_json(_x)': raw`CASE WHEN isfinite(_x) THEN
    CASE WHEN abs(_x) < 1e15 AND trunc(_x) = _x THEN to_json(TRY_CAST(_x AS BIGINT)) ELSE to_json(_x) END END`,
  'padded(_digits, _width)': raw`CASE WHEN _width <= length(_digits) THEN _digits WHEN _width IS NOT NULL THEN lpad(_digits, CAST(greatest(least(_width, 16), 0) AS INTEGER), '0') END`,

  // ── To array: a string is parsed as a JSON array or map, and any other string becomes a single item ──
  'read_array(_s)': raw`CASE WHEN json_type(apl.parse_json(_s)) IN ('ARRAY', 'OBJECT') THEN apl.parse_json(_s) ELSE to_json(_s) END`,
  'to_array(_j)': raw`CASE json_type(_j) WHEN 'ARRAY' THEN _j WHEN 'OBJECT' THEN to_json(json_extract(_j, '$.*')) WHEN 'VARCHAR' THEN json_array(_j) ELSE '[]'::JSON END`,

  // JSON can't represent infinities and NaN, so they become strings, which round-trip.
  'dynamic_real(_x)': raw`CASE WHEN isfinite(_x) THEN apl.real_json(_x) WHEN isnan(_x) THEN '"NaN"'::JSON WHEN _x > 0 THEN '"Infinity"'::JSON WHEN _x < 0 THEN '"-Infinity"'::JSON END`,

  // Returns the sum of the Luhn algorithm, which checks card numbers.
  'luhn(_digits)': raw`list_sum(list_transform(string_split(reverse(_digits), ''), lambda _d, _i:
    CASE WHEN _i % 2 = 1 THEN CAST(_d AS BIGINT) ELSE CAST(_d AS BIGINT) * 2 - CASE WHEN CAST(_d AS BIGINT) > 4 THEN 9 ELSE 0 END END)) % 10 = 0`,
  'card_digits(_s)': raw`replace(replace(_s, ' ', ''), '-', '')`,
  'is_card(_s)': raw`CASE WHEN regexp_full_match(apl.card_digits(_s), '${cards.join('|')}') THEN apl.luhn(apl.card_digits(_s)) ELSE false END`,
  'is_imei(_s)': raw`CASE WHEN regexp_full_match(_s, '[0-9]{15}') THEN apl.luhn(_s) ELSE false END`,
};
