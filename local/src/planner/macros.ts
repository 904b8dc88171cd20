/**
 * SQL macros for meanings that DuckDB lacks. They live in a catalog of their own, `apl`, held in memory
 * beside the data, so that nothing of them is ever stored; the store makes them when one is first needed, or
 * soon after it opened. A macro's parameter is put in wherever it is named, so a body that needs one often is
 * split into a macro that prepares it and one that uses it. A macro stands after those that it calls. Names
 * inside macros start with an underscore, which no caller's can.
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

/** Every macro, as its name with parameters and its body, in the order of creation. */
export const macroBodies: readonly (readonly [signature: string, body: string])[] = [
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

/** The statements that make the macros, once their catalog is there, in order. Running them again is harmless. */
export const macroDefinitionsSql: readonly string[] = macroBodies.map(
  ([signature, body]) => `CREATE OR REPLACE MACRO apl.${signature} AS ${withBrackets(body)}`,
);
