/**
 * Builds SQL safely. Only this file writes a query's names and literals, quoted by `quotes.ts`. `sql` accepts only
 * other `Sql` values, so text from a query can reach the engine only as data.
 */
import { quotedName, quotedText } from './quotes.ts';
import {
  callTraits,
  construct,
  constructsInHole,
  type TemplateTraits,
  templateTraits,
} from './traits.ts';

declare const brand: unique symbol;

/** A fragment of SQL and its traits, computed when the fragment is built. Only this file can create fragments. */
export interface Sql {
  readonly [brand]: true;
  readonly text: string;
  /** The constructs in the fragment, as bits; see `has`. */
  readonly constructs: number;
  /** The macros that the fragment uses, as bits; see `macroNames`. */
  readonly macros: bigint;
  /** The number of words, names and literals after macro expansion. */
  readonly weight: number;
  /** The number of references to each shared table, by name. */
  readonly tables: ReadonlyMap<string, number> | undefined;
}

function piece(
  text: string,
  constructs: number,
  macros: bigint,
  weight: number,
  tables?: Sql['tables'],
): Sql {
  return { text, constructs, macros, weight, tables } as Sql;
}

function leaf(text: string): Sql {
  return piece(text, 0, 0n, 1);
}

function addTables(sum: Map<string, number> | undefined, { tables }: Sql) {
  if (tables === undefined) return sum;
  const found = sum ?? new Map<string, number>();
  for (const [name, times] of tables) found.set(name, (found.get(name) ?? 0) + times);
  return found;
}

function filled(text: string, traits: TemplateTraits, parts: readonly Sql[]): Sql {
  let { constructs, macros, weight } = traits;
  let tables: Map<string, number> | undefined;
  for (let i = 0; i < parts.length; i++) {
    const [part, hole] = [parts[i] as Sql, traits.holes[i] as TemplateTraits['holes'][number]];
    weight += part.weight * hole.times;
    if (part.macros !== 0n) macros |= part.macros;
    tables = addTables(tables, part);
    if (part.constructs === 0) continue;
    constructs |= constructsInHole(part.constructs, hole);
    // Mark repeated volatile expressions and lambdas as misplaced, so that precomputing evaluates them only once.
    const isOnce = has(part, 'volatile') || has(part, 'lambda');
    if (isOnce && (hole.times > 1 || parts.indexOf(part) < i)) constructs |= construct.misplaced;
  }
  return piece(text, constructs, macros, weight, tables);
}

export function has({ constructs }: Sql, kind: keyof typeof construct): boolean {
  return (constructs & construct[kind]) !== 0;
}

const templates = new WeakMap<TemplateStringsArray, TemplateTraits>();

/** Returns the SQL of a template, which must be part of the program, never user input. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let traits = templates.get(strings);
  if (traits === undefined) {
    traits = templateTraits(strings);
    templates.set(strings, traits);
  }
  let text = strings[0] as string;
  for (let i = 0; i < parts.length; i++) text += (parts[i] as Sql).text + strings[i + 1];
  return filled(text, traits, parts);
}

export const nothing: Sql = piece('', 0, 0n, 0);
export const nullSql: Sql = leaf('NULL');

export function join(
  parts: readonly Sql[],
  separator: ', ' | ' AND ' | ' OR ' | ' || ' | ' ' | '\n' | ',\n' | '\nUNION ALL\n' = ', ',
): Sql {
  let [constructs, macros, weight] = [0, 0n, 0];
  let tables: Map<string, number> | undefined;
  for (const part of parts) {
    constructs |= part.constructs;
    if (part.macros !== 0n) macros |= part.macros;
    weight += part.weight;
    tables = addTables(tables, part);
  }
  const text = parts.map((part) => part.text).join(separator);
  return piece(text, constructs, macros, weight, tables);
}

export function same(a: Sql, b: Sql): boolean {
  return a.text === b.text;
}

export function identifier(name: string): Sql {
  return leaf(quotedName(name));
}

/** Returns a column of a SELECT's relation (always called `t`) or of one side of a join. */
export function column(name: string, side: 't' | 'l' | 'r' = 't'): Sql {
  return leaf(`${side}.${quotedName(name)}`);
}

/** Returns SQL that compares the columns of a join's sides. Two nulls count as equal. */
export function sameColumn(left: string, right: string): Sql {
  return sql`${column(left, 'l')} IS NOT DISTINCT FROM ${column(right, 'r')}`;
}

/** Returns SQL for a name that the store has already quoted. */
export function storedName(quoted: string): Sql {
  return leaf(quoted);
}

export function sharedTable(name: string): Sql {
  return piece(quotedName(name), 0, 0n, 1, new Map([[name, 1]]));
}

export function text(value: string): Sql {
  return leaf(quotedText(value));
}

const longMin = -(2n ** 63n);
const longMax = 2n ** 63n - 1n;

export function isLong(value: bigint): boolean {
  return value >= longMin && value <= longMax;
}

/** The minimum time, 1677-09-22, in nanoseconds since 1970. DuckDB can't format earlier times. */
const firstTime = -106_751n * 86_400_000_000_000n;

/** Returns whether DuckDB supports a time. The maximum 64-bit integer is DuckDB's infinity. */
export function isTime(nanoseconds: bigint): boolean {
  return nanoseconds >= firstTime && nanoseconds < longMax;
}

/** Returns an integer without a cast, so that the integer takes the other operand's type. */
export function bareLong(value: bigint): Sql {
  return leaf(value < 0n ? `(${value})` : `${value}`);
}

/** Returns SQL for a 64-bit integer. The caller must check `isLong` first. */
export function long(value: bigint): Sql {
  if (value === longMin) return sql`CAST('-9223372036854775808' AS BIGINT)`;
  return leaf(`${bareLong(value).text}::BIGINT`);
}

/** Returns SQL for a double. DuckDB would read a plain `1.5` as a DECIMAL. */
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

/** Returns SQL for a time. An out-of-range time becomes an infinity, which also precedes or follows stored times. */
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

/** Returns SQL that calls a function. The name must be part of the program, never user input. */
export function call(name: string, ...args: readonly Sql[]): Sql {
  const texts = args.map((arg) => arg.text);
  return filled(`${name}(${texts.join(', ')})`, callTraits(name, args.length), args);
}

/** Parenthesizes a leading minus, because two adjacent minus signs start a comment. */
export function negative(number: Sql): Sql {
  return number.text.startsWith('-') ? sql`-(${number})` : sql`-${number}`;
}

/** Puts a query in parentheses on separate lines, so that `laidOut` can indent it. */
export function parenthesized(query: Sql): Sql {
  return { ...query, text: `(\n${query.text}\n)` };
}

/**
 * Indents the lines inside parentheses, except multi-line strings. Indent only a complete statement, because indenting
 * each sub-query separately would take quadratic time.
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
