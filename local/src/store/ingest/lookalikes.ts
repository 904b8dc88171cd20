/**
 * Detects strings that may originally have been numbers or other JSON values, because DuckDB converts all values to
 * strings if it reads a column as strings. In string order, these lookalikes form a few ranges, so a few comparisons
 * suffice to detect strings in the gaps between the ranges.
 */
import { quoteText } from '../sql.ts';

/** A half-open range of strings, or just `from`. The bounds are ASCII, so that byte order and UTF-16 order agree. */
interface StringRange {
  readonly from: string;
  readonly to?: string;
}

/** The ranges of lookalikes, in string order. Numbers begin with a digit or a minus, including -Infinity. */
const LOOKALIKE_RANGES: readonly StringRange[] = [
  { from: '-', to: '.' },
  { from: '0', to: ':' },
  { from: 'Infinity' },
  { from: 'NaN' },
  { from: '[', to: '\\' },
  { from: 'false' },
  { from: 'true' },
  { from: '{', to: '|' },
];

/** The gaps numbered `low` to `high`. Gap `n` directly precedes range `n`. */
export interface Gaps {
  readonly low: number;
  readonly high: number;
}

/** Returns the gaps from `min` to `max`, neither of which may be a lookalike. */
export function gapsOf(min: string, max: string): Gaps {
  const gap = (text: string) => LOOKALIKE_RANGES.filter(({ from }) => from < text).length;
  return { low: gap(min), high: gap(max) };
}

export function mergeGaps(a: Gaps, b: Gaps): Gaps {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

// All ranges as a regular expression. A range with an end contains the strings that start with given characters.
const LOOKALIKE_PATTERN = LOOKALIKE_RANGES.map(({ from, to }) =>
  to === undefined
    ? `${from}\\z`
    : `[${[from.charCodeAt(0), to.charCodeAt(0) - 1].map((code) => `\\x${code.toString(16)}`).join('-')}]`,
).join('|');

/**
 * Returns SQL that tests whether a string may originally have been another JSON value. NULL gives NULL. The test is one
 * function call, because DuckDB takes quadratic time to plan thousands of disjunctions.
 */
export function isLookalike(text: string): string {
  return `regexp_matches(${text}, ${quoteText(`^(?:${LOOKALIKE_PATTERN})`)})`;
}

/**
 * Returns SQL that tests whether a string is in the gaps, which contain no lookalikes, so that it can't originally have
 * been another JSON value. NULL gives NULL.
 */
export function isInGaps(text: string, { low, high }: Gaps): string {
  const below = LOOKALIKE_RANGES[low - 1];
  const above = LOOKALIKE_RANGES[high];
  const conditions = LOOKALIKE_RANGES.slice(low, high).map(({ from, to }) =>
    to === undefined
      ? `${text} <> ${quoteText(from)}`
      : `(${text} < ${quoteText(from)} OR ${text} >= ${quoteText(to)})`,
  );
  if (below?.to !== undefined) conditions.unshift(`${text} >= ${quoteText(below.to)}`);
  else if (below !== undefined) conditions.unshift(`${text} > ${quoteText(below.from)}`);
  if (above !== undefined) conditions.unshift(`${text} < ${quoteText(above.from)}`);
  return conditions.join(' AND ') || 'true';
}
