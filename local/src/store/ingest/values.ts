/**
 * Generates SQL that classifies and converts JSON values. Each expression takes `x`, the SQL of one value as JSON text
 * in DuckDB's format (VARCHAR, NULL if absent).
 */
import {
  INGEST_NESTING_MAX,
  INGEST_TEXT_TOO_LONG,
  INGEST_VALUE_BYTES_MAX,
} from '../../../../api/src/index.ts';
import { duckdbTypes, type StoredType } from '../layout.ts';
import { quoteText } from '../sql.ts';
import type { Kind } from './shape.ts';

// The first character determines the type of a JSON value. `I` and `N` begin Infinity and NaN, which DuckDB accepts
// although JSON has neither.
const isString = (x: string) => `ascii(${x}) = 34`;
const isArray = (x: string) => `ascii(${x}) = 91`;
const isObject = (x: string) => `ascii(${x}) = 123`;
const isBoolean = (x: string) => `${x} IN ('true', 'false')`;
const isNumber = (x: string) => `(ascii(${x}) BETWEEN 48 AND 57 OR ascii(${x}) IN (45, 73, 78))`;
// Only a 64-bit integer is unchanged after conversion to BIGINT and back.
const isInteger = (x: string) =>
  `coalesce(CAST(TRY_CAST(${x} AS BIGINT) AS VARCHAR) = ${x}, false)`;
const isExactInDouble = (x: string) => `abs(TRY_CAST(${x} AS DOUBLE)) < ${2 ** 53}`;

/** Returns the SQL of a value's `Kind`; NULL for null and absent values. */
export function kindOf(x: string): string {
  return `CASE WHEN ${x} IS NULL OR ${x} = 'null' THEN NULL
    WHEN ${isString(x)} THEN 'string'
    WHEN ${isObject(x)} THEN 'object'
    WHEN ${isArray(x)} THEN 'array'
    WHEN ${isBoolean(x)} THEN 'boolean'
    WHEN NOT ${isInteger(x)} THEN 'float'
    WHEN ${isExactInDouble(x)} THEN 'integer'
    ELSE 'long' END`;
}

/** Returns the SQL of a string. One that is too long is replaced with a note, as the service does. */
function stringOf(x: string): string {
  const text = `json_extract_string(${x}, '$')`;
  return `CASE WHEN strlen(${text}) > ${INGEST_VALUE_BYTES_MAX} THEN ${quoteText(INGEST_TEXT_TOO_LONG)} ELSE ${text} END`;
}

/** SQL conditions for storing a value as a type, in a field with the types `all`. */
const belongsTo: Readonly<Record<StoredType, (x: string, all: ReadonlySet<StoredType>) => string>> =
  {
    string: isString,
    integer: (x) => `${isNumber(x)} AND ${isInteger(x)}`,
    // Integers that are exact in a double are stored here if there is no integer column.
    float: (x, all) =>
      all.has('integer')
        ? `${isNumber(x)} AND NOT ${isInteger(x)}`
        : `${isNumber(x)} AND (NOT ${isInteger(x)} OR ${isExactInDouble(x)})`,
    boolean: isBoolean,
    array: isArray,
    map: isObject,
    datetime: () => 'false',
    timespan: () => 'false',
  };

/** Returns the SQL of the stored form of a value that belongs to `type`. */
function convertedTo(type: StoredType, x: string): string {
  switch (type) {
    case 'string':
      return stringOf(x);
    case 'integer':
      return `TRY_CAST(${x} AS BIGINT)`;
    case 'float':
      return finite(x);
    case 'boolean':
      return `${x} = 'true'`;
    default:
      return `CAST(${x} AS JSON)`;
  }
}

/** Returns the SQL for the column of `type`; NULL if the value belongs to another type. */
export function storedAs(type: StoredType, all: ReadonlySet<StoredType>, x: string): string {
  return `CASE WHEN ${belongsTo[type](x, all)} THEN ${convertedTo(type, x)} END`;
}

/** Like `storedAs` for a known kind, with a tenth of the SQL; undefined if the kind doesn't belong to `type`. */
export function storedOfKind(
  kind: Kind,
  type: StoredType,
  all: ReadonlySet<StoredType>,
  x: string,
): string | undefined {
  if (kind !== 'integer' && kind !== 'long') {
    return type === (kind === 'object' ? 'map' : kind) ? convertedTo(type, x) : undefined;
  }
  const asFloat = kind === 'integer' && type === 'float' && !all.has('integer');
  return type === 'integer' || asFloat ? `CAST(${x} AS ${duckdbTypes[type]})` : undefined;
}

// Infinity and NaN have no JSON form and become null.
function finite(x: string): string {
  return `CASE WHEN isfinite(TRY_CAST(${x} AS DOUBLE)) THEN TRY_CAST(${x} AS DOUBLE) END`;
}

/** Returns SQL that tests whether a value fits the types `all`. `{}` fits. A value that may be too deep doesn't. */
export function fits(all: ReadonlySet<StoredType>, x: string): string {
  const conditions = [...all].map((type) => `(${belongsTo[type](x, all)})`);
  const deep = all.has('array') || all.has('map') ? ` AND NOT ${maybeTooDeep(x)}` : '';
  return `(${x} = '{}' OR ((${conditions.join(' OR ') || 'false'})${deep}))`;
}

// Returns SQL that tests whether a value has so many opening brackets that it may be too deep and needs a closer check.
function maybeTooDeep(x: string): string {
  const long = `strlen(${x}) > ${2 * INGEST_NESTING_MAX}`;
  const brackets = `strlen(${x}) - strlen(replace(replace(${x}, '[', ''), '{', ''))`;
  return `(${long} AND ${brackets} >= ${INGEST_NESTING_MAX - 1})`;
}

/** A field with a single type: the condition on its values, and the cast for values that meet it. */
interface PlainValue {
  /** A SQL condition, which is NULL for NULL. */
  readonly check: string;
  readonly value: string;
}

/** Like `fits` and `storedAs` for a field of one scalar type, at a tenth of the cost. */
export function plainValue(type: StoredType, x: string): PlainValue | undefined {
  switch (type) {
    case 'string':
      return { check: `${x} >= '"' AND ${x} < '#'`, value: `json_extract_string(${x}, '$')` };
    case 'integer':
      // Exclude non-integers, which DuckDB writes with a point or an exponent, because the cast would round them.
      return {
        check: `${x} < ':' AND NOT contains(${x}, '.') AND NOT contains(${x}, 'e')`,
        value: `CAST(${x} AS BIGINT)`,
      };
    case 'float':
      return {
        check: `${x} < ':' AND NOT contains(${x}, 'I') AND (strlen(${x}) < 16 OR contains(${x}, '.'))`,
        value: `CAST(${x} AS DOUBLE)`,
      };
    case 'boolean':
      return { check: isBoolean(x), value: `${x} = 'true'` };
    default:
      return undefined;
  }
}
