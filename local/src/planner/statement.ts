/**
 * The statement of a query: its common table expressions and its SELECT as one text. Here its size is bounded,
 * since DuckDB plans a statement without listening to an interrupt for most of the time.
 */
import type { Span } from '../../../language/src/index.ts';
import type { SharedTable } from './plan.ts';
import { tooLarge } from './planSize.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';

/** Gives the complete statement of a query that may name shared tables. */
export type WriteStatement = (query: Sql) => string;

/**
 * DuckDB puts a common table expression in wherever it is named when a limit follows, which doubles the plan with
 * each let that names another twice. One that would grow to this many characters, and to this many times its own
 * length, is computed once instead. Below that it stays open to filters and limits from outside.
 */
const MAX_INLINED_LENGTH = 50_000;
const MAX_INLINED_TIMES = 8;

/**
 * `most` is the weight that a statement may have; `at` is the query, for errors. `macros` are those of the
 * statements that have been written.
 */
export function statementWriter(
  shared: readonly SharedTable[],
  most: number,
  at: Span,
): { readonly statement: WriteStatement; readonly macros: () => bigint } {
  let macros = 0n;
  const statement = (query: Sql): string => {
    const whole = shared.length === 0 ? query : withShared(query, shared);
    if (engineWeight(whole) > most) throw tooLarge(at);
    macros |= whole.macros;
    return print.laidOut(whole);
  };
  return { statement, macros: () => macros };
}

/** How many characters a word of SQL comes to, about. */
const CHARACTERS_PER_WORD = 6;

/** Calls with a pattern that DuckDB compiles several times while it plans, which is slow for classes of Unicode. */
const patternCall = /apl\.has(?:_cs)?\(/g;
const WEIGHT_OF_PATTERN = 1_000;

/** What a statement weighs for the engine: its characters with the macros put in, and more for what costs it more. */
function engineWeight({ text, weight }: Sql): number {
  const length = Math.max(text.length, weight * CHARACTERS_PER_WORD);
  const patterns = text.match(patternCall)?.length ?? 0;
  const conditions = text.match(/ (?:AND|OR) /g)?.length ?? 0;
  // DuckDB compares the terms of a condition with each other.
  return length + patterns * WEIGHT_OF_PATTERN + conditions ** 2 / 100;
}

interface Part {
  readonly table: SharedTable;
  /** How often this names each of the shared tables, by their place. */
  readonly names: ReadonlyMap<number, number>;
}

/** `WITH` and those common table expressions that the query names, directly or not. */
function withShared(query: Sql, shared: readonly SharedTable[]): Sql {
  const places = new Map(shared.map(({ name }, place) => [print.identifier(name).text, place]));
  const parts = shared.map((table): Part => ({ table, names: namesIn(table.sql, places) }));
  const own = namesIn(query, places);
  // Each table is named only by later ones, so one pass from the end finds all that are used.
  const uses = parts.map((_, place) => own.get(place) ?? 0);
  for (let i = parts.length - 1; i >= 0; i--) {
    if (uses[i] === 0) continue;
    for (const [place, times] of (parts[i] as Part).names) uses[place] = (uses[place] ?? 0) + times;
  }
  const used = parts.map(({ table }) => table).filter((_, i) => (uses[i] ?? 0) > 0);
  if (used.length === 0) return query;
  const inlined: number[] = [];
  const grown = (length: number, names: Part['names']) =>
    [...names].reduce((sum, [place, times]) => sum + times * (inlined[place] ?? 0), length);
  for (const { table, names } of parts) inlined.push(grown(table.sql.text.length, names));
  const length = used.reduce((sum, table) => sum + table.sql.text.length, query.text.length);
  const explodes =
    grown(query.text.length, own) > Math.max(MAX_INLINED_LENGTH, MAX_INLINED_TIMES * length);
  const written = parts.flatMap(({ table }, i) => {
    if ((uses[i] ?? 0) === 0) return [];
    const once = explodes && (uses[i] ?? 0) > 1;
    const as = once ? sql`AS MATERIALIZED` : sql`AS`;
    return [sql`${print.identifier(table.name)} ${as} ${print.parenthesized(table.sql)}`];
  });
  return sql`WITH ${print.join(written, ',\n')}
${query}`;
}

const quoted = /'[^']*'|"[^"]*(?:""[^"]*)*"/g;

function namesIn({ text }: Sql, places: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  const names = new Map<number, number>();
  for (const [name] of text.matchAll(quoted)) {
    const place = places.get(name);
    if (place !== undefined) names.set(place, (names.get(place) ?? 0) + 1);
  }
  return names;
}
