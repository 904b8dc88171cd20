/**
 * A planned scalar: its SQL and what is known of it. A value of type `dynamic` is JSON in DuckDB; every
 * other type is the DuckDB type of `storage`. A column stored with several types keeps its variants,
 * so that each use picks those that it can work with.
 */
import type { DynamicConstant, ScalarType } from '../../../language/src/index.ts';
import { durationOf } from './durations.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';

export type ValueType = Exclude<ScalarType, 'unknown'>;

export type Constant =
  | { readonly kind: 'scalar'; readonly value: string | bigint | number | boolean | null }
  | { readonly kind: 'dynamic'; readonly value: DynamicConstant };

export interface Value {
  readonly sql: Sql;
  readonly type: ValueType;
  /** Set when the value is known while planning; datetimes and timespans are nanoseconds. */
  readonly constant?: Constant;
  /**
   * What the value is in every row, where the query made the column of constants; `sql` is the column.
   * Functions that must know an argument while planning take it, by `knownOf`.
   */
  readonly known?: Constant;
  /** Set when the value is a time or timespan that can only be compared with; see `beyond.ts`. */
  readonly beyond?: 'written' | 'computed';
  /** The typed columns behind a column of several types; `type` is then `dynamic`. */
  readonly variants?: readonly Value[];
  /** What a dynamic value is sure to be. */
  readonly shape?: 'array' | 'map';
}

/** The DuckDB type of each type. */
const storage: Readonly<Record<ValueType, Sql>> = {
  bool: sql`BOOLEAN`,
  datetime: sql`TIMESTAMP_NS`,
  dynamic: sql`JSON`,
  long: sql`BIGINT`,
  real: sql`DOUBLE`,
  string: sql`VARCHAR`,
  timespan: sql`BIGINT`,
};

export function valueType(type: ScalarType): ValueType {
  return type === 'unknown' ? 'dynamic' : type;
}

export function storageType(type: ValueType): Sql {
  return storage[type];
}

export function nullOf(type: ValueType): Value {
  return {
    sql: sql`CAST(NULL AS ${storage[type]})`,
    type,
    constant: { kind: 'scalar', value: null },
  };
}

export function value(text: Sql, type: ValueType): Value {
  return { sql: text, type };
}

export function arrayValue(text: Sql): Value {
  return { sql: text, type: 'dynamic', shape: 'array' };
}

export function mapValue(text: Sql): Value {
  return { sql: text, type: 'dynamic', shape: 'map' };
}

/** A constant of a type other than dynamic, null included. */
export function constant(of: string | bigint | number | boolean | null, type: ValueType): Value {
  if (of === null) return nullOf(type);
  return { sql: literal(of, type), type, constant: { kind: 'scalar', value: of } };
}

function literal(of: string | bigint | number | boolean, type: ValueType): Sql {
  if (type === 'datetime' && typeof of === 'bigint') return print.datetime(of);
  switch (typeof of) {
    case 'string':
      return print.text(of);
    case 'bigint':
      return print.long(of);
    case 'number':
      return print.real(of);
    default:
      return print.bool(of);
  }
}

/** The constant behind a value, when it is of no dynamic kind; undefined when it is not known. */
export function scalarOf(of: Value): string | bigint | number | boolean | null | undefined {
  return of.constant?.kind === 'scalar' ? of.constant.value : undefined;
}

/** What a value is known to be while planning, be it written there or in a column made of constants. */
export function knownOf(of: Value): Constant['value'] | undefined {
  return (of.constant ?? of.known)?.value;
}

export function isNull(of: Value): boolean {
  return of.constant !== undefined && of.constant.value === null;
}

export function isNumeric(type: ValueType): type is 'long' | 'real' {
  return type === 'long' || type === 'real';
}

// ── Conversions that a use implies. Functions such as `toint` have rules of their own. ──────────────

/** The SQL of a value as the given type. Values that have no meaning in that type become null. */
export function as(of: Value, type: ValueType): Sql {
  return convert(of, type).sql;
}

export function convert(of: Value, type: ValueType): Value {
  if (of.variants !== undefined) return type === 'dynamic' ? of : pick(of.variants, type);
  if (of.type === type) return of;
  if (isNull(of)) return nullOf(type);
  if (type === 'dynamic') return toDynamic(of);
  if (`${of.type} ${type}` === 'datetime bool' || `${of.type} ${type}` === 'bool datetime') {
    return nullOf(type);
  }
  const known = scalarOf(of);
  if (type === 'real' && typeof known === 'bigint' && of.type !== 'datetime') {
    return constant(Number(known), 'real');
  }
  if (type === 'timespan' && of.type === 'long') return { ...of, type };
  if (type === 'timespan' && typeof known === 'string') {
    const duration = durationOf(known);
    if (duration !== undefined) return constant(duration, 'timespan');
  }
  if (type === 'long' && of.type === 'timespan') return { ...of, type };
  return value(converted(of.sql, of.type, type), type);
}

/** A part that was cut out of a text, as a type: blanks around a number or a time are no part of it. */
export function typedPart(text: Value, type: ValueType): Value {
  if (type === 'string') return text;
  if (type === 'dynamic') return value(sql`apl.parse_json(${text.sql})`, 'dynamic');
  return convert(value(sql`trim(${text.sql})`, 'string'), type);
}

function converted(of: Sql, from: ValueType, to: ValueType): Sql {
  const macro = conversions[`${from} ${to}`];
  return macro === undefined ? sql`CAST(${of} AS ${storage[to]})` : print.call(macro, of);
}

/** Macros by `from to`; any other pair is a plain cast. */
const conversions: Readonly<Record<string, string>> = {
  'dynamic bool': 'apl.json_bool',
  'dynamic datetime': 'apl.json_datetime',
  'dynamic long': 'apl.json_long',
  'dynamic real': 'apl.json_real',
  'dynamic string': 'apl.json_text',
  'dynamic timespan': 'apl.json_timespan',
  'string bool': 'apl.parse_bool',
  'string datetime': 'apl.parse_datetime',
  'string long': 'apl.parse_long',
  'string real': 'apl.parse_real',
  'string timespan': 'apl.parse_timespan',
  'real long': 'apl.truncate_long',
  'real timespan': 'apl.truncate_long',
  'real datetime': 'apl.from_epoch_real',
  'long datetime': 'apl.from_epoch',
  'timespan datetime': 'apl.from_epoch',
  'datetime long': 'epoch_ns',
  'datetime timespan': 'epoch_ns',
  'datetime real': 'apl.epoch_real',
  'datetime string': 'apl.format_datetime',
  'timespan string': 'apl.format_timespan',
  'real string': 'apl.format_real',
};

/** Which variants of a column serve a use as `type`; a text never serves as a number, nor the reverse. */
function pick(variants: readonly Value[], type: ValueType): Value {
  const fitting = variants.filter(
    (variant) => variant.type === type || (type === 'real' && variant.type === 'long'),
  );
  if (fitting.length === 0) return nullOf(type);
  const parts = fitting.map((variant) => as(variant, type));
  return value(parts.length === 1 ? (parts[0] as Sql) : print.call('coalesce', ...parts), type);
}

/** The numbers of a value: long where it can only be long, real otherwise. */
export function toNumber(of: Value): Value {
  if (isNumeric(of.type)) return of;
  if (of.variants !== undefined) {
    const kinds = new Set(of.variants.map((variant) => variant.type));
    return convert(of, kinds.has('long') && !kinds.has('real') ? 'long' : 'real');
  }
  return convert(of, of.type === 'timespan' || of.type === 'datetime' ? 'long' : 'real');
}

/** A value as JSON, as it stands inside an array or a map. */
export function toDynamic(of: Value): Value {
  if (of.type === 'dynamic') return of;
  switch (of.type) {
    case 'real':
      return value(sql`apl.dynamic_real(${of.sql})`, 'dynamic');
    case 'datetime':
    case 'timespan':
      return value(sql`to_json(${converted(of.sql, of.type, 'string')})`, 'dynamic');
    default:
      return value(sql`to_json(${of.sql})`, 'dynamic');
  }
}

/** The JSON behind a column of several types. */
export function unite(variants: readonly Value[]): Value {
  return {
    sql: print.call('coalesce', ...variants.map((variant) => toDynamic(variant).sql)),
    type: 'dynamic',
    variants,
  };
}

/** A value as `tostring` writes it; null becomes an empty text, and a missing bool `false`. */
export function toText(of: Value): Sql {
  if (of.variants !== undefined) {
    const parts = of.variants.map((variant) => sql`CAST(${plainText(variant)} AS VARCHAR)`);
    return print.call('coalesce', ...parts, sql`''`);
  }
  if (isNull(of)) return of.type === 'bool' ? sql`'false'` : sql`''`;
  if (of.type === 'bool') return sql`CAST(coalesce(${of.sql}, false) AS VARCHAR)`;
  if (of.constant !== undefined && of.type === 'string') return of.sql;
  return sql`coalesce(${plainText(of)}, '')`;
}

/** A value as text, null staying null. */
export function plainText(of: Value): Sql {
  return as(of, 'string');
}
