/** The layout of a dataset in DuckDB: a column per leaf path and type, so a field can have several columns. */

/**
 * The DuckDB type of each stored type. A datetime is TIMESTAMP_NS to keep nanoseconds. A timespan is a number of
 * nanoseconds, because DuckDB's INTERVAL counts months and days separately.
 */
export const duckdbTypes = {
  integer: 'BIGINT',
  float: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
  datetime: 'TIMESTAMP_NS',
  timespan: 'BIGINT',
  array: 'JSON',
  map: 'JSON',
} as const;

/** The wire types that a field can be stored as. */
export type StoredType = keyof typeof duckdbTypes;

export interface StoredField {
  /** The field's name in APL, including dots. */
  readonly name: string;
  /** One or more variants, in the order in which the types were first seen. */
  readonly variants: readonly {
    readonly type: StoredType;
    /** The physical column, unquoted. */
    readonly column: string;
  }[];
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: boolean;
}

export interface DatasetLayout {
  readonly name: string;
  /** The SQL name of the table, with its schema. */
  readonly table: string;
  /** Identifies the numbering of the table's rows; see `numbering.ts`. */
  readonly numbering: number;
  /** The fields: `_sysTime`, `_time`, then the others by name. */
  readonly fields: readonly StoredField[];
}

export function typesOf({ variants }: StoredField): Set<StoredType> {
  return new Set(variants.map(({ type }) => type));
}

/** Returns the type as in the API: `integer`, or `integer|string` for a field of several types. */
export function wireType(field: StoredField): string {
  return field.variants.map((variant) => variant.type).join('|');
}
