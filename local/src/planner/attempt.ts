/**
 * Values that are null, row by row, where computing them fails. DuckDB's TRY takes neither `random()` nor a
 * SELECT, and with some lambdas inside it ends the process, so what has any of them is left to fail the query.
 * What two attempts share is computed once and outside of both, where it fails the query after all, so each
 * step that can fail is an attempt of its own.
 */
import { macroBodies } from './macros.ts';
import { type Sql, sql } from './sql.ts';

/** The macros that use a lambda or SELECT, themselves or through others; each stands after those that it calls. */
const withLambda: ReadonlySet<string> = macrosWithLambda();

function macrosWithLambda(): Set<string> {
  const found = new Set<string>();
  for (const [signature, body] of macroBodies) {
    if (body.includes('lambda') || body.includes('SELECT') || callsOneOf(body, found)) {
      found.add(signature.slice(0, signature.indexOf('(')));
    }
  }
  return found;
}

function callsOneOf(text: string, names: ReadonlySet<string>): boolean {
  for (const [, name] of text.matchAll(/\bapl\.(\w+)\(/g)) {
    if (names.has(name as string)) return true;
  }
  return false;
}

/** Whether TRY takes it. */
export function canAttempt(of: Sql): boolean {
  return !of.includes('random()') && !of.includes('lambda') && !callsOneOf(of, withLambda);
}

/** `TRY(…)` where that is safe, and else `slower`, which is null by itself where it cannot be computed. */
export function attemptElse(of: Sql, slower: Sql): Sql {
  return canAttempt(of) ? sql`TRY(${of})` : slower;
}

/** `TRY(…)` where that is safe. */
export function attempt(of: Sql): Sql {
  return canAttempt(of) ? sql`TRY(${of})` : of;
}
