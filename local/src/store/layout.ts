/** The layout of a dataset's DuckDB table. Each leaf path has a column per type, so a field can have several. */

/**
 * The DuckDB type of each stored type. A datetime is TIMESTAMP_NS, which keeps nanoseconds. A timespan is a number of
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

export type StoredType = keyof typeof duckdbTypes;

export interface StoredField {
  /** The name of the field in APL, including dots. */
  readonly name: string;
  /** The types of the field, at least one, in the order in which they first occurred. */
  readonly variants: readonly {
    readonly type: StoredType;
    /** The name of the column in the table, unquoted. */
    readonly column: string;
  }[];
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: boolean;
}

export interface DatasetLayout {
  readonly name: string;
  /** The SQL name of the table, including its schema. */
  readonly table: string;
  /** Identifies the numbering of the table's rows; see `engines/duckdb/numbering.ts`. */
  readonly numbering: number;
  /** Whether the rows are those of a table that exists already, so their numbers don't increase with their arrival. */
  readonly readOnly?: boolean;
  /** The fields: `_sysTime`, `_time`, and then all other fields by name. */
  readonly fields: readonly StoredField[];
}

export function typesOf({ variants }: StoredField): Set<StoredType> {
  return new Set(variants.map(({ type }) => type));
}

/** Returns the field's type as the API writes it: `integer`, or `integer|string` for a field with several types. */
export function wireType(field: StoredField): string {
  return field.variants.map((variant) => variant.type).join('|');
}
