/** Writes operators. DuckDB sorts NaN above all numbers, and NaN equals NaN; integers fail on overflow. */
import { coerced, narrowed, nullOf } from './casts.ts';
import { computedOnce } from './lists.ts';
import { NotOnEngine } from './notOnEngine.ts';
import { commonType, isInteger, isText, scalarType } from './types.ts';
import {
  bitsOfAny,
  nullTest,
  quotedText,
  scalar,
  textValue,
  traitsOf,
  type Value,
  withBits,
} from './value.ts';

const comparisons = new Set(['=', '<>', '!=', '<', '>', '<=', '>=', 'IS SAME']);

export function binary(
  operator: string,
  a: Value,
  b: Value,
  attempt: boolean,
  joins = false,
): Value {
  const fails = a.fails || b.fails ? { fails: true } : {};
  if (comparisons.has(operator)) return { ...comparison(operator, a, b, joins), ...fails };
  const present = a.present === true && b.present === true;
  switch (operator) {
    case 'AND':
    case 'OR':
      if (attempt && (a.fails || b.fails)) throw new NotOnEngine(`TRY around ${operator}`);
      return scalar(`(${a.sql} ${operator} ${b.sql})`, 'bool', { present });
    case '||':
      return concatenated(a, b);
    case '+':
    case '-':
    case '*':
    case '/':
    case '//':
    case '%':
      return arithmetic(operator, a, b, attempt);
    case '&':
    case '|':
    case '<<':
    case '>>':
      return bits(operator, a, b);
    case '**':
      return scalar(`pow(${asDouble(a)}, ${asDouble(b)})`, 'double', { present });
  }
  throw new NotOnEngine(`the operator ${operator}`);
}

function asDouble(of: Value): string {
  return coerced(of, scalarType('double')).sql;
}

function concatenated(a: Value, b: Value): Value {
  if (!isText(a.type) && a.type.kind !== 'null') throw new NotOnEngine(`|| of ${a.type.kind}`);
  if (typeof a.constant === 'string' && typeof b.constant === 'string')
    return textValue(a.constant + b.constant);
  const [x, y] = [a, b].map((of) =>
    isText(of.type) || of.type.kind === 'null' ? of.sql : `toString(${of.sql})`,
  );
  return scalar(`concat(${x}, ${y})`, 'string', traitsOf(a, b));
}

// ── Comparisons ───────────────────────────────────────────────────────────────────────────────────

function comparison(operator: string, a: Value, b: Value, joins: boolean): Value {
  if (operator === 'IS SAME' && !joins) return sameness(a, b);
  if (a.type.kind === 'null' || b.type.kind === 'null') {
    if (operator !== 'IS SAME') return nullOf(scalarType('bool'));
  }
  const present = operator === 'IS SAME' || (a.present === true && b.present === true);
  const [x, y] = comparable(a, b);
  const sql = joins
    ? joined(operator, x, y)
    : computedOnce([x.sql, y.sql], (a1, b1) =>
        compared(operator, { ...x, sql: a1 }, { ...y, sql: b1 }, x, y),
      );
  return scalar(sql, 'bool', { present });
}

/** Compares the sides of a join. ClickHouse joins only by equal keys, so equal doubles get equal bits. */
function joined(operator: string, a: Value, b: Value): string {
  if (a.type.kind !== 'double' || (operator !== '=' && operator !== 'IS SAME'))
    return compared(operator, a, b);
  const symbol = operator === '=' ? '=' : '<=>';
  return `(${equalBits(a.sql)} ${symbol} ${equalBits(b.sql)})`;
}

/** Returns an integer that is equal for equal doubles. */
function equalBits(x: string): string {
  return `reinterpretAsUInt64(${sameIfEqual(x)})`;
}

/** Returns SQL with 0 for -0, and one NaN for all. ClickHouse groups doubles by their bits. */
function sameIfEqual(x: string): string {
  return `multiIf(isNaN(${x}), nan, ${x} = 0, 0., ${x})`;
}

/** Returns the value as a key of a group, which is the same for all values that are equal. */
export function groupKey(of: Value): Value {
  return of.type.kind === 'double' ? { ...of, sql: sameIfEqual(of.sql) } : of;
}

function comparable(a: Value, b: Value): readonly [Value, Value] {
  if (isInteger(a.type) && isInteger(b.type)) return [a, b];
  const type = commonType(a.type, b.type);
  return [coerced(a, type), coerced(b, type)];
}

function compared(operator: string, a: Value, b: Value, x0 = a, y0 = b): string {
  const symbol = operator === '<>' ? '!=' : operator === 'IS SAME' ? '<=>' : operator;
  const plain = `(${a.sql} ${symbol} ${b.sql})`;
  if (a.type.kind !== 'double') {
    if (a.type.kind === 'list' || a.type.kind === 'struct')
      throw new NotOnEngine(`a comparison of two values of type ${a.type.kind}`);
    return plain;
  }
  const [x, y] = [mayBeNaN(x0), mayBeNaN(y0)];
  if (!x && !y) return plain;
  const [isA, isB] = [`isNaN(${a.sql})`, `isNaN(${b.sql})`];
  switch (operator) {
    case '=':
      return x && y ? `(${a.sql} = ${b.sql} OR (${isA} AND ${isB}))` : plain;
    case '<>':
    case '!=':
      return x && y ? `(${a.sql} != ${b.sql} AND NOT (${isA} AND ${isB}))` : plain;
    case '>':
      return x
        ? y
          ? `(${a.sql} > ${b.sql} OR (${isA} AND NOT ${isB}))`
          : `(NOT (${a.sql} <= ${b.sql}))`
        : plain;
    case '>=':
      return x ? (y ? `(${a.sql} >= ${b.sql} OR ${isA})` : `(NOT (${a.sql} < ${b.sql}))`) : plain;
    case '<':
      return y
        ? x
          ? `(${a.sql} < ${b.sql} OR (${isB} AND NOT ${isA}))`
          : `(NOT (${a.sql} >= ${b.sql}))`
        : plain;
    case '<=':
      return y ? (x ? `(${a.sql} <= ${b.sql} OR ${isB})` : `(NOT (${a.sql} > ${b.sql}))`) : plain;
    default:
      return plain;
  }
}

/** A literal or a converted integer is a number. */
function mayBeNaN({ sql }: Value): boolean {
  return !/^-?\(?-?[0-9.e+-]+\)?$/.test(sql) && !/^toFloat64\((?!OrNull)/.test(sql);
}

function sameness(a: Value, b: Value): Value {
  if (b.type.kind === 'null' || a.type.kind === 'null') {
    const test = nullTest(b.type.kind === 'null' ? a : b);
    return scalar(test ?? 'false', 'bool', { present: true });
  }
  const [x, y] = comparable(a, b);
  const sql = computedOnce([x.sql, y.sql], (a1, b1) => {
    const equal = compared('=', { ...x, sql: a1 }, { ...y, sql: b1 }, x, y);
    const [p, q] = [nullTest({ ...x, sql: a1 }), nullTest({ ...y, sql: b1 })];
    if (p === undefined && q === undefined) return equal;
    return `ifNull(${equal}, ${p && q ? `(${p} AND ${q})` : 'false'})`;
  });
  return scalar(sql, 'bool', { present: true });
}

// ── Numbers ───────────────────────────────────────────────────────────────────────────────────────

function arithmetic(operator: string, a: Value, b: Value, attempt: boolean): Value {
  const traits = traitsOf(a, b);
  if (a.type.kind === 'null' || b.type.kind === 'null')
    return nullOf(
      operator === '/' ? scalarType('double') : a.type.kind === 'null' ? b.type : a.type,
    );
  if (operator === '/') {
    return scalar(`(${asDouble(a)} / ${asDouble(b)})`, 'double', traits);
  }
  const [x, y] = [a.type.kind, b.type.kind];
  if (x === 'double' || y === 'double' || x === 'decimal' || y === 'decimal') {
    if (operator === '//') throw new NotOnEngine('// of fractions');
    if (x !== 'double' && y !== 'double') {
      if (operator === '*' && isInteger(b.type))
        return scalar(`(${a.sql} * ${b.sql})`, 'decimal', traits);
      throw new NotOnEngine('arithmetic of decimals');
    }
    if (operator === '%') return scalar(remainder(asDouble(a), asDouble(b)), 'double', traits);
    return scalar(`(${asDouble(a)} ${operator} ${asDouble(b)})`, 'double', traits);
  }
  if (!isInteger(a.type) || !isInteger(b.type))
    throw new NotOnEngine(`the operator ${operator} of ${x} and ${y}`);
  if (operator === '//' || operator === '%') return quotient(operator, a, b, attempt);
  const size = bitsAfter(operator, a, b);
  if (x !== 'int' || y !== 'int') {
    const type = commonType(a.type, b.type);
    const sql = `(${coerced(a, type).sql} ${operator} ${coerced(b, type).sql})`;
    // ClickHouse subtracts unsigned integers as signed ones.
    const kept = type.kind === 'unsignedHuge' ? `toUInt128${sql}` : sql;
    return { ...scalar(kept, 'huge', { ...traits, ...size }), type };
  }
  if (size.bits !== undefined)
    return scalar(`(${a.sql} ${operator} ${b.sql})`, 'int', { ...traits, ...size });
  const exact = `toInt128(${a.sql}) ${operator} ${b.sql}`;
  return scalar(narrowed(exact, 'Int64', attempt), 'int', {
    present: !attempt && traits.present === true,
    fails: true,
  });
}

/** Returns the size of a sum, difference or product. */
function bitsAfter(operator: string, { bits: a }: Value, { bits: b }: Value): Pick<Value, 'bits'> {
  if (a === undefined || b === undefined) return {};
  return withBits(operator === '*' ? a + b : Math.max(a, b) + 1);
}

function remainder(a: string, b: string): string {
  return computedOnce(
    [a, b],
    (x, y) => `if(isInfinite(${y}) AND isFinite(${x}), ${x}, ${x} % ${y})`,
  );
}

/** Truncates towards zero. A division by zero is null. */
function quotient(operator: '//' | '%', a: Value, b: Value, attempt: boolean): Value {
  const type = commonType(a.type, b.type);
  const [x, y] = [coerced(a, type), coerced(b, type)];
  const isLiteral = typeof b.constant === 'bigint' && b.constant !== 0n && b.constant !== -1n;
  const narrow = (sql: string) => (type.kind === 'int' ? `toInt64(${sql})` : sql);
  const result = (sql: string, traits: Partial<Value>) => ({
    ...scalar(narrow(sql), 'int', traits),
    type,
  });
  const traits = { ...traitsOf(a, b), ...(isLiteral ? bitsOfAny([a]) : { present: false }) };
  if (operator === '%') {
    const sql = computedOnce([x.sql, y.sql], (p, q) =>
      isLiteral
        ? `(${p} % ${q})`
        : `if(${q} = -1, if(isNull(${p}), NULL, 0), ${p} % nullIf(${q}, 0))`,
    );
    return result(sql, traits);
  }
  if (isLiteral) return result(`intDiv(${x.sql}, ${y.sql})`, traits);
  const divisor = `nullIf(${y.sql}, 0)`;
  return attempt
    ? result(`intDivOrNull(${x.sql}, ${divisor})`, { fails: true })
    : result(`intDiv(${x.sql}, ${divisor})`, traits);
}

const bitFunctions: Readonly<Record<string, string>> = {
  '&': 'bitAnd',
  '|': 'bitOr',
  '<<': 'bitShiftLeft',
  '>>': 'bitShiftRight',
};

function bits(operator: string, a: Value, b: Value): Value {
  const type = commonType(a.type, b.type);
  if (!isInteger(type) || operator === '<<') throw new NotOnEngine(`the operator ${operator}`);
  const shifted = operator === '>>' ? `toUInt8(${b.sql})` : coerced(b, type).sql;
  const sql = `${bitFunctions[operator]}(${coerced(a, type).sql}, ${shifted})`;
  return { ...scalar(sql, 'int', traitsOf(a, b)), type };
}

export function negated(of: Value, attempt: boolean): Value {
  if (of.type.kind === 'double') return { ...of, sql: `-${bracketed(of.sql)}` };
  if (of.type.kind === 'decimal') return { ...of, sql: `(-${of.sql})` };
  if (typeof of.constant === 'bigint') return integer(-of.constant);
  if (of.type.kind === 'int' && of.bits !== undefined) return { ...of, sql: `(-${of.sql})` };
  if (of.type.kind === 'int')
    return scalar(narrowed(`-toInt128(${of.sql})`, 'Int64', attempt), 'int', { fails: true });
  if (of.type.kind === 'huge') return { ...of, sql: `(-${of.sql})` };
  throw new NotOnEngine(`the negation of ${of.type.kind}`);
}

function bracketed(sql: string): string {
  return sql.startsWith('-') ? `(${sql})` : sql;
}

const LONG = 2n ** 63n;

/** Returns a literal integer. One outside 64 bits has 128. */
export function integer(value: bigint): Value {
  const size = withBits((value < 0n ? -value : value).toString(2).length);
  if (value >= -LONG && value < LONG) {
    // ClickHouse reads a longer literal as UInt64, whose remainder with a negative number is wrong.
    const isShort = value < 2n ** 31n && value >= -(2n ** 31n);
    const sql = isShort
      ? value < 0n
        ? `(${value})`
        : `${value}`
      : `toInt64(${quotedText(`${value}`)})`;
    return scalar(sql, 'int', { present: true, constant: value, ...size });
  }
  if (value >= 2n ** 127n)
    return scalar(`toUInt128(${quotedText(`${value}`)})`, 'unsignedHuge', {
      present: true,
      constant: value,
    });
  return scalar(`toInt128(${quotedText(`${value}`)})`, 'huge', { present: true, constant: value });
}
