/** Quotes all external input in the store's statements, except for values that are passed to DuckDB as parameters. */

export { quotedText as quoteText } from '../planner/quotes.ts';

/** Quotes a name. DuckDB's names can't contain NUL, so callers must replace such names. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
