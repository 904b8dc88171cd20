/**
 * Names and text as SQL. Everything the store puts into a statement that came from outside goes
 * through here; values go as parameters where DuckDB takes them.
 */

/** A name, quoted. DuckDB cannot hold a NUL character in a name, so callers give such names another. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text as a literal. */
export function quoteText(text: string): string {
  if (!text.includes('\0')) return `'${text.replaceAll("'", "''")}'`;
  // The parser ends at a NUL, so such text is joined from parts.
  return `concat(${text.split('\0').map(quoteText).join(', chr(0), ')})`;
}
