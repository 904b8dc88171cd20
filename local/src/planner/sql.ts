/**
 * SQL text, safely put together. This is the only file that quotes a name or writes a literal: `sql`
 * takes other `Sql` values and nothing else, so text of a query can reach the engine only as data.
 */
declare const brand: unique symbol;

/** A piece of SQL. It can only be made here. */
export type Sql = string & { readonly [brand]: true };

/** SQL with other pieces of SQL put into it; the fixed text must be the program's own. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let text = strings[0] ?? '';
  parts.forEach((part, i) => {
    text += part + (strings[i + 1] ?? '');
  });
  return text as Sql;
}

export const nothing: Sql = sql``;
export const nullSql: Sql = sql`NULL`;

/** Pieces in a row, with one of the program's own separators between them. */
export function join(
  parts: readonly Sql[],
  separator: ', ' | ' AND ' | ' OR ' | ' || ' | ' ' | ',\n' | '\nUNION ALL\n' = ', ',
): Sql {
  return parts.join(separator) as Sql;
}

/** A quoted name. Control characters cannot stand in DuckDB's names, so they become `_`. */
export function identifier(name: string): Sql {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  const clean = name.replace(/[\u0000-\u001f\u007f]/g, '_');
  return `"${clean.replaceAll('"', '""')}"` as Sql;
}

/** A column of the one relation that a SELECT of ours reads, which is always called `t`. */
export function column(name: string, side: 't' | 'l' | 'r' = 't'): Sql {
  return `${side}.${identifier(name)}` as Sql;
}

/** A name that the store quoted when it made the table. */
export function storedName(quoted: string): Sql {
  return quoted as Sql;
}

/** A text. A NUL ends a literal for DuckDB's parser, so it is put in by `chr(0)`. */
export function text(value: string): Sql {
  const quoted = (part: string) => `'${part.replaceAll("'", "''")}'`;
  const parts = value.split('\0');
  if (parts.length === 1) return quoted(parts[0] as string) as Sql;
  return `(${parts.map(quoted).join(' || chr(0) || ')})` as Sql;
}

const longMin = -(2n ** 63n);
const longMax = 2n ** 63n - 1n;

export function isLong(value: bigint): boolean {
  return value >= longMin && value <= longMax;
}

/** 1677-09-22, before which DuckDB does not write a time, in nanoseconds since 1970. */
const firstTime = -106_751n * 86_400_000_000_000n;

/** Whether a number of nanoseconds since 1970 is a time; DuckDB takes the greatest of 64 bits for infinity. */
export function isTime(nanoseconds: bigint): boolean {
  return nanoseconds >= firstTime && nanoseconds < longMax;
}

/** A whole number as it stands beside a value whose type is known; the caller has checked `isLong`. */
export function bareLong(value: bigint): Sql {
  return (value < 0n ? `(${value})` : `${value}`) as Sql;
}

/** A whole number that is BIGINT wherever it stands; the caller has checked `isLong`. */
export function long(value: bigint): Sql {
  if (value === longMin) return sql`CAST('-9223372036854775808' AS BIGINT)`;
  return `${bareLong(value)}::BIGINT` as Sql;
}

/** A DOUBLE; a plain `1.5` would be a decimal of fixed width. */
export function real(value: number): Sql {
  if (Number.isNaN(value)) return sql`'nan'::DOUBLE`;
  if (!Number.isFinite(value)) return value > 0 ? sql`'inf'::DOUBLE` : sql`'-inf'::DOUBLE`;
  const digits = Object.is(value, -0) ? '-0' : String(value);
  const exact = digits.includes('e') ? digits.replace('e+', 'e') : `${digits}e0`;
  return (value < 0 || Object.is(value, -0) ? `(${exact})` : exact) as Sql;
}

export function bool(value: boolean): Sql {
  return value ? sql`true` : sql`false`;
}

/** A TIMESTAMP_NS from nanoseconds since 1970; the caller has checked the range. */
export function datetime(nanoseconds: bigint): Sql {
  const billion = 1_000_000_000n;
  const fraction = ((nanoseconds % billion) + billion) % billion;
  const seconds = (nanoseconds - fraction) / billion;
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const digits = fraction === 0n ? '' : `.${fraction.toString().padStart(9, '0')}`;
  return `TIMESTAMP_NS '${date}${digits}'` as Sql;
}

/** A call of a macro or function of the program's own choosing. */
export function call(name: string, ...args: readonly Sql[]): Sql {
  return `${name}(${args.join(', ')})` as Sql;
}

/** The opposite of a number. Two minus signs side by side would begin a comment. */
export function negative(number: Sql): Sql {
  return number.startsWith('-') ? sql`-(${number})` : sql`-${number}`;
}

/** `query` between parentheses, indented by two for the reader. */
export function parenthesized(query: Sql): Sql {
  return `(\n${indent(query)}\n)` as Sql;
}

/** Indents what stands at the start of a line; texts that span lines are left as they are. */
function indent(query: string): string {
  const indented = query.replace(quotedOrBreak, (piece) => (piece === '\n' ? '\n  ' : piece));
  return `  ${indented}`;
}

const quotedOrBreak = /'[^']*'|"[^"]*"|\n/g;
