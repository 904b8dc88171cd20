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

/** Returns the SQL that replaces strings that are too long with a note, as the service does. */
export function replaceTooLong(text: string): string {
  return `CASE WHEN strlen(${text}) > ${INGEST_VALUE_BYTES_MAX} THEN ${quoteText(INGEST_TEXT_TOO_LONG)} ELSE ${text} END`;
}

/** Returns the SQL condition for storing a value as `type` in a field with the types `all`. */
function belongsTo(type: StoredType, all: ReadonlySet<StoredType>, x: string): string {
  switch (type) {
    case 'string':
      return isString(x);
    case 'integer':
      return `${isNumber(x)} AND ${isInteger(x)}`;
    case 'float':
      // Integers that are exact in a double are stored here if there is no integer column.
      return all.has('integer')
        ? `${isNumber(x)} AND NOT ${isInteger(x)}`
        : `${isNumber(x)} AND (NOT ${isInteger(x)} OR ${isExactInDouble(x)})`;
    case 'boolean':
      return isBoolean(x);
    case 'array':
      return isArray(x);
    case 'map':
      return isObject(x);
    default:
      return 'false';
  }
}

/** Returns the SQL of the stored form of a value that belongs to `type`. */
function convertedTo(type: StoredType, x: string): string {
  switch (type) {
    case 'string':
      return replaceTooLong(`json_extract_string(${x}, '$')`);
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
  return `CASE WHEN ${belongsTo(type, all, x)} THEN ${convertedTo(type, x)} END`;
}

/**
 * Like `storedAs` for a value of known kind, with a tenth of the SQL; undefined if the kind doesn't belong to `type`.
 */
export function storedOfKind(
  kind: Kind,
  type: StoredType,
  all: ReadonlySet<StoredType>,
  x: string,
): string | undefined {
  switch (kind) {
    case 'string':
      return type === 'string' ? replaceTooLong(`json_extract_string(${x}, '$')`) : undefined;
    case 'integer':
      if (type === 'integer' || (type === 'float' && !all.has('integer'))) {
        return `CAST(${x} AS ${duckdbTypes[type]})`;
      }
      return undefined;
    case 'long':
      return type === 'integer' ? `CAST(${x} AS BIGINT)` : undefined;
    case 'float':
      return type === 'float' ? finite(x) : undefined;
    case 'boolean':
      return type === 'boolean' ? `${x} = 'true'` : undefined;
    case 'array':
      return type === 'array' ? `CAST(${x} AS JSON)` : undefined;
    case 'object':
      return type === 'map' ? `CAST(${x} AS JSON)` : undefined;
  }
}

// Infinity and NaN have no JSON form and become null.
function finite(x: string): string {
  return `CASE WHEN isfinite(TRY_CAST(${x} AS DOUBLE)) THEN TRY_CAST(${x} AS DOUBLE) END`;
}

/** Returns SQL that tests whether a value fits the types `all`. `{}` fits. A value that may be too deep doesn't. */
export function fits(all: ReadonlySet<StoredType>, x: string): string {
  const conditions = [...all].map((type) => `(${belongsTo(type, all, x)})`);
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
export interface PlainValue {
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
