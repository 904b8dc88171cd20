/**
 * Values that are null, row by row, where computing them fails. DuckDB's TRY takes neither `random()` nor a
 * SELECT, and with some lambdas inside it ends the process, so what has any of them is left to fail the query.
 * What two attempts share is computed once and outside of both, where it fails the query after all, so each
 * step that can fail is an attempt of its own.
 */
import { holding } from './facts.ts';
import { type Sql, sql } from './sql.ts';

/** Whether TRY takes it. */
export function canAttempt(of: Sql): boolean {
  return (of.holds & (holding.volatile | holding.lambda)) === 0;
}

/** `TRY(…)` where that is safe, and else `slower`, which is null by itself where it cannot be computed. */
export function attemptElse(of: Sql, slower: Sql): Sql {
  return canAttempt(of) ? sql`TRY(${of})` : slower;
}

/** `TRY(…)` where that is safe. */
export function attempt(of: Sql): Sql {
  return canAttempt(of) ? sql`TRY(${of})` : of;
}
