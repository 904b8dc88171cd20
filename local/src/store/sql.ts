/** Quotes all external input in the store's statements, except values that DuckDB accepts as parameters. */

export { quotedText as quoteText } from '../planner/quotes.ts';

/** Quotes a name. DuckDB names can't contain NUL, so callers replace such names. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
