/**
 * SQL macros for semantics that DuckDB lacks. They are in a separate in-memory catalog, `apl`, so they are never
 * stored. The store creates each macro on first use. DuckDB inlines a parameter at every use, so a body that needs an
 * argument often is split into two macros: one computes the value and the other uses it. Names inside macros start with
 * an underscore, so they can't collide with a caller's names. Macros are in the files of the functions that call them,
 * except those in `macros/`: string macros, because of their length, and macros over functions implemented in
 * JavaScript.
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

/** All macros by signature, in the order of creation. */
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

/** Writes `_pair['key']` for `_pair.key`, which DuckDB reads as a string inside a sub-query. */
function withBrackets(body: string): string {
  return body.replace(/(?<=\b_[a-z]+(?:\.[a-z]+)*)\.([a-z]+)/g, "['$1']");
}

/** The statement that creates the macro catalog. Run it before creating macros. */
export const macroCatalogSql = `ATTACH IF NOT EXISTS ':memory:' AS apl`;

export interface Macro {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: string;
  /** Creates the macro. Needs the catalog, but not the macros that the body calls, and can be run again. */
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
