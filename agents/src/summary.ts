// Summarizes a column of an answer in a few words: its range or its most frequent values.
import { cellText } from './cellText.ts';

const VALUES_MAX = 5;
const VALUE_CHARACTERS_MAX = 40;

/** Number of distinct values above which values are no longer counted. */
const DISTINCT_MAX = 10_000;

/**
 * Returns the summary of a column's values: `200 (71 %), 404 (12 %); 5 distinct` or `0.1 to 93`. Empty if there
 * are fewer than two values.
 */
export function columnSummary(type: string, values: readonly unknown[]): string {
  const present = values.filter((value) => value !== null && value !== undefined);
  const missing = values.length - present.length;
  if (values.length < 2) return '';
  if (present.length === 0) return 'all null';
  const note = missing === 0 ? '' : `; ${percent(missing, values.length)} null`;
  const range = /^(?:datetime|timespan)$/.test(type) ? textRange(present) : numberRange(present);
  const counts = countsOf(present);
  const isSpread =
    counts === undefined ||
    counts.size > VALUES_MAX ||
    (counts.size > 1 && counts.size === present.length);
  if (range !== undefined && isSpread) return `${range}${note}`;
  return `${frequent(present.length, counts)}${note}`;
}

function countsOf(values: readonly unknown[]): Map<string, number> | undefined {
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = cellText(value, VALUE_CHARACTERS_MAX);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (counts.size > DISTINCT_MAX) return undefined;
  }
  return counts;
}

function frequent(total: number, counts: Map<string, number> | undefined): string {
  if (counts === undefined) return `more than ${DISTINCT_MAX} distinct`;
  const ordered = [...counts].toSorted(([, a], [, b]) => b - a);
  // Values that occur once each say little, so two are enough.
  const shown = ordered.slice(0, counts.size === total && total > VALUES_MAX ? 2 : VALUES_MAX);
  const text = shown.map(([value, count]) => `${value} (${percent(count, total)})`).join(', ');
  return counts.size > shown.length ? `${text}, …; ${counts.size} distinct` : text;
}

function percent(count: number, total: number): string {
  const share = (count / total) * 100;
  return share < 1 ? '<1 %' : `${Math.round(share)} %`;
}

function numberRange(values: readonly unknown[]): string | undefined {
  let [least, most] = [values[0], values[0]] as [number | bigint, number | bigint];
  for (const value of values) {
    if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return `${least} to ${most}`;
}

/** Returns the first and last of times, which all have the same form. */
function textRange(values: readonly unknown[]): string | undefined {
  let [least, most] = [values[0], values[0]];
  for (const value of values) {
    if (typeof value !== 'string') return numberRange(values);
    if (value < (least as string)) least = value;
    if (value > (most as string)) most = value;
  }
  return least === most ? undefined : `${least} to ${most}`;
}
