/**
 * Values that are null, row by row, where computing them fails. DuckDB's TRY takes neither `random()` nor a
 * SELECT, and with some lambdas inside it ends the process, so what has any of them is left to fail the query.
 * What two attempts share is computed once and outside of both, where it fails the query after all, so each
 * step that can fail is an attempt of its own.
 */
import { macroBodies } from './macros.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';

/** The macros that use a lambda or SELECT, themselves or through others; each stands after those that it calls. */
const withLambda: ReadonlySet<string> = macrosWith('lambda', 'SELECT');
const withSelect: ReadonlySet<string> = macrosWith('SELECT');
const withTry: ReadonlySet<string> = macrosWith('TRY(');

function macrosWith(...words: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const [signature, body] of macroBodies) {
    if (words.some((word) => body.includes(word)) || callsOneOf(body, found)) {
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
  return !of.includes('random()') && !hasLambda(of);
}

function hasLambda(of: Sql): boolean {
  return of.includes('lambda') || callsOneOf(of, withLambda);
}

function hasSelect(of: Sql): boolean {
  return of.includes('SELECT') || callsOneOf(of, withSelect);
}

function hasTry(of: Sql): boolean {
  return of.includes('TRY(') || callsOneOf(of, withTry);
}

/** Whether a SELECT stands where DuckDB takes none, as far as the text tells. */
export function mayMisplaceSelect(of: Sql): boolean {
  return hasSelect(of) && (hasLambda(of) || hasTry(of));
}

/**
 * What is written over `args`, where it may put them into a lambda or TRY: arguments with a SELECT, which DuckDB
 * takes in neither, are computed before it, as members of the one item of a list.
 */
export function overHeld(args: readonly Sql[], write: (...args: readonly Sql[]) => Sql): Sql {
  if (!args.some(hasSelect)) return write(...args);
  const members = args.map((arg, i) =>
    hasSelect(arg) ? sql`_held.${print.identifier(`a${i}`)}` : arg,
  );
  const held = write(...members);
  if (hasSelect(held) || !(hasLambda(held) || hasTry(held))) return write(...args);
  const values = args.flatMap((arg, i) =>
    hasSelect(arg) ? [sql`${print.identifier(`a${i}`)}: ${arg}`] : [],
  );
  return sql`list_transform([{${print.join(values)}}], lambda _held: ${held})[1]`;
}

/** `TRY(…)` where that is safe, and else `slower`, which is null by itself where it cannot be computed. */
export function attemptElse(of: Sql, slower: Sql): Sql {
  return canAttempt(of) ? sql`TRY(${of})` : slower;
}

/** `TRY(…)` where that is safe. */
export function attempt(of: Sql): Sql {
  return canAttempt(of) ? sql`TRY(${of})` : of;
}
