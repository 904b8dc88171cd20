/**
 * SQL text, safely put together. Names and literals of a query are written here only, quoted by `quotes.ts`: `sql`
 * takes other `Sql` values and nothing else, so text of a query can reach the engine only as data.
 */
import { held, holding, type Notes, notesOfCall, notesOfTemplate } from './facts.ts';
import { quotedName, quotedText } from './quotes.ts';

declare const brand: unique symbol;

/** A piece of SQL with the facts of what it was put together from. It can only be made here. */
export interface Sql {
  readonly [brand]: true;
  readonly text: string;
  /** Bits of `holding`. */
  readonly holds: number;
  /** The macros that it needs, as bits; see `macroNames`. */
  readonly macros: bigint;
  /** How many words, names and literals it comes to once the macros are put in. */
  readonly weight: number;
}

function piece(text: string, holds: number, macros: bigint, weight: number): Sql {
  return { text, holds, macros, weight } as Sql;
}

/** A name or a literal. */
function leaf(text: string): Sql {
  return piece(text, 0, 0n, 1);
}

function filled(text: string, notes: Notes, parts: readonly Sql[]): Sql {
  let { holds, macros, weight } = notes;
  for (let i = 0; i < parts.length; i++) {
    const [part, hole] = [parts[i] as Sql, notes.holes[i] as Notes['holes'][number]];
    weight += part.weight * hole.times;
    if (part.macros !== 0n) macros |= part.macros;
    if (part.holds === 0) continue;
    holds |= held(part.holds, hole);
    // What is volatile would differ, and DuckDB would compute a lambda each time that it is written.
    const isOnce = (part.holds & (holding.volatile | holding.lambda)) !== 0;
    if (isOnce && (hole.times > 1 || parts.indexOf(part) < i)) holds |= holding.misplaced;
  }
  return piece(text, holds, macros, weight);
}

const templates = new WeakMap<TemplateStringsArray, Notes>();

/** SQL with other pieces of SQL put into it; the fixed text must be the program's own. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let notes = templates.get(strings);
  if (notes === undefined) {
    notes = notesOfTemplate(strings);
    templates.set(strings, notes);
  }
  let text = strings[0] as string;
  for (let i = 0; i < parts.length; i++) text += (parts[i] as Sql).text + strings[i + 1];
  return filled(text, notes, parts);
}

export const nothing: Sql = piece('', 0, 0n, 0);
export const nullSql: Sql = leaf('NULL');

/** Pieces in a row, with one of the program's own separators between them. */
export function join(
  parts: readonly Sql[],
  separator: ', ' | ' AND ' | ' OR ' | ' || ' | ' ' | '\n' | ',\n' | '\nUNION ALL\n' = ', ',
): Sql {
  let [holds, macros, weight] = [0, 0n, 0];
  for (const part of parts) {
    holds |= part.holds;
    if (part.macros !== 0n) macros |= part.macros;
    weight += part.weight;
  }
  return piece(parts.map(({ text }) => text).join(separator), holds, macros, weight);
}

/** Whether two pieces say the same. */
export function same(a: Sql, b: Sql): boolean {
  return a.text === b.text;
}

/** A quoted name. */
export function identifier(name: string): Sql {
  return leaf(quotedName(name));
}

/** A column of the one relation that a SELECT of ours reads, which is always called `t`. */
export function column(name: string, side: 't' | 'l' | 'r' = 't'): Sql {
  return leaf(`${side}.${quotedName(name)}`);
}

/** A name that the store quoted when it made the table. */
export function storedName(quoted: string): Sql {
  return leaf(quoted);
}

/** A text. */
export function text(value: string): Sql {
  return leaf(quotedText(value));
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

/** A whole number next to a value whose type is known. One beyond 64 bits is a HUGEINT, if that can hold it. */
export function bareLong(value: bigint): Sql {
  return leaf(value < 0n ? `(${value})` : `${value}`);
}

/** A whole number that is BIGINT wherever it stands; the caller has checked `isLong`. */
export function long(value: bigint): Sql {
  if (value === longMin) return sql`CAST('-9223372036854775808' AS BIGINT)`;
  return leaf(`${bareLong(value).text}::BIGINT`);
}

/** A DOUBLE; a plain `1.5` would be a decimal of fixed width. */
export function real(value: number): Sql {
  if (Number.isNaN(value)) return sql`'nan'::DOUBLE`;
  if (!Number.isFinite(value)) return value > 0 ? sql`'inf'::DOUBLE` : sql`'-inf'::DOUBLE`;
  const digits = Object.is(value, -0) ? '-0' : String(value);
  const exact = digits.includes('e') ? digits.replace('e+', 'e') : `${digits}e0`;
  return leaf(value < 0 || Object.is(value, -0) ? `(${exact})` : exact);
}

export function bool(value: boolean): Sql {
  return value ? sql`true` : sql`false`;
}

/**
 * A TIMESTAMP_NS from nanoseconds since 1970. A time that is out of range becomes an infinity, which compares
 * with every stored time as the time itself would.
 */
export function datetime(nanoseconds: bigint): Sql {
  if (!isTime(nanoseconds)) {
    return nanoseconds < 0n ? sql`TIMESTAMP_NS '-infinity'` : sql`TIMESTAMP_NS 'infinity'`;
  }
  const billion = 1_000_000_000n;
  const fraction = ((nanoseconds % billion) + billion) % billion;
  const seconds = (nanoseconds - fraction) / billion;
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const digits = fraction === 0n ? '' : `.${fraction.toString().padStart(9, '0')}`;
  return leaf(`TIMESTAMP_NS '${date}${digits}'`);
}

/** A call of a macro or function of the program's own choosing. */
export function call(name: string, ...args: readonly Sql[]): Sql {
  const texts = args.map((arg) => arg.text);
  return filled(`${name}(${texts.join(', ')})`, notesOfCall(name, args.length), args);
}

/** The opposite of a number. Two minus signs side by side would begin a comment. */
export function negative(number: Sql): Sql {
  return number.text.startsWith('-') ? sql`-(${number})` : sql`-${number}`;
}

/** `query` between parentheses on lines of their own, which `laidOut` indents. */
export function parenthesized(query: Sql): Sql {
  return piece(`(\n${query.text}\n)`, query.holds, query.macros, query.weight);
}

/**
 * A complete statement with the lines between parentheses indented by two. One pass over the statement: to
 * indent each sub-query as it is written would take the square of their depth. Strings that span lines stay as
 * they are, and deep lines are indented no further than the reader's eye follows.
 */
export function laidOut(statement: Sql): string {
  let depth = 0;
  return statement.text.replace(quotedOrBreak, (piece) => {
    if (piece === '(\n') depth++;
    else if (piece === '\n)') depth--;
    else if (piece !== '\n') return piece;
    return piece === '\n)' ? `\n${indent(depth)})` : `${piece}${indent(depth)}`;
  });
}

const MAX_INDENTED_DEPTH = 40;

function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, MAX_INDENTED_DEPTH));
}

const quotedOrBreak = /'[^']*'|"[^"]*"|\(\n|\n\)|\n/g;
