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

/** Returns SQL for a time in nanoseconds since 1970. */
export function timeSql(nanos: bigint): string {
  return `fromUnixTimestamp64Nano(toInt64('${nanos}'), 'UTC')`;
}

/** The column with the row number (`rowNumbers.ts`). No field has such a column, because those contain a colon. */
export const ROW_COLUMN = '_row';

/**
 * Returns the column for a type of a field. The name depends on nothing else, so processes that add the same column at
 * the same time agree. It can't equal a subcolumn of another column, such as `a.null`, because it ends in a type.
 * Control characters are escaped, because the planner's SQL can't have them in names.
 */
export function columnOf(field: string, type: StoredType): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the function escapes them.
  const escaped = field.replace(/[\u0000-\u001f\u007f\\]/g, (character) =>
    character === '\\' ? '\\\\' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `${escaped}:${type}`;
}

export function fieldOfColumn(
  column: string,
): { readonly name: string; readonly type: StoredType } | undefined {
  const at = column.lastIndexOf(':');
  const type = column.slice(at + 1);
  if (at <= 0 || !Object.hasOwn(duckdbTypes, type)) return undefined;
  const name = column
    .slice(0, at)
    .replace(/\\(?:x([0-9a-f]{2})|(.))/gs, (_, code?: string, other?: string) =>
      code === undefined ? other! : String.fromCharCode(Number.parseInt(code, 16)),
    );
  return { name, type: type as StoredType };
}
