/**
 * Names and text as SQL. Everything the store puts into a statement that came from outside goes
 * through here; values go as parameters where DuckDB takes them.
 */

import { quotedText } from '../planner/quotes.ts';

/** A name, quoted. DuckDB cannot hold a NUL character in a name, so callers give such names another. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text as a literal. */
export function quoteText(value: string): string {
  return quotedText(value);
}
