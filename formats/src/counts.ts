// Counts in sentences, for hosts and pages.

/** Formats a number with thousands separators: `12,000`. Only fractions use `Intl`, because it takes 10 ms to load. */
export function grouped(count: number): string {
  return Number.isInteger(count)
    ? String(count).replace(/\B(?=(\d{3})+$)/g, ',')
    : count.toLocaleString('en-US');
}

/** Returns the form of a noun or verb that agrees with a count, without the count itself. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** Formats a count with its noun: `1 row`, `12,000 rows`. */
export function counted(count: number, one: string, many?: string): string {
  return `${grouped(count)} ${plural(count, one, many)}`;
}
