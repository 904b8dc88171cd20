/** Regular expressions. Both engines use RE2, but in ClickHouse a dot also matches a line break by default. */
import { coerced } from '../casts.ts';
import { argument, type Call, type FunctionRow } from '../context.ts';
import { newVariable } from '../lists.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import { listOf, scalarType, structOf } from '../types.ts';
import { nullIfAny, nullTest, quotedText, scalar, textValue, type Value } from '../value.ts';
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

function constantPattern(call: Call, i: number): string {
  return `(?-s)${constantText(call, i)}`;
}

function traitsOf(...values: readonly Value[]) {
  return {
    present: values.every(({ present }) => present === true),
    ...(values.some(({ fails }) => fails) && { fails: true }),
  };
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

const extract: FunctionRow = (call) => {
  const s = textAt(call, 0);
  const pattern = quotedText(constantPattern(call, 1));
  const groups = call.nodes[2];
  if (groups?.kind === 'list') {
    const fields = groups.items.map(
      (name) => [name.kind === 'string' ? name.value : '', string] as const,
    );
    const parts = fields.map((_, i) => `regexpExtract(${s.sql}, ${pattern}, ${i + 1})`);
    return { sql: `tuple(${parts.join(', ')})`, type: structOf(fields) };
  }
  const group = groupAt(call, 2);
  return scalar(`regexpExtract(${s.sql}, ${pattern}, ${group})`, 'string', traitsOf(s));
};

const extractAll: FunctionRow = (call) => {
  const s = textAt(call, 0);
  const pattern = constantPattern(call, 1);
  const group = groupAt(call, 2);
  const text = s.present ? s.sql : `assumeNotNull(${s.sql})`;
  const groups = newVariable();
  const sql =
    group === 0
      ? `extractAll(${text}, ${quotedText(`(${pattern})`)})`
      : `arrayMap(${groups} -> ${groups}[${group}], extractAllGroupsVertical(${text}, ${quotedText(pattern)}))`;
  return nullIfAny({ sql: withMatches(sql, quotedText(pattern)), type: listOf(string) }, [
    nullTest(s),
  ]);
};

const split: FunctionRow = (call) => {
  const s = textAt(call, 0);
  const pattern = quotedText(constantPattern(call, 1));
  const text = s.present ? s.sql : `assumeNotNull(${s.sql})`;
  const parts = withMatches(`splitByRegexp(${pattern}, ${text})`, pattern);
  return nullIfAny({ sql: parts, type: listOf(string) }, [nullTest(s)]);
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
