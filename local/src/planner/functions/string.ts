/** Plans the string functions. */

import { regexGroupNames } from '../../../../language/src/index.ts';
import { argumentError, PlanError } from '../errors.ts';
import { checkPattern, constantPattern, groupCount, replacementSql } from '../patterns.ts';
import { precomputeLarge } from '../precompute.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import {
  arrayValue,
  as,
  constant,
  knownOf,
  nullOf,
  plainText,
  scalarOf,
  toDynamic,
  toText,
  typedPart,
  type Value,
  value,
  valueType,
} from '../values.ts';
import {
  at,
  type Call,
  constantLong,
  constantText,
  type FunctionPlan,
  isMissing,
  limitSize,
  optionalAt,
  positionAt,
  simple,
  toCommonType,
  values,
} from './define.ts';

const base1024: Sql = sql`1024e0`;
const base1000: Sql = sql`1000e0`;

/** Plans a pattern. If it isn't constant, it becomes null if invalid, and fails the query above 1,000 characters. */
function pattern(call: Call, i: number): Sql {
  const of = at(call, i);
  checkPattern(of, call.args[i] ?? call.node);
  const known = constantPattern(of);
  if (known !== undefined) return known;
  if (of.constant !== undefined) return as(of, 'string');
  return sql`apl.valid_pattern(${as(of, 'string')})`;
}

function replaceBy(call: Call): Value {
  const text = plainText(at(call, 2));
  const [found, by] = replacementSql(at(call, 0), pattern(call, 0), at(call, 1));
  if (!isShort(at(call, 1)))
    return value(sql`apl.replace_pattern(${found}, ${by}, ${text})`, 'string');
  return value(sql`regexp_replace(${text}, ${found}, ${by}, 'g')`, 'string');
}

/** Returns whether a replacement is constant and too short to make the result too long. */
function isShort(by: Value): boolean {
  const known = scalarOf(by);
  return typeof known === 'string' && known.length <= 100;
}

function trimming(start: boolean, end: boolean): FunctionPlan {
  return (call) => {
    const of = pattern(call, 0);
    let text = plainText(at(call, 1));
    if (start) text = sql`regexp_replace(${text}, '^(?:' || ${of} || ')', '')`;
    if (end) text = sql`regexp_replace(${text}, '(?:' || ${of} || ')$', '')`;
    return value(text, 'string');
  };
}

function extract(call: Call): Value {
  const group = constantLong(call, 1, 'capture group');
  const text = plainText(at(call, 2));
  const of = pattern(call, 0);
  const macro = knownGroups(call) === undefined ? 'apl.extract_of_row' : 'apl.extract';
  const found = hasGroup(call, group)
    ? value(print.call(macro, text, of, print.bareLong(group)), 'string')
    : nullOf('string');
  const [, , , wanted] = call.args;
  if (wanted === undefined) return found;
  if (wanted.kind === 'typeof') return typedPart(found, valueType(wanted.of));
  throw new PlanError('invalid-argument', wanted, 'Write the type as typeof(long).');
}

function knownGroups(call: Call): number | undefined {
  const known = scalarOf(at(call, 0));
  return typeof known === 'string' ? groupCount(known) : undefined;
}

/** The highest capture group number that DuckDB supports. */
const lastGroup = 9n;

/**
 * Returns whether the pattern may have the group. Rejects groups above 9 in a constant pattern, because DuckDB doesn't
 * support them.
 */
function hasGroup(call: Call, group: bigint): boolean {
  if (group < 0n || group > BigInt(knownGroups(call) ?? lastGroup)) return false;
  if (group <= lastGroup) return true;
  throw argumentError(
    call,
    1,
    `${call.node.name} supports groups 0 to ${lastGroup} here, not ${group}. Turn earlier groups into (?:…).`,
  );
}

/** Plans an array of matches: strings, or arrays for several capture groups. Null if the pattern lacks a group. */
function extractAll(call: Call): Value {
  const hasGroups = call.args.length > 2;
  const text = plainText(at(call, hasGroups ? 2 : 1));
  const given = pattern(call, 0);
  const groups = hasGroups ? wantedGroups(call) : allGroups(call);
  if (!groups.every((group) => hasGroup(call, group))) return nullOf('dynamic');
  if (knownGroups(call) !== undefined) return matchesOr(allMatches(text, given, groups));
  const highest = print.bareLong(groups.reduce((a, b) => (a > b ? a : b)));
  const matches = allMatches(text, sql`apl.with_groups(${given})`, groups);
  return matchesOr(sql`CASE WHEN apl.group_count(${given}) >= ${highest} THEN ${matches} END`);
}

/** Returns SQL for a list of matches. A group that didn't participate in its match is an empty string. */
function allMatches(text: Sql, of: Sql, groups: readonly bigint[]): Sql {
  const found = groups.map(
    (group) => sql`regexp_extract_all(${text}, ${of}, ${print.bareLong(group)})`,
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) {
    return sql`list_transform(${only}, lambda _match: coalesce(_match, ''))`;
  }
  const items = groups.map((_, i) => sql`coalesce(_match[${print.bareLong(BigInt(i + 1))}], '')`);
  const zipped = print.call('list_zip', ...found);
  return sql`list_transform(${zipped}, lambda _match: [${print.join(items)}])`;
}

/** Plans an array of matches. As in Kusto, the result is null if there are no matches. */
function matchesOr(matches: Sql): Value {
  return arrayValue(sql`apl.matches_or_null(${matches})`);
}

function wantedGroups(call: Call): readonly bigint[] {
  const wanted = knownOf(at(call, 1));
  const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
  const known = scalarOf(at(call, 0));
  const names = typeof known === 'string' ? regexGroupNames(known) : [];
  const groups = list
    .map((group) => (typeof group === 'string' ? groupNumber(group, names) : group))
    .filter((group): group is bigint => typeof group === 'bigint');
  if (groups.length > 0 && groups.length === list.length) return groups;
  throw argumentError(
    call,
    1,
    'The capture groups of extract_all must be a constant array of numbers or names, such as dynamic([1]).',
  );
}

function groupNumber(name: string, names: readonly (string | undefined)[]): bigint {
  const i = names.indexOf(name);
  return i === -1 ? -1n : BigInt(i) + 1n;
}

function allGroups(call: Call): readonly bigint[] {
  const count = groupCount(constantText(call, 0, 'regular expression'));
  return count === 0 ? [0n] : Array.from({ length: count }, (_, i) => BigInt(i + 1));
}

function indexof(call: Call): Value {
  const [text, found] = [plainText(at(call, 0)), plainText(at(call, 1))];
  if (call.args.length === 2) return value(sql`apl.indexof(${text}, ${found})`, 'long');
  const start = positionAt(call, 2, 0n);
  if (call.args.length === 3) {
    return value(sql`apl.indexof_from(${text}, ${found}, ${start})`, 'long');
  }
  const [length, occurrence] = [positionAt(call, 3, -1n), positionAt(call, 4, 1n)];
  return value(sql`apl.indexof_nth(${text}, ${found}, ${start}, ${length}, ${occurrence})`, 'long');
}

function indexofRegex(call: Call): Value {
  const [text, of] = [plainText(at(call, 0)), pattern(call, 1)];
  const [start, occurrence, length] = [
    positionAt(call, 2, 0n),
    positionAt(call, 3, 1n),
    positionAt(call, 4, -1n),
  ];
  return value(
    sql`CAST(apl.indexof_regex(${text}, ${of}, ${start}, ${occurrence}, ${length}) AS BIGINT)`,
    'long',
  );
}

const prefixes = 'KMGTPEZY';

/** Returns a byte unit's power and, if fixed, its base: 2 for KiB and 10 for kB. KB uses the call's base. */
function unitOf(unit: string): { power: number; base?: bigint } | undefined {
  if (unit === 'Bytes') return { power: 0 };
  const [, prefix, binary] = /^([kKMGTPEZY])(i?)B$/.exec(unit) ?? [];
  if (prefix === undefined || (prefix === 'k' && binary !== '')) return undefined;
  const power = prefixes.indexOf(prefix.toUpperCase()) + 1;
  if (binary !== '') return { power, base: 2n };
  return prefix === 'k' ? { power, base: 10n } : { power };
}

/** Plans `format_bytes`. The default unit is the largest one in which the size is at least 1. */
function formatBytes(call: Call): Value {
  const number = as(at(call, 0), 'real');
  const precision = as(optionalAt(call, 1) ?? nullOf('long'), 'long');
  const name = call.args[2] === undefined ? '' : constantText(call, 2, 'unit');
  const unit = name === '' ? undefined : unitOf(name);
  if (name !== '' && unit === undefined) {
    throw argumentError(call, 2, `The unit ${name} does not exist.`);
  }
  const base = unit?.base ?? constantLong(call, 3, 'base', 2n);
  const divisor = base === 10n ? base1000 : base1024;
  const power =
    unit === undefined
      ? sql`apl.size_power(${number}, ${divisor})`
      : print.bareLong(BigInt(unit.power));
  const names =
    unit === undefined
      ? sizeNames(base)
      : sql`list_transform(range(0, 9), lambda _i: ${print.text(name)})`;
  return value(
    sql`apl.format_bytes(${number}, coalesce(${precision}, 0), ${power}, ${divisor}, ${names})`,
    'string',
  );
}

function sizeNames(base: bigint): Sql {
  const units = [...prefixes].map((prefix, i) => (base === 10n && i === 0 ? 'k' : prefix));
  return sql`[${print.join(['Bytes', ...units.map((unit) => `${unit}B`)].map(print.text))}]`;
}

export const stringFunctions = {
  base64_decode_toarray: simple(['string'], 'array', (s) => sql`to_json(apl.base64_bytes(${s}))`),
  base64_decode_tostring: simple(['string'], 'string', 'apl.base64_text'),
  base64_encode_fromarray: simple(
    ['dynamic'],
    'string',
    (j) => sql`coalesce(apl.bytes_base64(apl.items(${j})), '')`,
  ),
  base64_encode_tostring: simple(['string'], 'string', (s) => sql`to_base64(encode(${s}))`),
  coalesce: (call) => {
    const { type, parts } = toCommonType(values(call));
    const empty = type === 'string' ? sql`''` : type === 'dynamic' ? sql`'""'::JSON` : undefined;
    // Keep the last argument even if it is empty, because no other argument follows it.
    const usable = parts.map((part, i) =>
      empty === undefined || i === parts.length - 1 ? part : sql`nullif(${part}, ${empty})`,
    );
    return value(print.call('coalesce', ...usable), type);
  },
  countof: simple(['string', 'string'], 'long', 'apl.countof'),
  countof_regex: (call) => {
    const text = plainText(at(call, 1));
    return value(
      sql`CAST(len(regexp_extract_all(${text}, ${pattern(call, 0)})) AS BIGINT)`,
      'long',
    );
  },
  extract: extract,
  extract_all: extractAll,
  format_bytes: formatBytes,
  format_url: simple(['dynamic'], 'string', 'apl.format_url'),
  gettype: (call) => {
    const of = at(call, 0);
    if (of.variants !== undefined) {
      const cases = of.variants.map(
        (variant) => sql`WHEN ${variant.sql} IS NOT NULL THEN ${print.text(variant.type)}`,
      );
      return value(sql`CASE ${print.join(cases, ' ')} ELSE 'null' END`, 'string');
    }
    if (of.type === 'dynamic') return value(sql`apl.json_kind(${of.sql})`, 'string');
    return value(
      sql`CASE WHEN ${of.sql} IS NULL THEN 'null' ELSE ${print.text(of.type)} END`,
      'string',
    );
  },
  indexof: indexof,
  indexof_regex: indexofRegex,
  isascii: simple(['string'], 'bool', (s) => sql`(octet_length(encode(${s})) = length(${s}))`),
  isempty: (call) => emptiness(at(call, 0), false),
  isnotempty: (call) => emptiness(at(call, 0), true),
  isnotnull: (call) => value(sql`(NOT ${isMissing(at(call, 0))})`, 'bool'),
  isnull: (call) => value(isMissing(at(call, 0)), 'bool'),
  parse_bytes: (call) => {
    const base = constantLong(call, 1, 'base', 2n) === 10n ? base1000 : base1024;
    return value(sql`apl.parse_bytes(${plainText(at(call, 0))}, ${base})`, 'long');
  },
  parse_csv: simple(['string'], 'array', 'apl.parse_csv'),
  parse_json: (call) => {
    const of = at(call, 0);
    if (of.type !== 'string') return { ...value(toDynamic(of).sql, 'dynamic') };
    return value(sql`coalesce(apl.parse_json(${of.sql}), to_json(${of.sql}))`, 'dynamic');
  },
  parse_path: simple(['string'], 'map', 'apl.parse_path'),
  parse_url: simple(['string'], 'map', 'apl.parse_url'),
  parse_urlquery: simple(['string'], 'map', 'apl.parse_query'),
  quote: simple(['string'], 'string', (s) => sql`CAST(json_quote(${s}) AS VARCHAR)`),
  regex_quote: simple(['string'], 'string', 'apl.quote_pattern'),
  replace: replaceBy,
  replace_regex: replaceBy,
  replace_string: (call) => {
    const [found, by, s] = [plainText(at(call, 0)), plainText(at(call, 1)), plainText(at(call, 2))];
    if (!isShort(at(call, 1)))
      return value(sql`apl.replace_string(${found}, ${by}, ${s})`, 'string');
    const replaced = sql`CASE WHEN ${found} = '' THEN ${s} ELSE replace(${s}, ${found}, ${by}) END`;
    return value(replaced, 'string');
  },
  reverse: simple(['string'], 'string', 'apl.reverse'),
  split: simple(['string', 'string'], 'array', (s, by) => sql`to_json(string_split(${s}, ${by}))`),
  strcat: (call) => {
    const of = joined(values(call));
    return of.constant === undefined ? { ...of, sql: limitSize(call, of.sql) } : of;
  },
  strcat_delim: (call) => {
    const [delimiter, ...parts] = values(call);
    const by = delimiter === undefined ? sql`''` : toText(delimiter);
    const made = print.call('concat_ws', by, ...parts.map(toText));
    return value(limitSize(call, made), 'string');
  },
  strcmp: simple(['string', 'string'], 'long', 'apl.compare'),
  string_size: simple(['string'], 'long', (s) => sql`octet_length(encode(${s}))`),
  strip_ansi_escapes: simple(['string'], 'string', 'apl.strip_ansi'),
  strlen: simple(['string'], 'long', 'length'),
  strrep: (call) => {
    const [of, count] = [at(call, 0), at(call, 1)];
    const delimiter = call.args[2] === undefined ? sql`''` : as(at(call, 2), 'string');
    const repeated = (text: Sql) =>
      value(print.call('apl.repeat', text, as(count, 'long'), delimiter), 'string');
    const text = as(of, 'string');
    const [known, times] = [scalarOf(of), scalarOf(count)];
    const isLong = typeof known === 'string' && Number(times) * known.length > 1_000;
    return isLong ? precomputeLarge(call.node, text, repeated, call.scope) : repeated(text);
  },
  substring: (call) => {
    const [text, start] = [plainText(at(call, 0)), positionAt(call, 1, 0n)];
    if (call.args.length === 2) return value(sql`apl.substring_from(${text}, ${start})`, 'string');
    return value(
      sql`apl.substring(${text}, ${start}, ${positionAt(call, 2, 2n ** 31n - 1n)})`,
      'string',
    );
  },
  tolower: simple(['string'], 'string', 'lower'),
  totitle: simple(['string'], 'string', 'apl.title'),
  toupper: simple(['string'], 'string', 'apl.upper'),
  translate: simple(['string', 'string', 'string'], 'string', 'apl.translate'),
  trim: simple(['string', 'string'], 'string', (cutset, s) => sql`trim(${s}, ${cutset})`),
  trim_end: simple(['string', 'string'], 'string', (cutset, s) => sql`rtrim(${s}, ${cutset})`),
  trim_end_regex: trimming(false, true),
  trim_regex: trimming(true, true),
  trim_space: simple(['string'], 'string', 'apl.trim_space'),
  trim_start: simple(['string', 'string'], 'string', (cutset, s) => sql`ltrim(${s}, ${cutset})`),
  trim_start_regex: trimming(true, false),
  unicode_codepoints_from_string: simple(['string'], 'array', 'apl.codepoints'),
  unicode_codepoints_to_string: (call) => {
    const parts = values(call).map((of) => sql`apl.flat(${toDynamic(of).sql})`);
    const [only] = call.args;
    if (parts.length === 1 && only?.type !== 'long') {
      return value(sql`apl.from_codepoints(${as(at(call, 0), 'dynamic')})`, 'string');
    }
    return value(sql`apl.from_codepoints(to_json(flatten([${print.join(parts)}])))`, 'string');
  },
  url_decode: simple(['string'], 'string', 'apl.url_decode'),
  url_encode: simple(['string'], 'string', 'url_encode'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

/** Concatenates values. The result of constant parts is constant, so that it can be used as a regular expression. */
function joined(parts: readonly Value[]): Value {
  const known = parts.map((part) =>
    /^(string|long)$/.test(part.type) ? scalarOf(part) : undefined,
  );
  if (known.every((one) => typeof one === 'string' || typeof one === 'bigint')) {
    return constant(known.join(''), 'string');
  }
  return value(sql`(${print.join(parts.map(toText), ' || ')})`, 'string');
}

/** Plans a test for emptiness. Null and the empty string are empty, but an empty array or map isn't. */
function emptiness(of: Value, negated: boolean): Value {
  const test =
    of.type === 'string'
      ? sql`coalesce(${of.sql} = '', true)`
      : of.type === 'dynamic'
        ? sql`coalesce(${toDynamic(of).sql} IN ('null', '""'), true)`
        : sql`(${of.sql} IS NULL)`;
  return value(negated ? sql`(NOT ${test})` : test, 'bool');
}
