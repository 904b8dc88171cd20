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

function castOf(of: Value, type: Type, name: string, { attempt }: Way): Value {
  const { sql } = of;
  const fails = { fails: true };
  const present = of.present === true;
  const kept = attempt ? {} : { present };
  const key = `${of.type.kind} ${type.kind}`;
  if (of.type.kind === 'null') return nullOf(type);
  switch (key) {
    case 'string int':
      return scalar(integerOf(sql, rangeOf(name), attempt), 'int', {
        ...{ ...fails, ...kept, ...bitsOf(name) },
      });
    // The planner checks the type of JSON before such a cast.
    case 'json int':
      return scalar(
        `if(match(${sql}, ${PLAIN_INTEGER}), accurateCastOrNull(${sql}, 'Int64'), NULL)`,
        'int',
        fails,
      );
    case 'json huge':
      return scalar(
        `if(match(${sql}, ${PLAIN_INTEGER}), accurateCastOrNull(${sql}, 'Int128'), NULL)`,
        'huge',
        fails,
      );
    case 'string huge':
      return scalar(integerOf(sql, 'Int128', attempt), 'huge', { ...fails, ...kept });
    case 'double int':
    case 'huge int':
    case 'unsignedHuge int':
    case 'decimal int':
    case 'int int':
      if (of.type.kind === 'int' && rangeOf(name) === 'Int64') return of;
      if (of.bits !== undefined && rangeOf(name) === 'Int64')
        return { ...of, sql: `toInt64(${sql})`, type };
      return scalar(
        narrowed(of.type.kind === 'double' ? `roundBankers(${sql})` : sql, rangeOf(name), attempt),
        'int',
        { ...fails, ...kept, ...bitsOf(name) },
      );
    case 'double huge':
      return scalar(
        `if(abs(${sql}) < 1.7e38, toInt128(roundBankers(ifNull(${sql}, 0))), NULL)`,
        'huge',
        fails,
      );
    case 'decimal huge':
      return scalar(`toInt128(round(${sql}))`, 'huge', fails);
    case 'int decimal':
    case 'huge decimal':
      if (name !== 'DECIMAL(6,0)') break;
      return scalar(
        attempt
          ? `if(abs(${sql}) < 1000000, toInt64(${sql}), NULL)`
          : `toInt64(${sql}) + throwIf(abs(${sql}) >= 1000000, 'The number is too large')`,
        'int',
        { ...fails, bits: 20 },
      );
    case 'string decimal':
      return scalar(`toDecimal128OrNull(${sql}, 9)`, 'decimal', fails);
    case 'string double':
    case 'json double':
      return scalar(`toFloat64OrNull(${sql})${attempt ? '' : unlessNumber(sql)}`, 'double', fails);
    case 'double bool':
      return scalar(`(${sql} != 0)`, 'bool', kept);
    case 'int bool':
      return scalar(`(${sql} != 0)`, 'bool', kept);
    case 'json bool':
      return scalar(`multiIf(${sql} = 'true', true, ${sql} = 'false', false, NULL)`, 'bool', fails);
    case 'bool double':
      return scalar(`toFloat64(${sql})`, 'double', kept);
    case 'bool int':
      return scalar(`toInt64(${sql})`, 'int', kept);
    case 'bool string':
      return scalar(jsonOf(of), 'string', kept);
    case 'int string':
    case 'huge string':
    case 'unsignedHuge string':
      return scalar(`toString(${sql})`, 'string', kept);
    case 'double string':
      return scalar(doubleText(sql), 'string', kept);
    case 'time string':
      return scalar(timeText(sql), 'string', kept);
    case 'string json':
      return scalar(validJson(sql, attempt), 'json', { ...fails, ...kept });
    case 'string time':
      return scalar(timeOf(sql), 'time', fails);
    case 'time time':
    case 'string string':
    case 'blob string':
    case 'json string':
    case 'bool bool':
    case 'double double':
    case 'unsignedHuge unsignedHuge':
    case 'huge huge':
    case 'json json':
      return { ...of, type };
    case 'json list':
      if (type.kind === 'list' && type.of.kind === 'double')
        return nullIfAny(
          {
            sql: `JSONExtract(ifNull(${sql}, ''), 'Array(Nullable(Float64))')`,
            type: withOptional(type, false),
            ...fails,
          },
          [nullTest(of)],
        );
      break;
    case 'list json':
      return scalar(jsonOf(of), 'json');
    case 'list list':
      if (
        of.type.kind === 'list' &&
        type.kind === 'list' &&
        of.type.of.kind !== type.of.kind &&
        type.of.kind === 'int'
      )
        return castItems(of, type);
      return coerced(of, withOptional(type, isOptional(of.type)));
    case 'int double':
    case 'huge double':
    case 'unsignedHuge double':
    case 'decimal double':
    case 'int huge':
    case 'int unsignedHuge':
      return coerced(of, type);
  }
  throw new NotOnEngine(`a cast of ${of.type.kind} to ${name}`);
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

function rangeOf(name: string): 'Int32' | 'Int64' {
  return name === 'INTEGER' ? 'Int32' : 'Int64';
}

/** Converts a number to an integer type with fewer digits. */
export function narrowed(
  sql: string,
  range: 'Int32' | 'Int64' | 'Int128',
  attempt: boolean,
): string {
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
function integerOf(sql: string, range: 'Int32' | 'Int64' | 'Int128', attempt: boolean): string {
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
