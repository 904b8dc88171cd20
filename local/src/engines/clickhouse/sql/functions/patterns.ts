/** Regular expressions. Both engines use RE2, but in ClickHouse a dot also matches a line break by default. */
import { coerced } from '../casts.ts';
import { argument, type Call, type FunctionRow } from '../context.ts';
import { computedOnce, newVariable } from '../lists.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import { listOf, scalarType, structOf } from '../types.ts';
import {
  nullIfAny,
  nullTest,
  quotedText,
  scalar,
  textValue,
  traitsOf,
  type Value,
} from '../value.ts';
import { constantText } from './define.ts';

const string = scalarType('string');

function textAt(call: Call, i: number): Value {
  return coerced(argument(call, i), string);
}

/** Returns a pattern with DuckDB's defaults. `flags` are letters such as `i`. */
function patternAt(
  call: Call,
  i: number,
  flags = '',
): { readonly sql: string; readonly value: Value } {
  const value = textAt(call, i);
  const start = `(?${flags}-s)`;
  const { constant } = value;
  if (typeof constant === 'string') return { sql: quotedText(start + constant), value };
  return { sql: `concat('${start}', ${value.sql})`, value };
}

/** ClickHouse leaves out empty matches, so a pattern that has them is refused. */
function withMatches(list: string, pattern: string): string {
  return `arraySlice(${list}, 1 + throwIf(match('', ${pattern}), 'ClickHouse leaves out empty matches'))`;
}

function matches(isWhole: boolean): FunctionRow {
  return (call) => {
    if (call.nodes.length > 2) throw new NotOnEngine(`${call.name}() with options`);
    const s = textAt(call, 0);
    const p = textAt(call, 1);
    const pattern = isWhole ? wholePattern(p) : patternAt(call, 1).sql;
    const traits = traitsOf(s, p);
    const sql = `match(${s.sql}, ${pattern})`;
    return scalar(
      s.present || p.present ? sql : `if(isNull(${p.sql}), NULL, ${sql})`,
      'bool',
      traits,
    );
  };
}

function wholePattern({ sql, constant }: Value): string {
  if (typeof constant === 'string') return quotedText(`(?-s)^(?:${constant})$`);
  return `concat('(?-s)^(?:', ${sql}, ')$')`;
}

function groupAt(call: Call, i: number): number {
  if (call.nodes.length <= i) return 0;
  const { constant } = argument(call, i);
  if (typeof constant !== 'bigint') throw new NotOnEngine(`${call.name}() with a computed group`);
  return Number(constant);
}

/** Separates matches from the text around them. Strings with this mark are refused. */
const MARK = "'\\0\\x01\\0'";

/**
 * Splits a string at the matches of a computed pattern: a gap, then each match's group and the gap after it. ClickHouse
 * extracts only constant patterns, but it replaces computed ones.
 */
function piecesOf(s: string, pattern: string, group: number, name: string): string {
  const refused = `throwIf(position(${s}, ${MARK}) > 0, 'ClickHouse cannot search this string')`;
  const marked = `${name}(substring(${s}, 1 + ${refused}), ${pattern}, concat(${MARK}, '\\\\${group}', ${MARK}))`;
  return `splitByString(${MARK}, ${marked})`;
}

function isConstant({ value }: { readonly value: Value }): boolean {
  return typeof value.constant === 'string';
}

const extract: FunctionRow = (call) => {
  const s = textAt(call, 0);
  const pattern = patternAt(call, 1);
  const groups = call.nodes[2];
  const one = (group: number) => {
    if (isConstant(pattern)) return `regexpExtract(${s.sql}, ${pattern.sql}, ${group})`;
    const pieces = piecesOf(
      `assumeNotNull(${s.sql})`,
      `assumeNotNull(${pattern.sql})`,
      group,
      'replaceRegexpOne',
    );
    return `if(isNull(${s.sql}) OR isNull(${pattern.sql}), NULL, ifNull(arrayElementOrNull(${pieces}, 2), ''))`;
  };
  if (groups?.kind === 'list') {
    const fields = groups.items.map(
      (name) => [name.kind === 'string' ? name.value : '', string] as const,
    );
    return { sql: `tuple(${fields.map((_, i) => one(i + 1)).join(', ')})`, type: structOf(fields) };
  }
  const digits = /^[^()]*\(\[0-9\](?:\{[\d,]+\}|[+*])\)[^()]*$/.test(`${pattern.value.constant}`);
  const group = groupAt(call, 2);
  return scalar(one(group), 'string', {
    ...traitsOf(s, pattern.value),
    digits: digits && group === 1,
  });
};

/** Returns the matches, or the gaps between them, of pieces. */
function everySecond(pieces: string, remainder: 0 | 1): string {
  const [item, place] = [newVariable(), newVariable()];
  return computedOnce(
    [pieces],
    (all) =>
      `arrayFilter((${item}, ${place}) -> ${place} % 2 = ${remainder}, ${all}, arrayEnumerate(${all}))`,
  );
}

const extractAll: FunctionRow = (call) => {
  const s = textAt(call, 0);
  const pattern = patternAt(call, 1);
  const group = groupAt(call, 2);
  const text = s.present ? s.sql : `assumeNotNull(${s.sql})`;
  const item = newVariable();
  const tests = [nullTest(s), nullTest(pattern.value)];
  if (isConstant(pattern)) {
    const sql =
      group === 0
        ? `extractAll(${text}, ${quotedText(`(?-s)(${pattern.value.constant})`)})`
        : `arrayMap(${item} -> ${item}[${group}], extractAllGroupsVertical(${text}, ${pattern.sql}))`;
    return nullIfAny({ sql: withMatches(sql, pattern.sql), type: listOf(string) }, tests);
  }
  const pieces = piecesOf(text, `assumeNotNull(${pattern.sql})`, group, 'replaceRegexpAll');
  return nullIfAny({ sql: everySecond(pieces, 0), type: listOf(string) }, tests);
};

const split: FunctionRow = (call) => {
  const s = textAt(call, 0);
  const pattern = patternAt(call, 1);
  const text = s.present ? s.sql : `assumeNotNull(${s.sql})`;
  const tests = [nullTest(s), nullTest(pattern.value)];
  if (isConstant(pattern)) {
    const parts = withMatches(`splitByRegexp(${pattern.sql}, ${text})`, pattern.sql);
    return nullIfAny({ sql: parts, type: listOf(string) }, tests);
  }
  const present = `assumeNotNull(${pattern.sql})`;
  const pieces = piecesOf(text, present, 0, 'replaceRegexpAll');
  const gaps = withMatches(everySecond(pieces, 1), present);
  return nullIfAny({ sql: gaps, type: listOf(string) }, tests);
};

const replace: FunctionRow = (call) => {
  const s = textAt(call, 0);
  const by = textAt(call, 2);
  const options = call.nodes.length > 3 ? constantText(call, 3) : '';
  const { sql, value } = patternAt(call, 1, options.replace('g', ''));
  const name = options.includes('g') ? 'replaceRegexpAll' : 'replaceRegexpOne';
  return scalar(`${name}(${s.sql}, ${sql}, ${by.sql})`, 'string', traitsOf(s, value, by));
};

export const patternFunctions: Readonly<Record<string, FunctionRow>> = {
  regexp_escape: (call) => {
    const s = textAt(call, 0);
    if (typeof s.constant === 'string')
      return textValue(s.constant.replace(/[^A-Za-z0-9_\x80-\uffff]/g, '\\$&'));
    const escaped = `replaceRegexpAll(${s.sql}, '([^A-Za-z0-9_\\\\x{80}-\\\\x{10ffff}])', '\\\\\\\\\\\\1')`;
    return scalar(escaped, 'string', traitsOf(s));
  },
  regexp_extract: extract,
  regexp_extract_all: extractAll,
  regexp_full_match: matches(true),
  regexp_matches: matches(false),
  regexp_replace: replace,
  regexp_split_to_array: split,
};
