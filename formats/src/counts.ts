// Counts in sentences, for hosts and pages.

/**
 * Formats a number with thousands separators: `12,000`. Calls `toLocaleString` each time, because creating an
 * `Intl.NumberFormat` at import loads all of `Intl` during activation.
 */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** Returns the form of a noun or verb that agrees with a count, without the count itself. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** Formats a count with its noun: `1 row`, `12,000 rows`. */
export function counted(count: number, one: string, many?: string): string {
  return `${grouped(count)} ${plural(count, one, many)}`;
}
