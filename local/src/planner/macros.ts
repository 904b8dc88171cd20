/**
 * SQL macros for meanings that DuckDB lacks. They live in a catalog of their own, `apl`, held in memory
 * beside the data, so that nothing of them is ever stored; the store makes each when it is first named. A
 * macro's parameter is put in wherever it is named, so a body that needs one often is split into a macro that
 * prepares it and one that uses it. Names inside macros start with an underscore, which no caller's can.
 */
import { arrayMacros } from './macros/arrays.ts';
import { computedMacros } from './macros/computed.ts';
import { conversionMacros } from './macros/conversions.ts';
import { genaiMacros } from './macros/genai.ts';
import { mathMacros } from './macros/math.ts';
import { networkMacros } from './macros/network.ts';
import { seriesMacros } from './macros/series.ts';
import { textMacros } from './macros/text.ts';
import { timeMacros } from './macros/time.ts';

/** Every macro, by its name with parameters, in the order of creation. */
const bodies: readonly (readonly [signature: string, body: string])[] = [
  computedMacros,
  conversionMacros,
  timeMacros,
  mathMacros,
  arrayMacros,
  textMacros,
  seriesMacros,
  networkMacros,
  genaiMacros,
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
  readonly parameters: readonly string[];
  readonly body: string;
  /** Makes it, once its catalog is there; what it calls may come later, and running it again is harmless. */
  readonly sql: string;
}

/** Every macro, in the order of creation. */
export const macros: readonly Macro[] = bodies.map(([signature, written]) => {
  const [name = '', list = ''] = signature.split(/[()]/);
  const body = withBrackets(written);
  return {
    name,
    parameters: list === '' ? [] : list.split(', '),
    body,
    sql: `CREATE OR REPLACE MACRO apl.${signature} AS ${body}`,
  };
});
