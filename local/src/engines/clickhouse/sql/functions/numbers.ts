/** Functions on numbers, and functions of any type. */
import { coerced, nullOf } from '../casts.ts';
import { argument, type Call, type FunctionRow } from '../context.ts';
import { computedOnce, newVariable } from '../lists.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import { binary } from '../operators.ts';
import { commonType, isInteger, scalarType, type Type } from '../types.ts';
import { bitsOfAny, nullTest, quotedText, required, scalar, type Value } from '../value.ts';
import { simple } from './define.ts';

const double = (name: string) => simple(['double'], 'double', (x) => `${name}(${x})`);

function values(call: Call): { readonly all: readonly Value[]; readonly type: Type } {
  const args = call.nodes.map((_, i) => argument(call, i));
  const type = args.map((arg) => arg.type).reduce(commonType);
  return { all: args.map((arg) => coerced(arg, type)), type };
}

const coalesce: FunctionRow = (call) => {
  const args = call.nodes.map((_, i) => argument(call, i));
  // An error in an argument would make the whole TRY null.
  if (call.context.attempt && args.slice(0, -1).some(({ fails }) => fails))
    throw new NotOnEngine('TRY around coalesce()');
  const given = args.filter(({ type }) => type.kind !== 'null');
  const [first] = given;
  if (first === undefined) return args[0] as Value;
  const type = given.map((arg) => arg.type).reduce(commonType);
  const present = given.some((arg) => nullTest(arg) === undefined);
  if (type.kind === 'list' || type.kind === 'struct') {
    const plain = present ? { ...type, optional: false } : { ...type, optional: true };
    const written = given.map((arg) => ({
      test: nullTest(arg),
      sql: coerced(present ? required(arg) : arg, plain).sql,
    }));
    const last = written.find(({ test }) => test === undefined) ?? written.at(-1)!;
    const before = written
      .slice(0, written.indexOf(last))
      .map(({ test, sql }) => `NOT ${test}, ${sql}`);
    return {
      sql: before.length === 0 ? last.sql : `multiIf(${[...before, last.sql].join(', ')})`,
      type: plain,
    };
  }
  const written = given.map((arg) => coerced(arg, type).sql);
  const fails = args.some((arg) => arg.fails) ? { fails: true } : {};
  if (written.length === 1) return { ...first, ...fails };
  const name = written.length === 2 ? 'ifNull' : 'coalesce';
  return { sql: `${name}(${written.join(', ')})`, type, present, ...fails, ...bitsOfAny(given) };
};

function withSql(of: Value, sql: string): Value {
  return { ...of, sql };
}

/** Nulls are ignored, and NaN is the greatest number. */
function extreme(name: 'greatest' | 'least'): FunctionRow {
  return (call) => {
    const { all, type } = values(call);
    const fails = all.some((arg) => arg.fails);
    if (fails && call.context.attempt) throw new NotOnEngine(`TRY around ${name}()`);
    const result = all.reduce((a, b) => {
      const sql = computedOnce([a.sql, b.sql], (x, y) => {
        const operator = name === 'greatest' ? '>=' : '<=';
        const [left, right] = [withSql(a, x), withSql(b, y)];
        const test = binary(operator, left, right, false).sql;
        const branches = [
          ...(a.present ? [] : [`isNull(${x}), ${y}`]),
          ...(b.present ? [] : [`isNull(${y}), ${x}`]),
          `${test}, ${x}`,
        ];
        return `multiIf(${branches.join(', ')}, ${y})`;
      });
      return {
        sql,
        type,
        ...(fails && { fails }),
        present: a.present === true || b.present === true,
      };
    });
    return {
      ...result,
      ...bitsOfAny(all),
    };
  };
}

const absolute: FunctionRow = (call) => {
  const of = argument(call, 0);
  if (of.type.kind === 'null') return of;
  if (of.type.kind !== 'int') return { ...of, sql: `abs(${of.sql})` };
  if (of.bits) return { ...of, sql: `toInt64(abs(${of.sql}))` };
  if (call.context.attempt)
    return scalar(`accurateCastOrNull(abs(toInt128(${of.sql})), 'Int64')`, 'int', { fails: true });
  return scalar(`accurateCast(abs(toInt128(${of.sql})), 'Int64')`, 'int', {
    present: of.present === true,
    fails: true,
  });
};

/** DuckDB rounds halves away from zero, and ClickHouse to even. */
const round: FunctionRow = (call) => {
  const of = argument(call, 0);
  const x = coerced(of, scalarType('double')).sql;
  const fails = of.fails ? { fails: true } : {};
  const away = (z: string) =>
    computedOnce(
      [z],
      (y) => `if(abs(${y} - trunc(${y})) = 0.5, trunc(${y}) + sign(${y}), roundBankers(${y}))`,
    );
  if (call.nodes.length === 1)
    return scalar(away(x), 'double', { present: of.present === true, ...fails });
  const digits = argument(call, 1);
  const scaled = `(${x} * pow(10, ${digits.sql}))`;
  const down = `(${away(`(${x} / pow(10, -${digits.sql}))`)} * pow(10, -${digits.sql}))`;
  const up = `(${away(scaled)} / pow(10, ${digits.sql}))`;
  const kept = `if(isFinite(${up}), ${up}, ${x})`;
  return scalar(
    `if(${digits.sql} < 0, if(isFinite(${down}), ${down}, 0), ${kept})`,
    'double',
    fails,
  );
};

const whole =
  (name: string): FunctionRow =>
  (call) => {
    const of = argument(call, 0);
    if (isInteger(of.type)) return coerced(of, scalarType('double'));
    return simple(['double'], 'double', (x) => `${name}(${x})`)(call);
  };

export const numberFunctions: Readonly<Record<string, FunctionRow>> = {
  abs: absolute,
  // ClickHouse's own functions are less precise.
  acos: simple(['double'], 'double', (x) => `atan2(sqrt((1 - ${x}) * (1 + ${x})), ${x})`),
  asin: simple(['double'], 'double', (x) => `atan2(${x}, sqrt((1 - ${x}) * (1 + ${x})))`),
  atan: double('atan'),
  atan2: simple(['double', 'double'], 'double', (y, x) => `atan2(${y}, ${x})`),
  ceil: whole('ceil'),
  coalesce,
  cos: double('cos'),
  degrees: double('degrees'),
  exp: double('exp'),
  gamma: double('tgamma'),
  lgamma: double('lgamma'),
  floor: whole('floor'),
  greatest: extreme('greatest'),
  isfinite: simple(['double'], 'bool', (x) => `isFinite(${x})`),
  isinf: simple(['double'], 'bool', (x) => `isInfinite(${x})`),
  isnan: simple(['double'], 'bool', (x) => `isNaN(${x})`),
  least: extreme('least'),
  ln: double('log'),
  log10: double('log10'),
  log2: double('log2'),
  nullif: (call) => {
    const [a, b] = [argument(call, 0), argument(call, 1)];
    const type = commonType(a.type, b.type);
    if (type.kind === 'null') return nullOf(type);
    const equal = binary('=', a, b, false).sql;
    return { ...a, sql: `if(ifNull(${equal}, 0), NULL, ${a.sql})`, present: false };
  },
  pi: () => scalar('pi()', 'double', { present: true }),
  pow: simple(['double', 'double'], 'double', (x, y) => `pow(${x}, ${y})`),
  radians: double('radians'),
  random: ({ context: { varying } }) => {
    // The argument keeps two calls apart, and keeps ClickHouse from calling the function once for all rows.
    const row = varying === undefined ? '' : `tuple(${varying}, ${quotedText(newVariable())})`;
    return scalar(`(rand64(${row}) / 18446744073709551616.)`, 'double', { present: true });
  },
  round,
  sign: simple(['double'], 'double', (x) => `toFloat64(sign(${x}))`),
  sin: double('sin'),
  sqrt: double('sqrt'),
  tan: double('tan'),
  to_hex: simple(
    ['int'],
    'string',
    (n) => `replaceRegexpOne(hex(toInt64(${n})), '^0+([0-9A-F])', '\\\\1')`,
  ),
  trunc: whole('trunc'),
};
