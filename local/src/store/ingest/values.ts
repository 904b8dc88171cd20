/**
 * Generates SQL that classifies and converts JSON values. Each function takes `x`, SQL for a value as JSON text in
 * DuckDB's format. `x` has the type VARCHAR and is NULL if the value is absent.
 */
import {
  INGEST_NESTING_MAX,
  INGEST_TEXT_TOO_LONG,
  INGEST_VALUE_BYTES_MAX,
} from '../../../../api/src/index.ts';
import { duckdbTypes, type StoredType } from '../layout.ts';
import { quoteText } from '../sql.ts';
import type { Kind } from './shape.ts';

// The first character determines a JSON value's type. `I` and `N` start Infinity and NaN, which DuckDB accepts.
const isString = (x: string) => `ascii(${x}) = 34`;
const isArray = (x: string) => `ascii(${x}) = 91`;
const isObject = (x: string) => `ascii(${x}) = 123`;
const isBoolean = (x: string) => `${x} IN ('true', 'false')`;
const isNumber = (x: string) => `(ascii(${x}) BETWEEN 48 AND 57 OR ascii(${x}) IN (45, 73, 78))`;
// Only a 64-bit integer stays the same when it is converted to BIGINT and back.
const isInteger = (x: string) =>
  `coalesce(CAST(TRY_CAST(${x} AS BIGINT) AS VARCHAR) = ${x}, false)`;
const isExactInDouble = (x: string) => `abs(TRY_CAST(${x} AS DOUBLE)) < ${2 ** 53}`;

/** Returns SQL for a value's kind, which is NULL for null and absent values. */
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

// Returns SQL for a string. As in the service, a note replaces a string that is too long.
function shortened(text: string): string {
  return `CASE WHEN strlen(${text}) > ${INGEST_VALUE_BYTES_MAX} THEN ${quoteText(INGEST_TEXT_TOO_LONG)} ELSE ${text} END`;
}

/** The SQL condition for storing `x` in a type's column. `all` contains all types of the field. */
const belongsTo: Readonly<Record<StoredType, (x: string, all: ReadonlySet<StoredType>) => string>> =
  {
    string: isString,
    integer: (x) => `${isNumber(x)} AND ${isInteger(x)}`,
    // If there is no integer column, the float column stores integers that are exact in a double.
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

/**
 * Returns SQL for the first step of a conversion to a type, or for a known kind. The second step repeats its result, so
 * name the result if there are many values, because DuckDB takes quadratic time to find repeated expressions.
 */
export function parsed(type: StoredType | Kind, x: string): string {
  if (type === 'string') return `json_extract_string(${x}, '$')`;
  return type === 'float' ? `TRY_CAST(${x} AS DOUBLE)` : x;
}

// Returns SQL for the second step of a conversion.
function converted(type: StoredType, first: string): string {
  switch (type) {
    case 'string':
      return shortened(first);
    case 'integer':
      return `TRY_CAST(${first} AS BIGINT)`;
    case 'float':
      return finite(first);
    case 'boolean':
      return `${first} = 'true'`;
    default:
      return `CAST(${first} AS JSON)`;
  }
}

/** Returns SQL for the value in a type's column, which is NULL if a column of another type stores the value. */
export function storedAs(type: StoredType, all: ReadonlySet<StoredType>, x: string): string {
  return `CASE WHEN ${belongsTo[type](x, all)} THEN ${converted(type, parsed(type, x))} END`;
}

/**
 * Like `storedAs`, but for the `parsed` value of a known kind, so the SQL is a tenth as long. Undefined if another
 * column stores the kind.
 */
export function storedOfKind(
  kind: Kind,
  type: StoredType,
  all: ReadonlySet<StoredType>,
  first: string,
): string | undefined {
  if (kind !== 'integer' && kind !== 'long') {
    return type === (kind === 'object' ? 'map' : kind) ? converted(type, first) : undefined;
  }
  const asFloat = kind === 'integer' && type === 'float' && !all.has('integer');
  return type === 'integer' || asFloat ? `CAST(${first} AS ${duckdbTypes[type]})` : undefined;
}

// Returns SQL for a number. Infinity and NaN become null, because JSON can't represent them.
function finite(number: string): string {
  return `CASE WHEN isfinite(${number}) THEN ${number} END`;
}

/** Returns SQL that tests whether a field can store a value. `{}` fits. A value that may be too deep doesn't fit. */
export function fits(all: ReadonlySet<StoredType>, x: string): string {
  const conditions = [...all].map((type) => `(${belongsTo[type](x, all)})`);
  const deep = all.has('array') || all.has('map') ? ` AND NOT ${maybeTooDeep(x)}` : '';
  return `(${x} = '{}' OR ((${conditions.join(' OR ') || 'false'})${deep}))`;
}

// Tests whether a value has enough opening brackets that its depth must be checked.
function maybeTooDeep(x: string): string {
  const long = `strlen(${x}) > ${2 * INGEST_NESTING_MAX}`;
  const brackets = `strlen(${x}) - strlen(replace(replace(${x}, '[', ''), '{', ''))`;
  return `(${long} AND ${brackets} >= ${INGEST_NESTING_MAX - 1})`;
}

/** SQL for reading a field with a single type: a condition that values must meet, and a cast for those values. */
interface PlainValue {
  /** A SQL condition, which is NULL if the value is NULL. */
  readonly check: string;
  readonly value: string;
}

/** Does the same as `fits` and `storedAs` for a single scalar type, but ten times faster. */
export function plainValue(type: StoredType, x: string): PlainValue | undefined {
  switch (type) {
    case 'string':
      return { check: `${x} >= '"' AND ${x} < '#'`, value: `json_extract_string(${x}, '$')` };
    case 'integer':
      // Exclude numbers with a point or an exponent, because the cast would round them.
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
