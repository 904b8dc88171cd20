/**
 * How a dataset lies in DuckDB, as the planner and the API need to know it: one physical column per
 * leaf path and type. A field seen with several types is several columns behind one name.
 */

/** The wire types a field can be stored as. Arrays and maps are JSON. */
export type StoredType =
  | 'integer'
  | 'float'
  | 'string'
  | 'boolean'
  | 'datetime'
  | 'timespan'
  | 'array'
  | 'map';

/**
 * The DuckDB type of each. A datetime is TIMESTAMP_NS, so that nanoseconds survive; a timespan is a
 * number of nanoseconds, since DuckDB's INTERVAL counts months and days apart.
 */
export const duckdbTypes: Readonly<Record<StoredType, string>> = {
  integer: 'BIGINT',
  float: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
  datetime: 'TIMESTAMP_NS',
  timespan: 'BIGINT',
  array: 'JSON',
  map: 'JSON',
};

export interface StoredVariant {
  readonly type: StoredType;
  /** The physical column, unquoted. */
  readonly column: string;
}

export interface StoredField {
  /** The field's name as APL sees it, dots included. */
  readonly name: string;
  /** In the order in which the types were first seen; at least one. */
  readonly variants: readonly StoredVariant[];
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: boolean;
}

export interface DatasetLayout {
  readonly name: string;
  /** The table as SQL names it, already quoted. */
  readonly table: string;
  /** Tells the numbers of its rows from those of other tables; see `numbering.ts`. */
  readonly numbering: number;
  /** `_sysTime`, `_time`, then the others by name. */
  readonly fields: readonly StoredField[];
}

/** The type as the API names it: `integer`, or `integer|string` for a field of several types. */
export function wireType(field: StoredField): string {
  return field.variants.map((variant) => variant.type).join('|');
}
