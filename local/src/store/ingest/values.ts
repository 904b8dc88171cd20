/**
 * SQL that tells JSON values apart and turns them into stored ones. An expression here takes `x`, the
 * SQL of one value as JSON text (VARCHAR, NULL where there is none), as DuckDB writes it.
 */
import {
  INGEST_NESTING_MAX,
  INGEST_TEXT_TOO_LONG,
  INGEST_VALUE_BYTES_MAX,
} from '../../../../api/src/index.ts';
import { duckdbTypes, type StoredType } from '../layout.ts';
import { quoteText } from '../sql.ts';
import type { Kind } from './shape.ts';

// The first character tells what a JSON value is. `I` and `N` begin Infinity and NaN, which DuckDB
// reads and JSON does not have.
const isText = (x: string) => `ascii(${x}) = 34`;
const isArray = (x: string) => `ascii(${x}) = 91`;
const isObject = (x: string) => `ascii(${x}) = 123`;
const isBoolean = (x: string) => `${x} IN ('true', 'false')`;
const isNumber = (x: string) => `(ascii(${x}) BETWEEN 48 AND 57 OR ascii(${x}) IN (45, 73, 78))`;
// Only a whole number of 64 bits is written the same after the way there and back.
const isWhole = (x: string) => `coalesce(CAST(TRY_CAST(${x} AS BIGINT) AS VARCHAR) = ${x}, false)`;
const isExactInDouble = (x: string) => `abs(TRY_CAST(${x} AS DOUBLE)) < ${2 ** 53}`;

/** The kind of a value (`Kind`), NULL for null and for what is not there. */
export function kindOf(x: string): string {
  return `CASE WHEN ${x} IS NULL OR ${x} = 'null' THEN NULL
    WHEN ${isText(x)} THEN 'string'
    WHEN ${isObject(x)} THEN 'object'
    WHEN ${isArray(x)} THEN 'array'
    WHEN ${isBoolean(x)} THEN 'boolean'
    WHEN NOT ${isWhole(x)} THEN 'float'
    WHEN ${isExactInDouble(x)} THEN 'integer'
    ELSE 'long' END`;
}

/** Text that is too long gives way to a note, as the service has it. */
export function bounded(text: string): string {
  return `CASE WHEN strlen(${text}) > ${INGEST_VALUE_BYTES_MAX} THEN ${quoteText(INGEST_TEXT_TOO_LONG)} ELSE ${text} END`;
}

/** The condition under which a value is stored as `type` in a field that has the types `all`. */
function belongs(type: StoredType, all: ReadonlySet<StoredType>, x: string): string {
  switch (type) {
    case 'string':
      return isText(x);
    case 'integer':
      return `${isNumber(x)} AND ${isWhole(x)}`;
    case 'float':
      // Beside an integer column, whole numbers go there; alone, those that stay exact come here.
      return all.has('integer')
        ? `${isNumber(x)} AND NOT ${isWhole(x)}`
        : `${isNumber(x)} AND (NOT ${isWhole(x)} OR ${isExactInDouble(x)})`;
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

/** A value known to belong to `type`, as stored. */
function converted(type: StoredType, x: string): string {
  switch (type) {
    case 'string':
      return bounded(`json_extract_string(${x}, '$')`);
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

/** The column of `type` for a value: NULL when the value belongs to another type. */
export function storedAs(type: StoredType, all: ReadonlySet<StoredType>, x: string): string {
  return `CASE WHEN ${belongs(type, all, x)} THEN ${converted(type, x)} END`;
}

/**
 * The same for a value known to be of one kind: a tenth of the SQL, which counts where events have
 * hundreds of fields. Undefined when values of the kind do not belong to `type`.
 */
export function storedOfKind(
  kind: Kind,
  type: StoredType,
  all: ReadonlySet<StoredType>,
  x: string,
): string | undefined {
  switch (kind) {
    case 'string':
      return type === 'string' ? bounded(`json_extract_string(${x}, '$')`) : undefined;
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

// Infinity and what is not a number have no place in JSON and become null.
function finite(x: string): string {
  return `CASE WHEN isfinite(TRY_CAST(${x} AS DOUBLE)) THEN TRY_CAST(${x} AS DOUBLE) END`;
}

/** Whether a value has a place in a field of the types `all`; an empty object needs none. */
export function fits(all: ReadonlySet<StoredType>, x: string): string {
  const places = [...all].map((type) => `(${belongs(type, all, x)})`);
  const deep = all.has('array') || all.has('map') ? ` AND NOT ${maybeTooDeep(x)}` : '';
  return `(${x} = '{}' OR ((${places.join(' OR ') || 'false'})${deep}))`;
}

// More opening brackets than levels are allowed: it may be too deep, and is looked at closely.
function maybeTooDeep(x: string): string {
  const long = `strlen(${x}) > ${2 * INGEST_NESTING_MAX}`;
  const brackets = `strlen(${x}) - strlen(replace(replace(${x}, '[', ''), '{', ''))`;
  return `(${long} AND ${brackets} >= ${INGEST_NESTING_MAX - 1})`;
}

/** How values of a field that has one type are taken in at once: a filter all must pass, then a cast. */
export interface PlainValue {
  /** NULL of NULL. */
  readonly check: string;
  readonly value: string;
}

/** The same as `fits` and `storedAs` for a field of one type, in a form that costs a tenth. */
export function plainValue(type: StoredType, x: string): PlainValue | undefined {
  switch (type) {
    case 'string':
      return {
        check: `${x} >= '"' AND ${x} < '#'`,
        value: `json_extract_string(${x}, '$')`,
      };
    case 'integer':
      // DuckDB writes a number that is not whole with a point or an exponent, and would round it here.
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
