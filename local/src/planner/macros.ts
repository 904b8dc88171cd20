/**
 * SQL macros for meanings that DuckDB lacks. They live in a catalog of their own, `apl`, held in memory
 * beside the data, so that nothing of them is ever stored; the store makes each when it is first named. A
 * macro's parameter is put in wherever it is named, so a body that needs one often is split into a macro that
 * prepares it and one that uses it. Names inside macros start with an underscore, which no caller's can.
 */
import { arrayMacros } from './macros/arrays.ts';
import { conversionMacros } from './macros/conversions.ts';
import { genaiMacros } from './macros/genai.ts';
import { mathMacros } from './macros/math.ts';
import { networkMacros } from './macros/network.ts';
import { seriesMacros } from './macros/series.ts';
import { sha512Macros } from './macros/sha512.ts';
import { textMacros } from './macros/text.ts';
import { timeMacros } from './macros/time.ts';

/** Every macro, by its name with parameters, in the order of creation. */
const bodies: readonly (readonly [signature: string, body: string])[] = [
  conversionMacros,
  timeMacros,
  mathMacros,
  arrayMacros,
  textMacros,
  seriesMacros,
  networkMacros,
  genaiMacros,
  sha512Macros,
].flatMap((macros) => Object.entries(macros));

/**
 * A body in which a field of what a lambda is handed stands in brackets. Inside of a subquery, such as that of
 * `sorted_json`, DuckDB takes `_pair.key` for the text `_pair.key`.
 */
function withBrackets(body: string): string {
  return body.replace(/(?<=\b_[a-z]+(?:\.[a-z]+)*)\.([a-z]+)/g, "['$1']");
}

/** The statement that makes the catalog of the macros; to be run before them. */
export const macroCatalogSql = `ATTACH IF NOT EXISTS ':memory:' AS apl`;

export interface Macro {
  readonly name: string;
  /** Makes it, once its catalog is there; what it calls may come later, and running it again is harmless. */
  readonly sql: string;
}

/** Every macro, in the order of creation. */
export const macros: readonly Macro[] = bodies.map(([signature, body]) => ({
  name: signature.slice(0, signature.indexOf('(')),
  sql: `CREATE OR REPLACE MACRO apl.${signature} AS ${withBrackets(body)}`,
}));

/** The names of macros that a text calls. */
export function macroCalls(text: string): readonly string[] {
  return [...text.matchAll(/\bapl\.(\w+)\(/g)].map(([, name]) => name as string);
}

const calls = new Map<string, readonly string[]>();

/** What each macro calls, by its name; found when first asked for, which leaves the start of a process alone. */
export function callsOfMacros(): ReadonlyMap<string, readonly string[]> {
  if (calls.size === 0) for (const { name, sql } of macros) calls.set(name, macroCalls(sql));
  return calls;
}

/** The macros that a statement needs, directly or not, in the order of creation. */
export function macrosFor(statement: string): readonly Macro[] {
  const wanted = new Set<string>();
  const waiting = statement.includes('apl.') ? [...macroCalls(statement)] : [];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const called = callsOfMacros().get(name);
    if (called === undefined || wanted.has(name)) continue;
    wanted.add(name);
    waiting.push(...called);
  }
  return wanted.size === 0 ? [] : macros.filter(({ name }) => wanted.has(name));
}
