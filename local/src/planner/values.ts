/**
 * A planned scalar value: its SQL and its known properties. A `dynamic` value is JSON. A column with several stored
 * types has a variant for each type.
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
  /** The constant, if the value is known during planning. Times and timespans are in nanoseconds. */
  readonly constant?: Constant;
  /**
   * The value in every row, if the query set the column to a constant. Functions that need a constant argument read it
   * with `knownOf`.
   */
  readonly known?: Constant;
  /** Set if a time or timespan is out of range. Only comparisons and arithmetic accept it; see `outOfRange.ts`. */
  readonly outOfRange?: 'written' | 'computed';
  /** The typed columns of a column with several types. `type` is then `dynamic`. */
  readonly variants?: readonly Value[];
  readonly shape?: 'array' | 'map';
}

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

export function scalarOf(of: Value): string | bigint | number | boolean | null | undefined {
  return of.constant?.kind === 'scalar' ? of.constant.value : undefined;
}

/** Returns the value of a constant, or of a column that the query set to a constant. */
export function knownOf(of: Value): Constant['value'] | undefined {
  return (of.constant ?? of.known)?.value;
}

export function isNull(of: Value): boolean {
  return of.constant !== undefined && of.constant.value === null;
}

export function isNumeric(type: ValueType): type is 'long' | 'real' {
  return type === 'long' || type === 'real';
}

// ── Implicit conversions. Functions such as `toint` have separate rules. ─────────────────────────────

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

export function typedPart(text: Value, type: ValueType): Value {
  if (type === 'string') return text;
  if (type === 'dynamic') return value(sql`apl.parse_json(${text.sql})`, 'dynamic');
  return convert(value(sql`trim(${text.sql})`, 'string'), type);
}

function converted(of: Sql, from: ValueType, to: ValueType): Sql {
  const macro = conversions[`${from} ${to}`];
  return macro === undefined ? sql`CAST(${of} AS ${storage[to]})` : print.call(macro, of);
}

/** Conversion macros, by source and target type. Other pairs of types use plain casts. */
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

/**
 * Returns the value of the variants that fit `type`. Strings don't fit numeric types, and numbers don't fit strings.
 */
function pick(variants: readonly Value[], type: ValueType): Value {
  const fitting = variants.filter(
    (variant) => variant.type === type || (type === 'real' && variant.type === 'long'),
  );
  if (fitting.length === 0) return nullOf(type);
  const parts = fitting.map((variant) => as(variant, type));
  return value(parts.length === 1 ? (parts[0] as Sql) : print.call('coalesce', ...parts), type);
}

/** Converts a value to long if it certainly isn't real, and otherwise to real. */
export function toNumber(of: Value): Value {
  if (isNumeric(of.type)) return of;
  if (of.variants !== undefined) {
    const kinds = new Set(of.variants.map((variant) => variant.type));
    return convert(of, kinds.has('long') && !kinds.has('real') ? 'long' : 'real');
  }
  return convert(of, of.type === 'timespan' || of.type === 'datetime' ? 'long' : 'real');
}

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

export function unite(variants: readonly Value[]): Value {
  return {
    sql: print.call('coalesce', ...variants.map((variant) => toDynamic(variant).sql)),
    type: 'dynamic',
    variants,
  };
}

/** Returns SQL for a value's text. As in `tostring`, null becomes an empty string, and a null bool `false`. */
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

/** Returns SQL for a value's text. Null stays null. */
export function plainText(of: Value): Sql {
  return as(of, 'string');
}
