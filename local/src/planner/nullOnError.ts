/**
 * Wraps expressions in TRY, so that a row whose value cannot be computed gets null. DuckDB's TRY rejects `random()` and
 * crashes the process with some lambdas, so such expressions have a slower form without TRY, or fail the query. TRY
 * also rejects a SELECT, so it is precomputed as a column. DuckDB computes a subexpression shared by two TRYs once,
 * outside of both, where an error fails the query. Each step that can fail therefore needs its own TRY.
 */
import { has, type Sql, sql } from './sql.ts';

export function canUseTry(of: Sql): boolean {
  return !has(of, 'volatile') && !has(of, 'lambda');
}

/** Returns `TRY(…)` if that is safe, otherwise `slower`, which must return null instead of failing. */
export function nullOnErrorOr(of: Sql, slower: Sql): Sql {
  return canUseTry(of) ? sql`TRY(${of})` : slower;
}

export function nullOnError(of: Sql): Sql {
  return canUseTry(of) ? sql`TRY(${of})` : of;
}
