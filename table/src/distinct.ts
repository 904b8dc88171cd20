/**
 * Chooses the values that completion offers for comparisons with a field: all values if they look like names or codes,
 * otherwise the most frequent strings. Limits bound the cost for large results.
 */

export type OfferedValue = string | number | boolean;

export interface OfferedColumn {
  name: string;
  values: OfferedValue[];
}

const valuesMost = 100;
const numbersMost = 50;
const charactersMost = 100;
/** The number of distinct strings that are offered even if each occurs in only one row. */
const textsAlways = 20;
/** The number of strings offered for a column with too many distinct strings. */
const commonestMost = 20;
/** The maximum number of distinct values counted per column. Values that first occur later are rarely frequent. */
const countedMost = 1_000;

/**
 * Returns the values to offer for a result's column, most frequent first. `values` has each one once, in row order.
 * `aggregated`: whether rows summarize matched rows.
 */
export function offeredValues(
  values: Iterable<readonly [value: unknown, count: number]>,
  aggregated: boolean,
): OfferedValue[] {
  const counts = new Map<OfferedValue, number>();
  for (const [value, count] of values) {
    if (value === null || value === '') continue;
    if (!isPlain(value)) return [];
    if (counts.size < countedMost) counts.set(value, count);
    // A column with this many distinct numbers contains measurements, so nothing is offered.
    else if (typeof value === 'number') return [];
  }
  return offered(counts, aggregated);
}

/**
 * Returns the values to offer for a field, most frequent first. Strings that can't be offered are skipped. Any other
 * unusable value indicates a measurement, so nothing is offered.
 */
export function commonValues(
  groups: Iterable<readonly [value: unknown, count: number]>,
): OfferedValue[] {
  const counts = new Map<OfferedValue, number>();
  for (const [value, count] of groups) {
    if (value === null || value === '') continue;
    if (isPlain(value)) counts.set(value, count);
    else if (typeof value !== 'string') return [];
  }
  return offered(counts, false);
}

function offered(counts: Map<OfferedValue, number>, aggregated: boolean): OfferedValue[] {
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  const values = byCount.map(([value]) => value);
  if (isEnumeration(counts, aggregated)) return values;
  if (values.some((value) => typeof value !== 'string')) return [];
  // A string in only one row is an identifier or a message, so skip it, except in the groups of an aggregate.
  const common = aggregated ? byCount : byCount.filter(([, count]) => count > 1);
  return common.slice(0, commonestMost).map(([value]) => value);
}

const controls = /\p{Cc}|\u2028|\u2029/u;

/** Whether the value can be written in a query as a short, single-line literal. */
function isPlain(cell: unknown): cell is OfferedValue {
  if (typeof cell === 'string') return cell.length <= charactersMost && !controls.test(cell);
  return typeof cell === 'boolean' || (typeof cell === 'number' && Number.isInteger(cell));
}

/**
 * Whether values look like names or codes instead of measurements or identifiers, which differ in almost every row. The
 * rows of an aggregate are its groups, which always differ.
 */
function isEnumeration(counts: Map<OfferedValue, number>, aggregated: boolean): boolean {
  if (counts.size > valuesMost) return false;
  let cells = 0;
  let hasNumbers = false;
  for (const [value, count] of counts) {
    cells += count;
    hasNumbers ||= typeof value === 'number';
  }
  const repeats = (times: number) => aggregated || counts.size * times <= cells;
  if (hasNumbers) return counts.size <= numbersMost && repeats(4);
  return counts.size <= textsAlways || repeats(2);
}
