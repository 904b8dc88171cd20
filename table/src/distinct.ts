/**
 * Chooses the values that completion offers when a query compares a field: all values of a column with few different
 * ones, otherwise its most frequent strings. Limits keep wide and long results cheap.
 */

/** A value that a query can be offered to compare a field with. */
export type OfferedValue = string | number | boolean;

/** The values to offer of a field. */
export interface OfferedColumn {
  name: string;
  values: OfferedValue[];
}

const valuesMost = 100;
const numbersMost = 50;
const charactersMost = 100;
/** Up to this number of different strings are offered even if each is in one row only. */
const textsAlways = 20;
/** The number of strings offered of a column with too many different ones. */
const commonestMost = 20;
/** The number of different values counted per column. Later ones are rarely frequent. */
const countedMost = 1_000;

/**
 * Returns the values to offer of a result's column, the commonest first. `values` has each one once, in the order of
 * the rows. `aggregated` says whether rows are summaries of matched rows.
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
    // A column with this many different numbers holds measurements.
    else if (typeof value === 'number') return [];
  }
  return offered(counts, aggregated);
}

/**
 * The values to offer of a field, by how many events have each; the commonest first. Strings that are not offered are
 * skipped, but other values make the field a measurement.
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
  // A string that is in one row only is an identifier or a message; the groups of an aggregate are not.
  const common = aggregated ? byCount : byCount.filter(([, count]) => count > 1);
  return common.slice(0, commonestMost).map(([value]) => value);
}

const controls = /\p{Cc}|\u2028|\u2029/u;

/** Whether a cell is a value that a query may write in a few characters of one line. */
function isPlain(cell: unknown): cell is OfferedValue {
  if (typeof cell === 'string') return cell.length <= charactersMost && !controls.test(cell);
  return typeof cell === 'boolean' || (typeof cell === 'number' && Number.isInteger(cell));
}

/**
 * Whether the values look like names or codes, and not like measurements or identifiers, of which almost
 * each row has a different one. The rows of an aggregate are its groups, each different by nature.
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
