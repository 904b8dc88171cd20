/** The names and types of the columns of a dataset's table or view. */
import { duckdbTypes, type StoredType } from '../../store/layout.ts';

/** Times are in UTC, and null is possible only for fields of events. */
export const TIME_TYPE = "DateTime64(9, 'UTC')";

/** Arrays and maps are JSON text, as events have them. */
export const clickhouseTypes: Readonly<Record<StoredType, string>> = {
  integer: 'Nullable(Int64)',
  float: 'Nullable(Float64)',
  string: 'Nullable(String)',
  boolean: 'Nullable(Bool)',
  datetime: `Nullable(${TIME_TYPE})`,
  timespan: 'Nullable(Int64)',
  array: 'Nullable(String)',
  map: 'Nullable(String)',
};

/** The column with the row number (`rowNumbers.ts`). No field has such a column, because those contain a colon. */
export const ROW_COLUMN = '_row';

/**
 * Returns the column for a type of a field. The name depends on nothing else, so processes that add the same column at
 * the same time agree. It can't equal a subcolumn of another column, such as `a.null`, because it ends in a type.
 */
export function columnOf(field: string, type: StoredType): string {
  return `${field}:${type}`;
}

export function fieldOfColumn(
  column: string,
): { readonly name: string; readonly type: StoredType } | undefined {
  const at = column.lastIndexOf(':');
  const type = column.slice(at + 1);
  return at > 0 && Object.hasOwn(duckdbTypes, type)
    ? { name: column.slice(0, at), type: type as StoredType }
    : undefined;
}
