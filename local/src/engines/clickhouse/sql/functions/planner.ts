/** The planner's macros and JavaScript functions that ClickHouse computes in other ways than their bodies say. */
import { coerced } from '../casts.ts';
import { jsonCell } from '../cells.ts';
import { argument, type FunctionRow } from '../context.ts';
import { doubleJson, doubleText } from '../formats.ts';
import { computedOnce, newVariable } from '../lists.ts';
import { isInteger, listOf, scalarType } from '../types.ts';
import { nullIfAny, scalar } from '../value.ts';
import { listArgument, listMaker, simple } from './define.ts';

const long = ['int', 'int'] as const;

/** ClickHouse's integers wrap around, as the macro's do. */
const wrapping = (operator: string) =>
  simple(long, 'int', (a, b) => `(toInt64(${a}) ${operator} toInt64(${b}))`);

/** Writes a whole number without a fraction. */
const wholeText = (x: string) => `toString(accurateCastOrNull(${x}, 'Int64'))`;

/** Fills gaps between two numbers along a line, and those at the ends with the nearest number. */
function interpolated(list: string): string {
  return computedOnce([list], (all) => {
    const [x, i, a, b] = [newVariable(), newVariable(), newVariable(), newVariable()];
    const places = `arrayMap((${x}, ${i}) -> if(isNaN(${x}), 0, toInt64(${i})), ${all}, arrayEnumerate(${all}))`;
    const earlier = `arrayFill(${x} -> ${x} > 0, ${places})`;
    const later = `arrayReverseFill(${x} -> ${x} > 0, ${places})`;
    const [from, to] = [`${all}[${a}]`, `${all}[${b}]`];
    const between = `${from} + (${to} - ${from}) * (toInt64(${i}) - ${a}) / (${b} - ${a})`;
    const value = `multiIf(NOT isNaN(${x}), ${x}, ${a} = 0 AND ${b} = 0, nan, ${a} = 0, ${to}, ${b} = 0, ${from}, ${between})`;
    return `arrayMap((${x}, ${i}, ${a}, ${b}) -> ${value}, ${all}, arrayEnumerate(${all}), ${earlier}, ${later})`;
  });
}

/** Fills gaps from the nearest earlier or later item. NaN and null are gaps, and remaining gaps are NaN. */
const fill: FunctionRow = (call) => {
  const { sql, test } = listArgument(call, 0);
  const way = argument(call, 1).constant;
  const item = newVariable();
  const all = `arrayMap(${item} -> ifNull(${item}, nan), ${sql})`;
  const [isFull, kept] = [`${item} -> NOT isNaN(${item})`, listOf(scalarType('double'))];
  if (way === 'linear') return nullIfAny({ sql: interpolated(all), type: kept }, [test]);
  const backward = (list: string) => `arrayReverseFill(${isFull}, ${list})`;
  const filled = way === 'forward' ? backward(`arrayFill(${isFull}, ${all})`) : backward(all);
  return nullIfAny({ sql: filled, type: kept }, [test]);
};

/** The positions of a string in another, also overlapping ones. */
const placesOf = listMaker(['string', 'string'], scalarType('double'), (needle, s) => {
  const position = newVariable();
  const isThere = `substringUTF8(${s}, ${position} + 1, lengthUTF8(${needle})) = ${needle}`;
  return `arrayMap(${position} -> toFloat64(${position}), arrayFilter(${position} -> ${isThere}, range(lengthUTF8(${s}) + 1)))`;
});

export const plannerFunctions: Readonly<Record<string, FunctionRow>> = {
  group_id: simple(['string'], 'int', (key) => `toInt64(bitShiftRight(cityHash64(${key}), 32))`),
  json_cell: jsonCell,
  'apl.format_real': simple(
    ['double'],
    'string',
    (x) =>
      `multiIf(isNaN(${x}), 'NaN', isInfinite(${x}), if(${x} > 0, '+Inf', '-Inf'), ${x} = 0, '0', abs(${x}) < 1e21 AND trunc(${x}) = ${x}, toString(${x}), ${doubleText(x)})`,
  ),
  'apl.real_json': simple(
    ['double'],
    'json',
    (x) =>
      `if(isFinite(${x}), if(abs(${x}) < 1e15 AND trunc(${x}) = ${x}, ${wholeText(x)}, ${doubleJson(x)}), NULL)`,
    { nullable: true },
  ),
  'apl.valid_pattern': simple(
    ['string'],
    'string',
    (p) =>
      `if(throwIf(ifNull(lengthUTF8(${p}) > 1000, 0), 'A regular expression of a column has at most 1,000 characters. Compare with == or contains, or write the pattern as a constant.') = 1, NULL, ${p})`,
  ),
  'apl.plus_long': wrapping('+'),
  'apl.plus_long_wide': wrapping('+'),
  'apl.minus_long': wrapping('-'),
  'apl.minus_long_wide': wrapping('-'),
  'apl.times_long': wrapping('*'),
  'apl.times_long_wide': wrapping('*'),
  'apl.divide_long': simple(
    long,
    'int',
    (a, b) => `multiIf(${b} = -1, 0 - ${a}, ${b} = 0, NULL, intDivOrNull(${a}, ${b}))`,
  ),
  'apl.divide_long_wide': simple(
    long,
    'int',
    (a, b) => `multiIf(${b} = -1, 0 - ${a}, ${b} = 0, NULL, intDivOrNull(${a}, ${b}))`,
  ),
  'apl.floor_mod': (call) => {
    const [a, m] = [argument(call, 0), argument(call, 1)];
    const type = a.type.kind === 'int' && m.type.kind === 'int' ? 'int' : 'huge';
    if (!isInteger(a.type) || !isInteger(m.type)) throw new Error('floor_mod takes integers.');
    const [x, y] = [
      coerced(a, scalarType('huge')).sql,
      `nullIf(${coerced(m, scalarType('huge')).sql}, 0)`,
    ];
    const sql = `((${x} % ${y} + ${y}) % ${y})`;
    return scalar(type === 'int' ? `toInt64(${sql})` : sql, type, {
      present: a.present === true && typeof m.constant === 'bigint' && m.constant !== 0n,
      ...((a.fails || m.fails) && { fails: true }),
    });
  },
  // These limits of DuckDB's memory have a counterpart in ClickHouse's settings.
  'apl.bytes_together': simple(['double'], 'bool', (n) => `(${n} >= 0 OR true)`),
  'apl.array_bytes_together': simple(['double'], 'bool', (n) => `(${n} >= 0 OR true)`),
  'apl.items_together': simple(
    ['double', 'double', 'double', 'double'],
    'bool',
    (from, to, step) => `if(isNull(${from} + ${to} + ${step}), NULL, true)`,
  ),
  'apl.goes_on': () => scalar('true', 'bool', { present: true }),
  // DuckDB divides long computations into shares.
  'apl.shares': () => scalar('1', 'int', { present: true, bits: 1, constant: 1n }),
  'apl.has_texts': simple(['json'], 'bool', (j) => `(position(${j}, '"') > 0)`),
  'apl.reverse': simple(['string'], 'string', (s) => `reverseUTF8(${s})`),
  'apl.format_fixed': simple(
    ['double', 'int'],
    'string',
    (x, digits) =>
      `multiIf(isNull(${x}) OR isNull(${digits}), NULL, printf(concat('%.', toString(greatest(least(assumeNotNull(${digits}), 20), 0)), 'f'), assumeNotNull(${x})))`,
  ),
  apl_fill: fill,
  apl_places: placesOf,
  apl_reverse: simple(['string'], 'string', (s) => `reverseUTF8(${s})`),
  apl_sha512: simple(['string'], 'string', (s) => `lower(hex(SHA512(${s})))`),
};
