/**
 * SQL macros for operations that DuckDB lacks. They are in a separate in-memory catalog, `apl`, so they are never
 * stored. The store creates each macro on first use.
 *
 * DuckDB inlines an argument at every use, so a macro that needs an argument several times is split in two: one macro
 * computes the value and passes it to the other. Names inside macros start with an underscore, so they can't collide
 * with a caller's names.
 *
 * Most macros are in the file of the functions that call them. `macros/` has the string macros, because they are long,
 * and the macros over functions implemented in JavaScript.
 */
import { arrayMacros } from './functions/array.ts';
import { conversionMacros } from './functions/conversion.ts';
import { datetimeMacros } from './functions/datetime.ts';
import { genaiMacros } from './functions/genai.ts';
import { generalMacros } from './functions/general.ts';
import { ipMacros } from './functions/ip.ts';
import { mathMacros } from './functions/math.ts';
import { seriesMacros } from './functions/series.ts';
import { computedMacros } from './macros/computed.ts';
import { stringMacros } from './macros/string.ts';
import { registerMacros } from './traits.ts';

const bodies: readonly (readonly [signature: string, body: string])[] = [
  computedMacros,
  conversionMacros,
  datetimeMacros,
  mathMacros,
  arrayMacros,
  stringMacros,
  seriesMacros,
  ipMacros,
  genaiMacros,
  generalMacros,
].flatMap((macros) => Object.entries(macros));

/** Replaces `_pair.key` with `_pair['key']`, because DuckDB reads `_pair.key` in a sub-query as a string. */
function withBrackets(body: string): string {
  return body.replace(/(?<=\b_[a-z]+(?:\.[a-z]+)*)\.([a-z]+)/g, "['$1']");
}

/** The statement that creates the macros' catalog. It must run before any macro is created. */
export const macroCatalogSql = `ATTACH IF NOT EXISTS ':memory:' AS apl`;

export interface Macro {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: string;
  /** Creates or replaces the macro. The catalog must exist, but the macros that the body calls need not exist yet. */
  readonly sql: string;
}

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

registerMacros(macros);
