/**
 * Wraps expressions in TRY, so that the value is null in rows in which it can't be computed. TRY has these limitations:
 * - TRY rejects `random()` and crashes the process with some lambdas. Such expressions use a slower form without TRY
 *   or, if there is none, fail the query.
 * - TRY rejects a SELECT, which is therefore precomputed as a column.
 * - If two TRYs share a subexpression, DuckDB computes it once, outside of both, where an error fails the query. Each
 *   step that can fail therefore needs a separate TRY.
 */
import { has, type Sql, sql } from './sql.ts';

export function canUseTry(of: Sql): boolean {
  return !has(of, 'volatile') && !has(of, 'lambda');
}

/** Returns `TRY(…)` if that is safe, and otherwise `slower`, which must return null instead of failing. */
export function nullOnErrorOr(of: Sql, slower: Sql): Sql {
  return canUseTry(of) ? sql`TRY(${of})` : slower;
}

export function nullOnError(of: Sql): Sql {
  return canUseTry(of) ? sql`TRY(${of})` : of;
}
