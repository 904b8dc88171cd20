/** Functions on strings. DuckDB counts characters, and ClickHouse's plain functions bytes. */
import { coerced } from '../casts.ts';
import { argument, type Call, type FunctionRow } from '../context.ts';
import { joinedBy, newVariable } from '../lists.ts';
import { scalarType } from '../types.ts';
import {
  nullIfAny,
  nullTest,
  quotedText,
  scalar,
  textValue,
  traitsOf,
  type Value,
} from '../value.ts';
import { containsInAnyCase } from './anyCase.ts';
import { failing, simple } from './define.ts';
import { lower, refusedIf } from './lowercase.ts';

/** Characters that the two engines' Unicode tables convert differently. */
const UNLIKE_UPPER =
  '\\x{df}\\x{149}\\x{19b}\\x{1f0}\\x{264}\\x{390}\\x{3b0}\\x{587}\\x{1c8a}\\x{1e96}-\\x{1e9a}\\x{1f50}\\x{1f52}\\x{1f54}\\x{1f56}\\x{1f80}-\\x{1faf}\\x{1fb2}-\\x{1fb4}\\x{1fb6}\\x{1fb7}\\x{1fbc}\\x{1fc2}-\\x{1fc4}\\x{1fc6}\\x{1fc7}\\x{1fcc}\\x{1fd2}\\x{1fd3}\\x{1fd6}\\x{1fd7}\\x{1fe2}-\\x{1fe4}\\x{1fe6}\\x{1fe7}\\x{1ff2}-\\x{1ff4}\\x{1ff6}\\x{1ff7}\\x{1ffc}\\x{a7cd}\\x{a7cf}\\x{a7d3}\\x{a7d5}\\x{a7db}\\x{fb00}-\\x{fb06}\\x{fb13}-\\x{fb17}\\x{10d70}-\\x{10d85}\\x{16ebb}-\\x{16ed3}';

export function upper(s: string): string {
  return `if(isASCII(${s}), upper(${s}), upperUTF8(${refusedIf(s, UNLIKE_UPPER, 'upper')}))`;
}

const trims: Readonly<Record<string, readonly string[]>> = {
  trim: ['^[', ']+|[', ']+$'],
  ltrim: ['^[', ']+'],
  rtrim: ['[', ']+$'],
};

/** Removes characters from the ends. The second argument has the characters, and is a space by default. */
const trimmed: FunctionRow = (call) => {
  const args = call.nodes.map((_, i) => coerced(argument(call, i), scalarType('string')));
  const [s, characters = textValue(' ')] = args as [Value, Value?];
  const set = `regexpQuoteMeta(${characters.sql})`;
  const parts = trims[call.name]!.flatMap((part, i) =>
    (i === 0 ? [] : [set]).concat(quotedText(part)),
  );
  // The brackets must not be empty, not even beneath a null.
  const none = nullIfAny(textValue('^$'), [nullTest(characters)]).sql;
  const pattern = `if(ifNull(${characters.sql} = '', true), ${none}, concat(${parts.join(', ')}))`;
  return scalar(`replaceRegexpAll(${s.sql}, ${pattern}, '')`, 'string', traitsOf(...args));
};

/** Positions before the first character shorten the result, as in standard SQL. */
function substring(call: Call) {
  const args = call.nodes.map((_, i) => argument(call, i));
  const [, from, count] = args;
  const kinds = [scalarType('string'), scalarType('int'), scalarType('int')];
  const [text, start, length] = args.map((arg, i) => coerced(arg, kinds[i]!).sql);
  const traits = traitsOf(...args);
  const known = from!.constant;
  if (typeof known === 'bigint' && known >= 1n) {
    const end = count === undefined ? '' : `, greatest(${length}, 0)`;
    return scalar(`substringUTF8(${text}, ${start}${end})`, 'string', traits);
  }
  const first = `if(${start} < 0, greatest(toInt64(lengthUTF8(${text})) + ${start} + 1, 1), greatest(${start}, 1))`;
  if (count === undefined) return scalar(`substringUTF8(${text}, ${first})`, 'string', traits);
  const origin = `if(${start} < 0, toInt64(lengthUTF8(${text})) + ${start} + 1, ${start})`;
  return scalar(
    `substringUTF8(${text}, ${first}, greatest(${origin} + ${length} - ${first}, 0))`,
    'string',
    traits,
  );
}

/** Writes a code point in UTF-8. */
function character(n: string): string {
  const part = (shift: number) => `128 + bitAnd(bitShiftRight(${n}, ${shift}), 63)`;
  return `multiIf(${n} < 128, char(${n}), ${n} < 2048, char(192 + bitShiftRight(${n}, 6), ${part(0)}), ${n} < 65536, char(224 + bitShiftRight(${n}, 12), ${part(6)}, ${part(0)}), char(240 + bitShiftRight(${n}, 18), ${part(12)}, ${part(6)}, ${part(0)}))`;
}

const chr: FunctionRow = (call) => {
  const { sql, constant, present } = argument(call, 0);
  if (typeof constant === 'bigint') return textValue(String.fromCodePoint(Number(constant)));
  return scalar(`if(isNull(${sql}), NULL, ${character(`assumeNotNull(${sql})`)})`, 'string', {
    present: present === true,
  });
};

const hash = (name: string) => simple(['string'], 'string', (s) => `lower(hex(${name}(${s})))`);

const concat: FunctionRow = (call) => {
  const parts = call.nodes.map((_, i) => {
    const of = argument(call, i);
    const text =
      of.type.kind === 'string' || of.type.kind === 'json' ? of.sql : `toString(${of.sql})`;
    return of.present ? text : `ifNull(${text}, '')`;
  });
  return scalar(`concat(${parts.join(', ')})`, 'string', { present: true });
};

const concatWith: FunctionRow = (call) => {
  const [delimiter, ...parts] = call.nodes.map((_, i) => argument(call, i));
  const texts = parts.map(({ sql, type }) =>
    type.kind === 'string' || type.kind === 'json' ? sql : `toString(${sql})`,
  );
  const item = newVariable();
  const list = `CAST([${texts.join(', ')}], 'Array(Nullable(String))')`;
  const present = `arrayMap(${item} -> assumeNotNull(${item}), arrayFilter(${item} -> isNotNull(${item}), ${list}))`;
  return scalar(joinedBy(present, delimiter!), 'string', { present: true });
};

/** The first of equal characters counts, and characters without a counterpart are removed. */
const translation = simple(['string', 'string', 'string'], 'string', (s, from, to) => {
  const one = newVariable();
  const place = `positionUTF8(${from}, ${one})`;
  const by = `if(${place} = 0, ${one}, substringUTF8(${to}, ${place}, 1))`;
  const words = `extractAll(assumeNotNull(${s}), '(?s).')`;
  return `if(isNull(${s}) OR isNull(${from}) OR isNull(${to}), NULL, arrayStringConcat(arrayMap(${one} -> assumeNotNull(${by}), ${words})))`;
});

export const textFunctions: Readonly<Record<string, FunctionRow>> = {
  chr,
  concat,
  concat_ws: concatWith,
  contains: containsInAnyCase(
    simple(['string', 'string'], 'bool', (s, n) => `(position(${s}, ${n}) > 0)`),
  ),
  decode: failing(
    ['blob'],
    'string',
    (b) => `if(throwIf(NOT isValidUTF8(${b}), 'The bytes are not UTF-8') = 1, NULL, ${b})`,
    (b) => `if(isValidUTF8(${b}), ${b}, NULL)`,
  ),
  encode: simple(['string'], 'blob', (s) => s),
  ends_with: simple(['string', 'string'], 'bool', (s, n) => `endsWith(${s}, ${n})`),
  from_base64: failing(
    ['string'],
    'blob',
    (s) => `base64Decode(${s})`,
    (s) =>
      `if(match(${s}, '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'), tryBase64Decode(${s}), NULL)`,
  ),
  hex: simple(['blob'], 'string', (b) => `hex(${b})`),
  length: (call) => {
    const of = argument(call, 0);
    if (of.type.kind === 'list')
      return call.translate(
        { kind: 'call', name: 'len', args: call.nodes, distinct: false, order: [] },
        call.context,
      );
    return simple(['string'], 'int', (s) => `toInt64(lengthUTF8(${s}))`, { small: true })(call);
  },
  lower: simple(['string'], 'string', lower),
  lpad: simple(
    ['string', 'int', 'string'],
    'string',
    (s, n, by) => `leftPadUTF8(${s}, greatest(${n}, 0), ${by})`,
  ),
  ltrim: trimmed,
  md5: hash('MD5'),
  md5_number_lower: simple(
    ['string'],
    'huge',
    (s) => `toInt128(reinterpretAsUInt64(substring(MD5(${s}), 9)))`,
  ),
  octet_length: simple(['blob'], 'int', (b) => `toInt64(length(${b}))`, { small: true }),
  repeat: simple(['string', 'int'], 'string', (s, n) => `repeat(${s}, greatest(${n}, 0))`),
  replace: simple(['string', 'string', 'string'], 'string', (s, from, to) =>
    from.startsWith("'") && from !== "''"
      ? `replaceAll(${s}, ${from}, ${to})`
      : `if(${from} = '', ${s}, replaceAll(${s}, ${from}, ${to}))`,
  ),
  reverse: simple(['string'], 'string', (s) => `reverseUTF8(${s})`),
  rpad: simple(
    ['string', 'int', 'string'],
    'string',
    (s, n, by) =>
      `if(${by} = '' OR ${n} <= lengthUTF8(${s}), substringUTF8(${s}, 1, greatest(${n}, 0)), substringUTF8(concat(${s}, repeat(${by}, greatest(${n}, 0))), 1, greatest(${n}, 0)))`,
  ),
  rtrim: trimmed,
  sha1: hash('SHA1'),
  sha256: hash('SHA256'),
  starts_with: simple(['string', 'string'], 'bool', (s, n) => `startsWith(${s}, ${n})`),
  strlen: simple(['string'], 'int', (s) => `toInt64(length(${s}))`, { small: true }),
  strpos: simple(['string', 'string'], 'int', (s, n) => `toInt64(positionUTF8(${s}, ${n}))`, {
    small: true,
  }),
  substring,
  to_base64: simple(['blob'], 'string', (b) => `base64Encode(${b})`),
  translate: translation,
  trim: trimmed,
  unhex: failing(
    ['string'],
    'blob',
    (s) =>
      `if(throwIf(NOT match(${s}, '^(?:[0-9a-fA-F]{2})*$'), 'Invalid hexadecimal digits') = 1, NULL, unhex(${s}))`,
    (s) => `if(match(${s}, '^(?:[0-9a-fA-F]{2})*$'), unhex(${s}), NULL)`,
  ),
  unicode: simple(
    ['string'],
    'int',
    (s) =>
      `toInt64(reinterpretAsUInt32(convertCharset(substringUTF8(${s}, 1, 1), 'UTF-8', 'UTF-32LE')))`,
    { small: true },
  ),
  upper: simple(['string'], 'string', upper),
  url_decode: failing(
    ['string'],
    'string',
    (s) =>
      `if(throwIf(NOT isValidUTF8(decodeURLComponent(${s})), 'The URL is not UTF-8') = 1, NULL, decodeURLComponent(${s}))`,
    (s) => `if(isValidUTF8(decodeURLComponent(${s})), decodeURLComponent(${s}), NULL)`,
  ),
  url_encode: simple(['string'], 'string', (s) => `encodeURLComponent(${s})`),
};
