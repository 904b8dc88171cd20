/**
 * Writes a query's statement: its SELECT and the common table expressions that it uses. Limits the size of the
 * statement, because DuckDB usually can't be interrupted while it plans a statement.
 */
import type { Span } from '../../../language/src/index.ts';
import type { SharedTable } from './plan.ts';
import { tooLarge } from './planSize.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';

export type WriteStatement = (query: Sql) => string;

/**
 * If inlining makes a statement longer than this and more than `MAX_INLINED_TIMES` times as long, common table
 * expressions with several uses are materialized. Shorter statements are inlined, so that DuckDB can push down filters
 * and limits.
 */
const MAX_INLINED_LENGTH = 50_000;
const MAX_INLINED_TIMES = 8;

/** Returns a function that writes statements of up to `maxWeight`, and a function that returns their macros. */
export function statementWriter(
  shared: readonly SharedTable[],
  maxWeight: number,
  at: Span,
): { readonly statement: WriteStatement; readonly macros: () => bigint } {
  let macros = 0n;
  const statement = (query: Sql): string => {
    const withTables = shared.length === 0 ? query : withShared(query, shared);
    if (engineWeight(withTables) > maxWeight) throw tooLarge(at);
    macros |= withTables.macros;
    return print.laidOut(withTables);
  };
  return { statement, macros: () => macros };
}

const CHARACTERS_PER_WORD = 6;

/** Matches calls of macros whose regular expressions make DuckDB's planning slow. */
const patternCall = /apl\.has(?:_cs)?\(/g;
const WEIGHT_OF_PATTERN = 1_000;

/** Estimates the planning cost from the length after macro expansion and the number of expensive parts. */
function engineWeight({ text, weight }: Sql): number {
  const length = Math.max(text.length, weight * CHARACTERS_PER_WORD);
  const patterns = text.match(patternCall)?.length ?? 0;
  const conditions = text.match(/ (?:AND|OR) /g)?.length ?? 0;
  // DuckDB compares all pairs of terms in a condition, so the weight is quadratic.
  return length + patterns * WEIGHT_OF_PATTERN + conditions ** 2 / 100;
}

function withShared(query: Sql, shared: readonly SharedTable[]): Sql {
  // Tables use only earlier tables, so a single backward pass finds all used tables.
  const uses = new Map(query.tables);
  for (const table of shared.toReversed()) {
    if (!uses.has(table.name)) continue;
    for (const [name, times] of table.sql.tables ?? [])
      uses.set(name, (uses.get(name) ?? 0) + times);
  }
  const used = shared.filter(({ name }) => uses.has(name));
  if (used.length === 0) return query;
  const inlined = new Map<string, number>();
  const inlinedLength = ({ text, tables }: Sql) =>
    [...(tables ?? [])].reduce(
      (sum, [name, times]) => sum + times * (inlined.get(name) ?? 0),
      text.length,
    );
  for (const table of used) inlined.set(table.name, inlinedLength(table.sql));
  const length = used.reduce((sum, table) => sum + table.sql.text.length, query.text.length);
  const growsTooMuch =
    inlinedLength(query) > Math.max(MAX_INLINED_LENGTH, MAX_INLINED_TIMES * length);
  const written = used.map((table) => {
    const isMaterialized = growsTooMuch && (uses.get(table.name) ?? 0) > 1;
    const as = isMaterialized ? sql`AS MATERIALIZED` : sql`AS`;
    return sql`${print.identifier(table.name)} ${as} ${print.parenthesized(table.sql)}`;
  });
  return sql`WITH ${print.join(written, ',\n')}
${query}`;
}
