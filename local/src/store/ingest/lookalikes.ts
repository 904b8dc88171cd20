/**
 * Texts that another JSON value becomes when DuckDB reads it as text, without a word: numbers, truth
 * values, lists and objects. They lie in a few stretches of the order of texts, so a column whose texts
 * all lie in the gaps between them is told from other values by a few comparisons.
 */
import { quoteText } from '../sql.ts';

/** From `from` up to `to`, or `from` alone. All are ASCII: bytes and UTF-16 order them alike. */
interface Stretch {
  readonly from: string;
  readonly to?: string;
}

/** In order. A number begins with a digit or, as -Infinity does, with a minus. */
const STRETCHES: readonly Stretch[] = [
  { from: '-', to: '.' },
  { from: '0', to: ':' },
  { from: 'Infinity' },
  { from: 'NaN' },
  { from: '[', to: '\\' },
  { from: 'false' },
  { from: 'true' },
  { from: '{', to: '|' },
];

/** The gaps that the texts of a column lie in, both included: gap `n` is the one before stretch `n`. */
export interface Gaps {
  readonly low: number;
  readonly high: number;
}

/** The gaps from that of the least text to that of the greatest, neither of which is a lookalike. */
export function gapsOf(least: string, greatest: string): Gaps {
  const gap = (text: string) => STRETCHES.filter(({ from }) => from < text).length;
  return { low: gap(least), high: gap(greatest) };
}

/** The gaps of both and those between. */
export function joined(a: Gaps, b: Gaps): Gaps {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

/** Whether a text could have been another value; NULL for NULL. */
export function isLookalike(text: string): string {
  return STRETCHES.map(({ from, to }) =>
    to === undefined
      ? `${text} = ${quoteText(from)}`
      : `(${text} >= ${quoteText(from)} AND ${text} < ${quoteText(to)})`,
  ).join(' OR ');
}

/** Whether a text lies in the gaps, and is so surely a text; NULL of NULL. */
export function liesIn(text: string, { low, high }: Gaps): string {
  const below = STRETCHES[low - 1];
  const above = STRETCHES[high];
  const conditions = STRETCHES.slice(low, high).map(({ from, to }) =>
    to === undefined
      ? `${text} <> ${quoteText(from)}`
      : `(${text} < ${quoteText(from)} OR ${text} >= ${quoteText(to)})`,
  );
  if (below?.to !== undefined) conditions.unshift(`${text} >= ${quoteText(below.to)}`);
  else if (below !== undefined) conditions.unshift(`${text} > ${quoteText(below.from)}`);
  if (above !== undefined) conditions.unshift(`${text} < ${quoteText(above.from)}`);
  return conditions.join(' AND ') || 'true';
}
