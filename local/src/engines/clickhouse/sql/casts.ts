/** Writes casts. An implicit cast never fails; an explicit one is null or an error if the value can't be converted. */

import { doubleText, jsonOf, timeText, validJson } from './formats.ts';
import { computedOnce, emptyList, newVariable, valuesOnce } from './lists.ts';
import { NotOnEngine } from './notOnEngine.ts';
import { isOptional, type Type, typeName, withOptional } from './types.ts';
import { field, nullIfAny, nullTest, quotedText, required, scalar, type Value } from './value.ts';

/** Converts a value to a common type. */
export function coerced(of: Value, type: Type): Value {
  if (of.type.kind === 'null')
    return type.kind === 'list' || type.kind === 'struct' ? nullOf(type) : { ...of, type };
  if (type.kind === 'list' || type.kind === 'struct') return coercedParts(of, type);
  if (of.type.kind === type.kind) return of;
  switch (`${of.type.kind} ${type.kind}`) {
    case 'string json':
    case 'json string':
    case 'blob json':
    case 'blob string':
    case 'string blob':
    case 'json blob':
      return { ...of, type };
    case 'int huge':
      return { ...of, sql: `toInt128(${of.sql})`, type };
    case 'int unsignedHuge':
      return { ...of, sql: `toUInt128(${of.sql})`, type };
    case 'int double':
    case 'huge double':
    case 'unsignedHuge double':
    case 'decimal double': {
      const { constant: _, ...rest } = of;
      return { ...rest, sql: `toFloat64(${of.sql})`, type };
    }
    case 'bool int':
      return { ...of, sql: `toInt64(${of.sql})`, type };
    default:
      throw new NotOnEngine(`a conversion of ${of.type.kind} to ${type.kind}`);
  }
}

export function nullOf(type: Type): Value {
  if (type.kind === 'list' || type.kind === 'struct') {
    const plain = withOptional(type, false);
    const empty =
      type.kind === 'list'
        ? emptyList(type.of)
        : `defaultValueOfTypeName(${quotedText(typeName(plain))})`;
    return { sql: `tuple(${empty}, 1)`, type: withOptional(type, true) };
  }
  return { sql: type.kind === 'null' ? 'NULL' : `CAST(NULL, ${quotedText(typeName(type))})`, type };
}

function coercedParts(value: Value, type: Type): Value {
  return valuesOnce([value], ([of]) => coercedItems(of as Value, type));
}

function coercedItems(of: Value, type: Type): Value {
  const from = required(of);
  const plain = withOptional(type, false);
  let sql = from.sql;
  if (typeName(from.type) !== typeName(plain)) {
    if (from.type.kind === 'list' && plain.kind === 'list') {
      const item = newVariable();
      const converted = coerced({ sql: item, type: from.type.of }, plain.of).sql;
      if (converted !== item) sql = `arrayMap(${item} -> ${converted}, ${sql})`;
    } else if (from.type.kind === 'struct' && plain.kind === 'struct') {
      const { types } = from.type;
      const parts = plain.types.map(
        (part, i) => coerced({ sql: field(sql, i + 1), type: types[i] as Type }, part).sql,
      );
      sql = `tuple(${parts.join(', ')})`;
    } else throw new NotOnEngine(`a conversion of ${of.type.kind} to ${type.kind}`);
  }
  const test = nullTest(of);
  if (isOptional(type)) return { sql: `tuple(${sql}, ${test ?? 0})`, type };
  return test === undefined ? { sql, type } : nullIfAny({ sql, type }, [test]);
}

/** Whole numbers as DuckDB and ClickHouse both read them. */
const PLAIN_INTEGER = "'^[-+]?[0-9]+$'";

interface Way {
  /** Whether an error makes the value null. */
  readonly attempt: boolean;
}

/** Converts a value as CAST or TRY_CAST does. */
export function cast(of: Value, type: Type, name: string, way: Way): Value {
  let result: Value | undefined;
  const sql = computedOnce([of.sql], (one) => {
    result = castOf({ ...of, sql: one }, type, name, way);
    return result.sql;
  });
  return { ...(result as Value), sql };
}

/** Casts that never fail. */
const plainCasts: Readonly<Record<string, (sql: string) => string>> = {
  'double bool': (x) => `(${x} != 0)`,
  'int bool': (x) => `(${x} != 0)`,
  'bool double': (x) => `toFloat64(${x})`,
  'bool int': (x) => `toInt64(${x})`,
  'int string': (x) => `toString(${x})`,
  'huge string': (x) => `toString(${x})`,
  'unsignedHuge string': (x) => `toString(${x})`,
  'double string': doubleText,
  'time string': timeText,
};

function castOf(of: Value, type: Type, name: string, { attempt }: Way): Value {
  const { sql } = of;
  const { kind } = type;
  const key = `${of.type.kind} ${kind}`;
  if (of.type.kind === 'null') return nullOf(type);
  if (kind === 'list') return castToList(of, type, name);
  if (kind === 'struct') throw new NotOnEngine(`a cast of ${of.type.kind} to ${name}`);
  const kept = attempt ? {} : { present: of.present === true };
  const plain = plainCasts[key];
  if (plain !== undefined) return scalar(plain(sql), kind, kept);
  const failing = (written: string, traits: Partial<Value> = {}) =>
    scalar(written, kind, { ...traits, fails: true });
  switch (key) {
    case 'string int':
    case 'string huge':
      if (of.digits && attempt) return failing(narrowed(sql, rangeOf(name), true), bitsOf(name));
      return failing(integerOf(sql, rangeOf(name), attempt), { ...kept, ...bitsOf(name) });
    // The planner checks the type of JSON before such a cast.
    case 'json int':
    case 'json huge':
      return failing(
        `if(match(${sql}, ${PLAIN_INTEGER}), accurateCastOrNull(${sql}, '${rangeOf(name)}'), NULL)`,
      );
    case 'double int':
    case 'huge int':
    case 'unsignedHuge int':
    case 'decimal int':
    case 'int int': {
      const isLong = rangeOf(name) === 'Int64';
      if (isLong && of.type.kind === 'int') return of;
      if (isLong && of.bits !== undefined) return { ...of, sql: `toInt64(${sql})`, type };
      const whole = of.type.kind === 'double' ? `roundBankers(${sql})` : sql;
      return failing(narrowed(whole, rangeOf(name), attempt), { ...kept, ...bitsOf(name) });
    }
    case 'double huge':
      return failing(`if(abs(${sql}) < 1.7e38, toInt128(roundBankers(ifNull(${sql}, 0))), NULL)`);
    case 'decimal huge':
      return failing(`toInt128(round(${sql}))`);
    case 'int decimal':
    case 'huge decimal':
      if (name !== 'DECIMAL(6,0)') break;
      return scalar(
        attempt
          ? `if(abs(${sql}) < 1000000, toInt64(${sql}), NULL)`
          : `toInt64(${sql}) + throwIf(abs(${sql}) >= 1000000, 'The number is too large')`,
        'int',
        { fails: true, bits: 20 },
      );
    case 'string decimal':
      return failing(`toDecimal128OrNull(${sql}, 9)`);
    case 'string double':
    case 'json double':
      return failing(`toFloat64OrNull(${sql})${attempt ? '' : unlessNumber(sql)}`);
    case 'json bool':
      return failing(`multiIf(${sql} = 'true', true, ${sql} = 'false', false, NULL)`);
    case 'string json':
      return failing(validJson(sql, attempt), kept);
    case 'string time':
      return failing(timeOf(sql));
    case 'bool string':
      return scalar(jsonOf(of), 'string', kept);
    case 'list json':
      return scalar(jsonOf(of), 'json');
  }
  return coerced(of, type);
}

function castToList(of: Value, type: Type & { kind: 'list' }, name: string): Value {
  if (of.type.kind === 'json' && type.of.kind === 'double') {
    const sql = `JSONExtract(ifNull(${of.sql}, ''), 'Array(Nullable(Float64))')`;
    return nullIfAny({ sql, type: withOptional(type, false), fails: true }, [nullTest(of)]);
  }
  if (of.type.kind !== 'list') throw new NotOnEngine(`a cast of ${of.type.kind} to ${name}`);
  if (of.type.of.kind !== type.of.kind && type.of.kind === 'int') return castItems(of, type);
  return coerced(of, withOptional(type, isOptional(of.type)));
}

function castItems(of: Value, type: Type & { kind: 'list' }): Value {
  const item = newVariable();
  const from = required(of);
  const itemType = from.type.kind === 'list' ? from.type.of : type.of;
  const to = cast({ sql: item, type: itemType }, type.of, 'BIGINT', { attempt: false });
  const made = {
    sql: `arrayMap(${item} -> ${to.sql}, ${from.sql})`,
    type: withOptional(type, false),
  };
  return { ...nullIfAny(made, [nullTest(of)]), fails: true };
}

function bitsOf(name: string): Pick<Value, 'bits'> {
  return rangeOf(name) === 'Int32' ? { bits: 32 } : {};
}

type Range = 'Int32' | 'Int64' | 'Int128';

/** Returns the integers to which a cast to a type of DuckDB converts. */
function rangeOf(name: string): Range {
  return name === 'INTEGER' ? 'Int32' : name === 'HUGEINT' ? 'Int128' : 'Int64';
}

/** Converts a number to an integer type with fewer digits. */
export function narrowed(sql: string, range: Range, attempt: boolean): string {
  const converted = (of: string) => {
    const value = `accurateCastOrNull(${of}, '${range}')`;
    return range === 'Int32' ? `toInt64(${value})` : value;
  };
  if (attempt) return converted(sql);
  return computedOnce([sql], (of) => unlessNull(converted(of), of));
}

/** Fails if a value was converted to null. An accurateCast would also fail on the value beneath a null. */
function unlessNull(converted: string, sql: string): string {
  return computedOnce(
    [converted, sql],
    (to, from) =>
      `if(throwIf(isNull(${to}) AND isNotNull(${from}), 'The number is out of range') = 1, NULL, ${to})`,
  );
}

/** DuckDB also reads numbers such as `1.5` and `1e3` as integers. Those beyond 53 bits are refused while the query runs. */
function integerOf(sql: string, range: Range, attempt: boolean): string {
  const plain = `accurateCastOrNull(${sql}, '${range}')`;
  const real = `toFloat64OrNull(trimBoth(${sql}))`;
  const refused = `throwIf(ifNull(NOT match(${sql}, ${PLAIN_INTEGER}) AND (abs(${real}) >= 9007199254740992 OR match(${sql}, ${UNLIKE_INTEGER})), 0), 'ClickHouse cannot convert this string to an integer')`;
  const rounded = `accurateCastOrNull(trunc(${real} + if(${real} < 0, -0.5, 0.5)), '${range}')`;
  const to = `multiIf(match(${sql}, ${PLAIN_INTEGER}), ${plain}, ${refused} = 1, NULL, ${rounded})`;
  const wide = range === 'Int32' ? `toInt64(${to})` : to;
  return attempt ? wide : unlessNull(wide, sql);
}

const UNLIKE_INTEGER = "'^\\\\s*[-+]?0[xXbB]|[0-9]_[0-9]|[eE]-'";

function unlessNumber(sql: string): string {
  return ` + throwIf(isNull(toFloat64OrNull(${sql})) AND isNotNull(${sql}), 'The string is not a number')`;
}

const ISO_TIME =
  "'^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,9})?)?(?: ?Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$'";
/** Other strings that DuckDB may read as a time. */
const UNLIKE_TIME =
  "'(?i)^\\\\s*(?:-?[0-9]+[-/ ][0-9]{1,2}[-/ ][0-9]{1,2}(?:[ T]+[0-9]{1,2}:[0-9]{1,2}(?::[0-9]{1,2}(?:[.][0-9]*)?)?)?\\\\s*(?:z|utc|[-+][0-9:]+|[a-z]+/[a-z_/]+)?|-?infinity|epoch)\\\\s*$'";
const LATE = "'^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]24'";

/** DuckDB reads more formats of times, which this refuses while the query runs. */
function timeOf(sql: string): string {
  const parsed = `parseDateTime64BestEffortOrNull(${sql}, 9, 'UTC')`;
  // ClickHouse wraps times outside its range, so the year is compared.
  const kept = `if(toYear(${parsed}) = toUInt16OrZero(substring(assumeNotNull(${sql}), 1, 4)) OR match(${sql}, '[+-][0-9:]+$'), ${parsed}, NULL)`;
  const refused = `throwIf(match(${sql}, ${UNLIKE_TIME}) AND NOT match(${sql}, ${ISO_TIME}), 'ClickHouse cannot read this time')`;
  return `multiIf(match(${sql}, ${ISO_TIME}) AND NOT match(${sql}, ${LATE}), ${kept}, fromUnixTimestamp64Nano(nullIf(toInt64(${refused}), 0), 'UTC'))`;
}
