/** Quotes all external input in the store's SQL, except values passed to DuckDB as statement parameters. */

export { quotedText as quoteText } from '../planner/quotes.ts';

/** Quotes a name. DuckDB's names can't contain NUL, so callers must replace such names. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
