/** Writes conversions of values to text and to JSON, with the same characters as DuckDB. */
import { computedOnce, newVariable } from './lists.ts';
import { NotOnEngine } from './notOnEngine.ts';
import { isOptional } from './types.ts';
import { field, quotedText, required, type Value } from './value.ts';

/** Formats a double as DuckDB does: `1.0`, `1e+16`, `1e-05`. */
export function doubleText(sql: string): string {
  return computedOnce([sql], (one) => doubleWithText(one, `toString(${one})`));
}

function doubleWithText(sql: string, x: string): string {
  return `multiIf(isNull(${sql}), NULL, ${sql} = 0, concat(${x}, '.0'), NOT isFinite(${sql}), ${x}, abs(${sql}) >= 1e16 OR abs(${sql}) < 1e-4, ${exponentText(x)}, position(${x}, '.') > 0, ${x}, concat(${x}, '.0'))`;
}

/** Writes digits with an exponent of at least two digits. ClickHouse writes exponents only below 1e-6 and from 1e21. */
function exponentText(x: string): string {
  const digits = `replaceRegexpOne(replaceRegexpOne(${x}, '^-?0[.]0+', ''), '^-', '')`;
  const significant = `trimRight(${digits}, '0')`;
  const mantissa = `concat(if(startsWith(${x}, '-'), '-', ''), substring(${significant}, 1, 1), if(length(${significant}) > 1, concat('.', substring(${significant}, 2)), ''))`;
  const small = `concat(${mantissa}, 'e-', leftPad(toString(length(extract(${x}, '^-?0[.](0+)')) + 1), 2, '0'))`;
  const large = `concat(${mantissa}, 'e+', toString(length(${digits}) - 1))`;
  return `multiIf(match(${x}, 'e-[0-9]$'), replaceRegexpOne(${x}, 'e-', 'e-0'), match(${x}, 'e-'), ${x}, match(${x}, 'e'), replaceRegexpOne(${x}, 'e[+]?', 'e+'), match(${x}, '^-?0[.]'), ${small}, ${large})`;
}

/** Formats a double as DuckDB does in JSON: `1.0`, `1e21`, `0.00001`. */
export function doubleJson(sql: string): string {
  return computedOnce(
    [`toString(${sql})`],
    (x) => `if(match(${x}, '[.a-z]'), ${x}, concat(${x}, '.0'))`,
  );
}

export function timeText(sql: string): string {
  return `trimRight(trimRight(toString(${sql}), '0'), '.')`;
}

/** Quotes a string as DuckDB does in JSON. ClickHouse also escapes the line separators U+2028 and U+2029. */
export function jsonText(sql: string): string {
  return computedOnce([sql], quotedJson);
}

function quotedJson(sql: string): string {
  const plain = `concat('"', ${sql}, '"')`;
  const pieces = newVariable();
  const quoted = `substring(toJSONString(${pieces}), 2, length(toJSONString(${pieces})) - 2)`;
  const escaped =
    `concat('"', arrayStringConcat(arrayMap(${pieces} -> if(${pieces} IN ('\\u2028', '\\u2029'), ${pieces}, ${quoted}), extractAll(assumeNotNull(${sql}), '[\\\\x{2028}\\\\x{2029}]|[^\\\\x{2028}\\\\x{2029}]+'))), '"')`
      .replaceAll('\\u2028', '\u2028')
      .replaceAll('\\u2029', '\u2029');
  return `if(match(${sql}, '["\\\\\\\\\\\\x00-\\\\x1f]'), ${escaped}, ${plain})`;
}

/** Returns the JSON of a value, or SQL NULL for null. */
export function jsonOf(of: Value): string {
  const { sql, type } = of;
  if (isOptional(type))
    return computedOnce(
      [sql],
      (one) => `if(${field(one, 2)}, NULL, ${jsonOf(required({ ...of, sql: one }))})`,
    );
  switch (type.kind) {
    case 'null':
      return 'NULL';
    case 'json':
      return sql;
    case 'string':
      return jsonText(sql);
    case 'int':
    case 'huge':
      return `toString(${sql})`;
    case 'bool':
      return computedOnce([sql], (b) => `multiIf(isNull(${b}), NULL, ${b}, 'true', 'false')`);
    case 'double':
      return doubleJson(sql);
    case 'list': {
      const item = newVariable();
      const one = jsonOrNull({ sql: item, type: type.of });
      return `concat('[', arrayStringConcat(arrayMap(${item} -> ${one}, ${sql}), ','), ']')`;
    }
    case 'struct': {
      return computedOnce([sql], (one) => {
        const members = type.names.map((name, i) => {
          const start = `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`;
          return `${quotedText(start)}, ${jsonOrNull({ sql: field(one, i + 1), type: type.types[i]! })}`;
        });
        return `concat(${members.join(', ')}, '}')`;
      });
    }
    default:
      throw new NotOnEngine(`to_json of ${type.kind}`);
  }
}

export function jsonOrNull(of: Value): string {
  return `ifNull(${jsonOf(of)}, 'null')`;
}

/** Matches numbers that JSONExtractRaw would write differently, and escaped characters. */
const INEXACT = quotedText(
  '(?:^|[:,\\[])-?[0-9]+(?:[.][0-9]*0|(?:[.][0-9]+)?[eE][-+]?[0-9]+|[0-9]{19,})(?:[,}\\]]|$)|\\\\[u/]|[\\x{2028}\\x{2029}]',
);

export function isInexact(json: string): string {
  return `match(${json}, ${INEXACT})`;
}

/** Splits an array's items, or an object's members, as they are written. */
export function jsonParts(json: string): string {
  return computedOnce([json], partsOf);
}

function partsOf(json: string): string {
  const pattern = quotedText('"(?:[^"\\\\]|\\\\.)*"|[][{},:]|[^][{},:"]+');
  const inner = `substring(assumeNotNull(${json}), 2, length(assumeNotNull(${json})) - 2)`;
  const words = `extractAll(${inner}, ${pattern})`;
  const [word, depth, part] = [newVariable(), newVariable(), newVariable()];
  const depths = `arrayCumSum(${word} -> toInt32(${word} IN ('{', '[')) - toInt32(${word} IN ('}', ']')), ${words})`;
  const split = `arraySplit((${word}, ${depth}) -> ${word} = ',' AND ${depth} = 0, ${words}, ${depths})`;
  return `arrayMap(${part} -> trimLeft(arrayStringConcat(${part}), ','), ${split})`;
}

/** Returns the text of a JSON value: a string's characters, or the JSON of any other value. JSON null is null. */
export function jsonContent(json: string): string {
  return computedOnce(
    [json],
    (j) =>
      `multiIf(isNull(${j}) OR ${j} = 'null', NULL, startsWith(${j}, '"'), JSONExtractString(${j}), ${j})`,
  );
}

/** Checks JSON. DuckDB also accepts JSON in looser forms, which the planner rejects before. */
export function validJson(sql: string, attempt: boolean): string {
  // ClickHouse rejects numbers outside the range of 64 bits, so their digits are shortened for the check.
  const shortened = (s: string) =>
    `replaceRegexpAll(replaceRegexpAll(ifNull(${s}, ''), '([0-9]{15})[0-9]+', '\\\\1'), '([0-9][eE])[-+]?[0-9]{3,}', '\\\\11')`;
  return computedOnce([sql], (s) =>
    attempt
      ? `if(isValidJSON(${shortened(s)}), ${s}, NULL)`
      : `if(throwIf(isNotNull(${s}) AND NOT isValidJSON(${shortened(s)}), 'Malformed JSON') = 1, NULL, ${s})`,
  );
}
