/** Quotes the query's names and strings for SQL. All of the planner's SQL is quoted here. */

/** Returns a quoted name. Control characters become `_`, because DuckDB doesn't allow them in names. */
export function quotedName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  const clean = name.replace(/[\u0000-\u001f\u007f]/g, '_');
  return `"${clean.replaceAll('"', '""')}"`;
}

/** Returns SQL for any string: a literal, or an expression if the string contains NUL. */
export function quotedText(value: string): string {
  const quoted = (part: string) => `'${part.replaceAll("'", "''")}'`;
  if (!value.includes('\0')) return quoted(value);
  // DuckDB's parser stops at NUL, so each NUL is written as a character that the string doesn't contain. A single call
  // replaces all of these characters, because a chain of concatenations would exceed the maximum expression depth.
  const other = unusedCharacter(value);
  return `replace(${quoted(value.replaceAll('\0', other))}, '${other}', chr(0))`;
}

function unusedCharacter(value: string): string {
  const used = new Set(value);
  let code = 0xe000;
  while (used.has(String.fromCodePoint(code))) code += 1;
  return String.fromCodePoint(code);
}
