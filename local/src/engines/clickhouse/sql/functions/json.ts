/** Functions on JSON, which is text. Values are cut out of it as they are written. */
import { coerced } from '../casts.ts';
import { argument, type Call, type FunctionRow } from '../context.ts';
import { isInexact, jsonContent, jsonOf, jsonOrNull, jsonParts, jsonText } from '../formats.ts';
import { computedOnce, newVariable, valuesOnce } from '../lists.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import { listOf, scalarType } from '../types.ts';
import {
  nullIfAny,
  nullTest,
  quotedText,
  required,
  scalar,
  textValue,
  traitsOf,
  type Value,
} from '../value.ts';
import { simple } from './define.ts';

const json = scalarType('json');

/** Conditions under which JSON has a type. Only numbers start with other characters. */
const tests: Readonly<Record<string, (j: string) => string>> = {
  OBJECT: (j) => `startsWith(${j}, '{')`,
  ARRAY: (j) => `startsWith(${j}, '[')`,
  VARCHAR: (j) => `startsWith(${j}, '"')`,
  NULL: (j) => `(${j} = 'null')`,
  BOOLEAN: (j) => `(${j} IN ('true', 'false'))`,
  DOUBLE: (j) => `(match(${j}, '^[-0-9].*[.eE]') OR ${isWide(j)})`,
  BIGINT: (j) => `(match(${j}, '^-[0-9]+$') AND NOT ${isWide(j)})`,
  UBIGINT: (j) => `(match(${j}, '^[0-9]+$') AND NOT ${isWide(j)})`,
};

/** Integers outside 64 bits are doubles. */
function isWide(j: string): string {
  return `(match(${j}, '^-?[0-9]{19,}$') AND isNull(toUInt64OrNull(${j})) AND isNull(toInt64OrNull(${j})))`;
}

export const jsonTypes: ReadonlySet<string> = new Set(Object.keys(tests));

const NUMBERS = ['BIGINT', 'UBIGINT', 'DOUBLE'];

/** Tests whether JSON has one of the types. */
export function isJsonType(of: Value, kinds: readonly string[], negated: boolean): Value {
  const isNumber = NUMBERS.every((kind) => kinds.includes(kind));
  const others = isNumber ? kinds.filter((kind) => !NUMBERS.includes(kind)) : kinds;
  const any = computedOnce([coerced(of, json).sql], (j) => {
    const written = others.map((kind) => tests[kind]?.(j) ?? `(isNull(${j}) AND NULL)`);
    if (isNumber) written.push(`match(${j}, '^[-0-9]')`);
    return written.length === 1 ? (written[0] as string) : `(${written.join(' OR ')})`;
  });
  return scalar(negated ? `(NOT ${any})` : any, 'bool', traitsOf(of));
}

function typeOf(json: string): string {
  return computedOnce([json], typeBranches);
}

function typeBranches(j: string): string {
  const branches = ['OBJECT', 'ARRAY', 'VARCHAR', 'NULL', 'BOOLEAN', 'DOUBLE'].map(
    (kind) => `${tests[kind]!(j)}, '${kind}'`,
  );
  return `if(isNull(${j}), NULL, multiIf(${branches.join(', ')}, startsWith(${j}, '-'), 'BIGINT', 'UBIGINT'))`;
}

// ── Paths ─────────────────────────────────────────────────────────────────────────────────────────

type Step = { readonly key: string } | { readonly index: number } | 'items' | 'values';

function stepsOf(path: string, name: string): readonly Step[] {
  if (path.startsWith('/')) {
    const parts = path.slice(1).split('/');
    const keys = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (keys.some((key) => /^\d+$/.test(key))) throw new NotOnEngine(`${name}() of a numeric key`);
    return keys.map((key) => ({ key }));
  }
  const steps: Step[] = [];
  const step = /\."((?:[^"\\]|\\.)*)"|\.([A-Za-z_]\w*)|\[(\d+)\]|\[#-(\d+)\]|\[\*\]|\.\*/y;
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const at = step.lastIndex;
    const found = step.exec(path);
    if (found === null || path[0] !== '$') throw new NotOnEngine(`${name}() with the path ${path}`);
    const [text, quoted, word, index, fromEnd] = found;
    if (text === '[*]') steps.push('items');
    else if (text === '.*') steps.push('values');
    else if (index !== undefined) steps.push({ index: Number(index) + 1 });
    else if (fromEnd !== undefined) steps.push({ index: -Number(fromEnd) });
    else steps.push({ key: word ?? (quoted as string).replace(/\\(.)/g, '$1') });
    if (step.lastIndex <= at) break;
  }
  return steps;
}

/** Returns SQL for the start of a member in JSON: its quoted key and a colon. */
function memberStart(key: Value): string {
  if (typeof key.constant === 'string') return quotedText(`${JSON.stringify(key.constant)}:`);
  return `concat(assumeNotNull(${jsonText(key.sql)}), ':')`;
}

function member(json: string, key: Value): string {
  return valuesOnce([scalar(json, 'json'), key], ([one, of]) => {
    const j = (one as Value).sql;
    const { sql, present } = of as Value;
    const part = newVariable();
    const start = memberStart(of as Value);
    const exact = `arrayFirst(${part} -> startsWith(${part}, ${start}), ${jsonParts(j)})`;
    const cut = `if(startsWith(${j}, '{'), substring(${exact}, length(${start}) + 1), '')`;
    const plain = `JSONExtractRaw(assumeNotNull(${j}), ${present ? sql : `assumeNotNull(${sql})`})`;
    const missing = present ? `isNull(${j})` : `isNull(${j}) OR isNull(${sql})`;
    return scalar(`nullIf(if(${missing}, '', if(${isInexact(j)}, ${cut}, ${plain})), '')`, 'json');
  }).sql;
}

function item(j: string, position: string): string {
  return computedOnce([j, position], itemOf);
}

function itemOf(j: string, position: string): string {
  const exact = `arrayElementOrNull(${jsonParts(j)}, ${position})`;
  const plain = `nullIf(JSONExtractRaw(assumeNotNull(${j}), ${position}), '')`;
  return `if(startsWith(${j}, '['), if(${isInexact(j)}, ${exact}, ${plain}), NULL)`;
}

/** Returns an array's items, or no items for other JSON. */
export function itemsOf(j: string): string {
  return computedOnce(
    [`ifNull(${j}, '')`],
    (present) =>
      `if(startsWith(${present}, '['), if(${isInexact(present)}, ${jsonParts(present)}, JSONExtractArrayRaw(${present})), [])`,
  );
}

const QUOTED = quotedText('^"(?:[^"\\\\]|\\\\.)*"');

function keysOf(json: string): string {
  return computedOnce([json], keysOfJson);
}

function keysOfJson(j: string): string {
  const part = newVariable();
  const exact = `arrayMap(${part} -> JSONExtractString(extract(${part}, ${QUOTED})), ${jsonParts(j)})`;
  return `if(startsWith(${j}, '{'), if(${isInexact(j)}, ${exact}, JSONExtractKeys(${j})), [])`;
}

function valuesOf(json: string): string {
  return computedOnce([json], valuesOfJson);
}

function valuesOfJson(j: string): string {
  const part = newVariable();
  const exact = `arrayMap(${part} -> substring(${part}, length(extract(${part}, ${QUOTED})) + 2), ${jsonParts(j)})`;
  const plain = `arrayMap(${part} -> ${part}.2, JSONExtractKeysAndValuesRaw(${j}))`;
  return `if(startsWith(${j}, '{'), if(${isInexact(j)}, ${exact}, ${plain}), [])`;
}

function extracted(j: Value, path: Value, name: string): Value {
  const of = coerced(j, json);
  if (path.type.kind === 'int') {
    const position = `assumeNotNull(${path.sql})`;
    const found = item(of.sql, `if(${position} < 0, ${position}, ${position} + 1)`);
    return nullIfAny(scalar(found, 'json'), [nullTest(path)]);
  }
  if (typeof path.constant !== 'string') return pointed(of, path);
  let found = of;
  for (const step of stepsOf(path.constant, name)) {
    const { sql } = found;
    if (found.type.kind === 'list') {
      found = valuesOnce([found], ([list]) => ofEach(list as Value, step));
      continue;
    }
    if (step === 'items')
      found = nullIfAny({ sql: itemsOf(sql), type: listOf(json) }, [nullTest(of)]);
    else if (step === 'values')
      found = nullIfAny({ sql: valuesOf(`assumeNotNull(${sql})`), type: listOf(json) }, [
        nullTest(of),
      ]);
    else found = scalar(partOf(sql, step), 'json');
  }
  return found;
}

/** Returns the parts of a list's items. Items without the part are left out. */
function ofEach(list: Value, step: Step): Value {
  const one = newVariable();
  const each = (part: string) => `arrayMap(${one} -> ${part}, ${required(list).sql})`;
  const present = (part: string) => `arrayFilter(${one} -> isNotNull(${one}), ${each(part)})`;
  const made = {
    sql:
      step === 'items'
        ? `arrayFlatten(${each(itemsOf(one))})`
        : step === 'values'
          ? `arrayFlatten(${each(valuesOf(`assumeNotNull(${one})`))})`
          : present(partOf(one, step)),
    type: listOf(json),
  };
  return nullIfAny(made, [nullTest(list)]);
}

function partOf(of: string, step: Exclude<Step, string>): string {
  return 'key' in step ? member(of, textValue(step.key)) : item(of, String(step.index));
}

/** Reads a computed pointer, which has one key because `apl.pointer` makes it. */
function pointed(of: Value, path: Value): Value {
  const key = `replaceAll(replaceAll(substring(${path.sql}, 2), '~1', '/'), '~0', '~')`;
  const isIndex = `(startsWith(${of.sql}, '[') AND match(${key}, '^[0-9]+$'))`;
  const refused = `throwIf(ifNull(${isIndex}, 0), 'ClickHouse cannot read an array by this key')`;
  return scalar(`if(${refused} = 1, NULL, ${member(of.sql, scalar(key, 'string'))})`, 'json');
}

function extract(call: Call): Value {
  const of = argument(call, 0);
  const paths = call.nodes[1];
  if (paths?.kind !== 'list') return extracted(of, argument(call, 1), call.name);
  const found = paths.items.map((path) =>
    extracted(of, call.translate(path, call.context), call.name),
  );
  const list = { sql: `[${found.map(({ sql }) => sql).join(', ')}]`, type: listOf(json) };
  return nullIfAny(list, [nullTest(of)]);
}

function content(of: Value): Value {
  return scalar(jsonContent(coerced(of, json).sql), 'string', of.fails ? { fails: true } : {});
}

function listedContent(found: Value): Value {
  return found.type.kind === 'json' || found.type.kind === 'string' ? content(found) : refuse();
}

function refuse(): never {
  throw new NotOnEngine('json_extract_string() of a list');
}

/** Removes whitespace, and writes numbers and escapes as DuckDB does. */
const minified: FunctionRow = (call) => {
  const of = argument(call, 0);
  const word = newVariable();
  const words = `extractAll(assumeNotNull(${of.sql}), ${quotedText('"(?:[^"\\\\]|\\\\.)*"|[][{},:]|[^][{},:"\\s]+')})`;
  const number = `toString(toFloat64OrZero(${word}))`;
  const canonical = `if(match(${number}, '[.a-z]'), ${number}, concat(${number}, '.0'))`;
  const text = `if(match(${word}, ${quotedText('\\\\[u/]')}), ${jsonText(`JSONExtractString(${word})`)}, ${word})`;
  const one = `multiIf(startsWith(${word}, '"'), ${text}, match(${word}, '^[-0-9].*[.eE]'), ${canonical}, ${word})`;
  return scalar(
    `if(isNull(${of.sql}), NULL, arrayStringConcat(arrayMap(${word} -> assumeNotNull(${one}), ${words})))`,
    'json',
    of.fails ? { fails: true } : {},
  );
};

export const jsonFunctions: Readonly<Record<string, FunctionRow>> = {
  json: minified,
  json_type: (call) => {
    const of =
      call.nodes.length === 1
        ? argument(call, 0)
        : extracted(argument(call, 0), argument(call, 1), call.name);
    return scalar(typeOf(coerced(of, json).sql), 'string', of.fails ? { fails: true } : {});
  },
  json_extract: extract,
  json_extract_string: (call) =>
    listedContent(extracted(argument(call, 0), argument(call, 1), call.name)),
  json_exists: (call) => {
    const of = argument(call, 0);
    const found = extracted(of, argument(call, 1), call.name);
    const path = argument(call, 1);
    return nullIfAny(scalar(`isNotNull(${found.sql})`, 'bool'), [nullTest(of), nullTest(path)]);
  },
  json_array_length: simple(
    ['json'],
    'int',
    (j) => `if(isNull(${j}), NULL, toInt64(length(${itemsOf(j)})))`,
    { small: true },
  ),
  json_keys: (call) => {
    const of = coerced(argument(call, 0), json);
    const keys = keysOf(`assumeNotNull(${of.sql})`);
    return nullIfAny({ sql: keys, type: listOf(scalarType('string')) }, [nullTest(of)]);
  },
  to_json: (call) => {
    const of = argument(call, 0);
    return scalar(jsonOf(of), 'json', traitsOf(of));
  },
  json_quote: (call) => scalar(jsonOf(argument(call, 0)), 'json'),
  json_array: (call) => {
    const items = call.nodes.map((_, i) => jsonOrNull(argument(call, i)));
    return scalar(`concat('[', ${items.join(", ',', ")}, ']')`, 'json', { present: true });
  },
  json_object: (call) => {
    const members: string[] = [];
    for (let i = 0; i < call.nodes.length; i += 2) {
      const start = i === 0 ? "'{'" : "','";
      members.push(start, jsonOf(argument(call, i)), "':'", jsonOrNull(argument(call, i + 1)));
    }
    return scalar(`concat(${members.join(', ')}, '}')`, 'json');
  },
};
