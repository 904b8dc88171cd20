/** How text of a query becomes data in SQL. Nothing else in the planner quotes. */

/** A quoted name. Control characters cannot be in DuckDB's names, so they become `_`. */
export function quotedName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  const clean = name.replace(/[\u0000-\u001f\u007f]/g, '_');
  return `"${clean.replaceAll('"', '""')}"`;
}

/** A string, whatever its characters. */
export function quotedText(value: string): string {
  const quoted = (part: string) => `'${part.replaceAll("'", "''")}'`;
  if (!value.includes('\0')) return quoted(value);
  // DuckDB's parser ends at a NUL, so another character takes its place. One call, whatever the number of
  // them: a chain of parts would exceed the depth of an expression.
  const other = unusedCharacter(value);
  return `replace(${quoted(value.replaceAll('\0', other))}, '${other}', chr(0))`;
}

/** A character that a string does not have, of the private use area or beyond. */
function unusedCharacter(value: string): string {
  const used = new Set(value);
  let code = 0xe000;
  while (used.has(String.fromCodePoint(code))) code += 1;
  return String.fromCodePoint(code);
}
