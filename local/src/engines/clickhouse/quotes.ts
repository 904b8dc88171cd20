/** Quotes names and strings in ClickHouse's SQL. */

export function quoteName(name: string): string {
  return `\`${escaped(name).replaceAll('`', '\\`')}\``;
}

export function quoteText(text: string): string {
  return `'${escaped(text).replaceAll("'", "\\'")}'`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0');
}
