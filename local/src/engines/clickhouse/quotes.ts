/** Quotes names and strings in ClickHouse's SQL. */

/** Returns a quoted name, in a form that the planner's SQL can contain too. */
export function quoteName(name: string): string {
  return `"${escaped(name).replaceAll('"', '\\"')}"`;
}

export function quoteText(text: string): string {
  return `'${escaped(text).replaceAll("'", "\\'")}'`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0');
}
