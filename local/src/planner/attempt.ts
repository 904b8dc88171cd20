/**
 * Values that are null, row by row, where computing them fails. DuckDB's TRY takes neither `random()` nor a
 * SELECT, and with some lambdas inside it ends the process, so what has any of them is left to fail the query.
 * What two attempts share is computed once and outside of both, where it fails the query after all, so each
 * step that can fail is an attempt of its own.
 */
import { callsOfMacros, macroCalls, macros } from './macros.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';

/** The macros that have one of some words, themselves or through others. */
function macrosWith(...words: readonly string[]): () => ReadonlySet<string> {
  let found: Set<string> | undefined;
  return () => {
    if (found !== undefined) return found;
    const own = macros.filter(({ sql }) => words.some((word) => sql.includes(word)));
    found = new Set(own.map(({ name }) => name));
    for (let before = 0; before < found.size; ) {
      before = found.size;
      for (const [name, calls] of callsOfMacros()) {
        if (calls.some((other) => found?.has(other))) found.add(name);
      }
    }
    return found;
  };
}

const withLambda = macrosWith('lambda', 'SELECT');
const withSelect = macrosWith('SELECT');
const withTry = macrosWith('TRY(');

function callsOneOf(text: string, names: () => ReadonlySet<string>): boolean {
  const called = macroCalls(text);
  return called.length > 0 && called.some((name) => names().has(name));
}

/** Whether TRY takes it. */
export function canAttempt(of: Sql): boolean {
  return !of.includes('random()') && !hasLambda(of);
}

function hasLambda(of: Sql): boolean {
  return of.includes('lambda') || callsOneOf(of, withLambda);
}

/** Whether it is or holds a sub-query. */
export function hasSelect(of: Sql): boolean {
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
 * takes in neither, are computed before it, as members of the one item of a list. Undefined where that is not
 * needed or would not help.
 */
export function overHeld(args: readonly Sql[], write: (...args: Sql[]) => Sql): Sql | undefined {
  if (!args.some(hasSelect)) return undefined;
  const members = args.map((arg, i) =>
    hasSelect(arg) ? sql`_held.${print.identifier(`a${i}`)}` : arg,
  );
  const held = write(...members);
  if (hasSelect(held) || !(hasLambda(held) || hasTry(held))) return undefined;
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
