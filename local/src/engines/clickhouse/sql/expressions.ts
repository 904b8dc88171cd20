/** Translates expressions. */
import { cast, coerced, nullOf } from './casts.ts';
import type { Binding, Context, FunctionRow } from './context.ts';
import { isLetterTest } from './functions/anyCase.ts';
import { functions } from './functions/index.ts';
import { isJsonType, jsonTypes } from './functions/json.ts';
import { letOf } from './functions/lambdas.ts';
import { computedOnce, valuesOnce } from './lists.ts';
import { type MacroBody, macroNamed } from './macros.ts';
import { NotOnEngine } from './notOnEngine.ts';
import { binary, integer, negated } from './operators.ts';
import { element, fieldOf, list, part } from './parts.ts';
import type { Node } from './tree.ts';
import {
  commonType,
  isInteger,
  isOptional,
  scalarType,
  structOf,
  type Type,
  typeNamed,
} from './types.ts';
import {
  bitsOfAny,
  nullTest,
  quotedName,
  quotedText,
  scalar,
  textValue,
  type Value,
} from './value.ts';

export function translate(node: Node, context: Context): Value {
  switch (node.kind) {
    case 'string':
      return textValue(node.value);
    case 'number':
      return number(node.text);
    case 'boolean':
      return scalar(String(node.value), 'bool', { present: true });
    case 'null':
      return scalar('NULL', 'null');
    case 'typed':
      return time(node.type, node.value);
    case 'name':
      return named(node, context);
    case 'call':
      return called(node, context);
    case 'cast':
      return converted(node, context);
    case 'case':
      return cases(node, context);
    case 'list':
      return list(node.items.map((item) => translate(item, context)));
    case 'struct': {
      const values = node.fields.map(({ value }) => translate(value, context));
      const fields = node.fields.map(({ name }, i) => [name, (values[i] as Value).type] as const);
      return { sql: `tuple(${values.map(({ sql }) => sql).join(', ')})`, type: structOf(fields) };
    }
    case 'field':
      return fieldOf(translate(node.of, context), node.name);
    case 'subscript':
      return subscript(node, context);
    case 'binary':
      return operation(node, context);
    case 'unary': {
      const of = translate(node.of, context);
      if (node.operator === '-') return negated(of, context.attempt);
      if (of.type.kind === 'null') return nullOf(scalarType('bool'));
      return { ...of, sql: `(NOT ${of.sql})` };
    }
    case 'isNull':
      return isNull(translate(node.of, context), node.negated, context.attempt);
    case 'in':
      return membership(node, context);
    case 'query':
      return subquery(node.query, context);
    case 'exists': {
      const { sql } = context.query(node.query);
      return scalar(`((SELECT count() FROM (${sql} LIMIT 1)) > 0)`, 'bool', { present: true });
    }
    case 'lambda':
    case 'star':
      throw new NotOnEngine(`a ${node.kind} in this place`);
  }
}

function number(text: string): Value {
  if (/^\d+$/.test(text)) return integer(BigInt(text));
  if (/e/i.test(text)) {
    const value = Number(text);
    const sql = Number.isInteger(value) && value < 1e15 ? `${value}.` : value.toExponential();
    return scalar(sql, 'double', { present: true });
  }
  return scalar(`toFloat64(${text})`, 'double', { present: true });
}

function time(type: string, text: string): Value {
  if (type === 'DATE') throw new NotOnEngine('DATE');
  const ends: Readonly<Record<string, string>> = {
    infinity: "fromUnixTimestamp64Nano(toInt64('9223372036854775807'), 'UTC')",
    '-infinity': "fromUnixTimestamp64Nano(toInt64('-9223372036854775808'), 'UTC')",
  };
  return scalar(ends[text] ?? `toDateTime64(${quotedText(text)}, 9, 'UTC')`, 'time', {
    present: true,
  });
}

function named(node: Node & { kind: 'name' }, context: Context): Value {
  const bound = node.table === undefined ? context.bindings.get(node.name) : undefined;
  const found = bound?.(context.attempt) ?? context.column(node.table, node.name);
  if (found === undefined)
    throw new Error(`The column ${node.table ?? ''} ${node.name} is unknown.`);
  return found;
}

function called(node: Node & { kind: 'call' }, context: Context): Value {
  const { name, args } = node;
  if (name === 'TRY') return translate(args[0] as Node, { ...context, attempt: true });
  if (name === 'list_extract')
    return subscript({ kind: 'subscript', of: args[0] as Node, index: args[1] as Node }, context);
  if (name === 'struct_extract' && args[1]?.kind === 'string')
    return fieldOf(translate(args[0] as Node, context), args[1].value);
  const row = functions[name];
  if (row !== undefined && !node.distinct && node.filter === undefined && node.over === undefined)
    return callRow(row, node, context);
  const aggregate = context.aggregate?.(node, context);
  if (aggregate !== undefined) return aggregate;
  const macro = macroNamed(name);
  if (macro === undefined) throw new NotOnEngine(`${name}()`);
  return expanded(macro, args, context);
}

function callRow(
  row: FunctionRow,
  { name, args }: Node & { kind: 'call' },
  context: Context,
): Value {
  const translated = args.map((arg) =>
    arg.kind === 'lambda' || arg.kind === 'star' ? undefined : translate(arg, context),
  );
  const given = translated.filter((value) => value !== undefined);
  return valuesOnce(given, (once) => {
    let next = 0;
    const values = translated.map((value) => value && once[next++]);
    return row({ name, nodes: args, values, context, translate });
  });
}

/** Translates a macro's body. A long argument that the body repeats is computed once, unless TRY would catch its errors. */
function expanded(
  { parameters, body, repeated, hasTry }: MacroBody,
  args: readonly Node[],
  context: Context,
): Value {
  const lazy = parameters.map((_, i) => lazily(args[i] as Node, context));
  const values = parameters.map((parameter, i) => {
    if (!repeated.has(parameter)) return undefined;
    const value = (lazy[i] as Binding)(context.attempt);
    const movable = value.constant === undefined && (context.attempt || !value.fails || !hasTry);
    return movable ? value : undefined;
  });
  let result: Value | undefined;
  const sql = computedOnce(
    values.map((value) => value?.sql ?? ''),
    (...names) => {
      const bindings = new Map<string, Binding>();
      for (const [i, parameter] of parameters.entries()) {
        const [value, name] = [values[i], names[i] as string];
        bindings.set(
          parameter,
          value === undefined ? (lazy[i] as Binding) : () => ({ ...value, sql: name }),
        );
      }
      result = translate(body, { ...context, bindings, column: () => undefined });
      return result.sql;
    },
  );
  return { ...(result as Value), sql };
}

/** Translates an argument when the body first uses it, once inside TRY and once outside. */
function lazily(node: Node, context: Context): Binding {
  const known = new Map<boolean, Value>();
  return (attempt) => {
    const found = known.get(attempt);
    if (found !== undefined) return found;
    const value = translate(node, { ...context, attempt: attempt || context.attempt });
    known.set(attempt, value);
    return value;
  };
}

function converted(node: Node & { kind: 'cast' }, context: Context): Value {
  const type = typeNamed(node.type);
  if (node.of.kind === 'string' && node.type === 'DOUBLE') {
    const special: Readonly<Record<string, string>> = { nan: 'nan', inf: 'inf', '-inf': '(-inf)' };
    const found = special[node.of.value];
    if (found !== undefined) return scalar(found, 'double', { present: true });
  }
  if (node.of.kind === 'string' && node.type === 'JSON')
    return { ...textValue(node.of.value), type };
  if (node.of.kind === 'string' && node.type === 'BIGINT') return integer(BigInt(node.of.value));
  if (node.of.kind === 'binary' && node.of.left.kind === 'string' && node.of.left.value === '0x')
    return hexadecimal(translate(node.of.right, context), type);
  const attempt = node.attempt || context.attempt;
  const of = translate(node.of, context);
  if (node.type === 'BIGINT' && typeof of.constant === 'bigint' && of.type.kind === 'int')
    return of;
  // An error inside TRY_CAST's operand still fails the query.
  const { fails, ...result } = cast(of, type, node.type, { attempt });
  return of.fails || (fails && !node.attempt) ? { ...result, fails: true } : result;
}

function hexadecimal(digits: Value, type: Type): Value {
  const sql = `if(match(${digits.sql}, '^[0-9a-fA-F]{1,15}$'), toInt64(reinterpretAsUInt64(reverse(unhex(leftPad(assumeNotNull(${digits.sql}), 16, '0'))))), NULL)`;
  return { ...scalar(sql, 'int', { fails: true }), type };
}

function cases(node: Node & { kind: 'case' }, context: Context): Value {
  if (node.of === undefined) return casesOf(node, undefined, context);
  return valuesOnce([translate(node.of, context)], ([of]) => casesOf(node, of, context));
}

function casesOf(node: Node & { kind: 'case' }, of: Value | undefined, context: Context): Value {
  if (of?.fails && context.attempt) throw new NotOnEngine('TRY around CASE');
  const parts: { test: string; result?: Value }[] = [];
  for (const { test, result } of node.whens) {
    const condition = translate(test, context);
    const met = of === undefined ? condition : binary('=', of, condition, context.attempt);
    if (met.fails && context.attempt) throw new NotOnEngine('TRY around CASE');
    if (result.kind === 'call' && result.name === 'error') {
      // ClickHouse may evaluate a condition although an earlier one is met.
      const earlier = parts.map(({ test }) => ` AND NOT ifNull(${test}, 0)`).join('');
      parts.push({
        test: `throwIf(ifNull(${met.sql}, 0)${earlier}, ${quotedText(message(result))}) = 1`,
      });
    } else parts.push({ test: met.sql, result: translate(result, context) });
  }
  const otherwise = node.otherwise && translate(node.otherwise, context);
  const results = [...parts.map(({ result }) => result), otherwise].filter(
    (one) => one !== undefined,
  );
  let type = results.map((one) => one.type).reduce(commonType, scalarType('null'));
  if (otherwise === undefined) type = commonType(type, scalarType('null'));
  else if (
    results.every((one) => !isOptional(one.type)) &&
    results.every(({ type }) => type.kind !== 'null')
  )
    type = results.map((one) => one.type).reduce(commonType);
  const last = coerced(otherwise ?? scalar('NULL', 'null'), type);
  const written = parts.map(({ test, result }) => ({
    test,
    sql: result === undefined ? last.sql : coerced(result, type).sql,
  }));
  // ClickHouse replaces a condition between equal constants with the constant too late for joins.
  const isConstant = parts.every(({ result }, i) => result && written[i]!.sql === last.sql);
  return {
    sql: isConstant
      ? last.sql
      : `multiIf(${written.map(({ test, sql }) => `${test}, ${sql}`).join(', ')}, ${last.sql})`,
    type,
    present: otherwise !== undefined && results.every(({ present }) => present === true),
    ...(results.some(({ fails }) => fails) && { fails: true }),
    ...bitsOfAny(results),
  };
}

/** Returns the constant text at the start of an error's message. */
function message({ args }: Node & { kind: 'call' }): string {
  let first = args[0] as Node;
  while (first.kind === 'binary') first = first.left;
  return first.kind === 'string' ? first.value.replace(/,? not $/, '.') : 'The value is too large.';
}

function subscript(node: Node & { kind: 'subscript' }, context: Context): Value {
  const bound = letOf(node, context, translate);
  if (bound !== undefined) return bound;
  const of = translate(node.of, context);
  const index = translate(node.index, context);
  if (of.type.kind === 'struct') return part(of, Number(index.constant) - 1);
  if (of.type.kind !== 'list') throw new NotOnEngine(`a subscript of ${of.type.kind}`);
  return element(of, index);
}

function operation(node: Node & { kind: 'binary' }, context: Context): Value {
  const { operator, left, right } = node;
  if (
    right.kind === 'string' &&
    left.kind === 'call' &&
    left.name === 'json_type' &&
    left.args.length === 1
  ) {
    if (operator === '=' || operator === '<>')
      return isJsonType(translate(left.args[0] as Node, context), [right.value], operator === '<>');
  }
  if (operator === 'AND' && isLetterTest(left, right)) return translate(right, context);
  return binary(
    operator,
    translate(left, context),
    translate(right, context),
    context.attempt,
    context.joins,
  );
}

function isNull(of: Value, negated: boolean, attempt: boolean): Value {
  if (of.fails && attempt) throw new NotOnEngine('TRY around IS NULL');
  if (of.type.kind === 'null') return scalar(String(!negated), 'bool', { present: true });
  const test = nullTest(of);
  if (test === undefined) return scalar(String(negated), 'bool', { present: true });
  if (!negated) return scalar(test, 'bool', { present: true });
  const scalarTest = test.startsWith('isNull(')
    ? test.replace('isNull(', 'isNotNull(')
    : `(NOT ${test})`;
  return scalar(scalarTest, 'bool', { present: true });
}

function membership(node: Node & { kind: 'in' }, context: Context): Value {
  const not = node.negated ? 'NOT ' : '';
  if (node.query !== undefined) return inQuery(node, context, not);
  const { of, items = [] } = node;
  if (
    of.kind === 'call' &&
    of.name === 'json_type' &&
    of.args.length === 1 &&
    items.every((item) => item.kind === 'string')
  ) {
    const kinds = items.map((item) => (item as Node & { kind: 'string' }).value);
    if (kinds.every((kind) => jsonTypes.has(kind)))
      return isJsonType(translate(of.args[0] as Node, context), kinds, node.negated);
  }
  return valuesOnce([translate(of, context)], ([left]) =>
    among(left as Value, items, not, context),
  );
}

function among(left: Value, items: readonly Node[], not: string, context: Context): Value {
  const values = items.map((item) => translate(item, context));
  const areTexts = left.type.kind === 'string' && items.every(({ kind }) => kind === 'string');
  const areIntegers =
    isInteger(left.type) &&
    values.every(({ type }, i) => items[i]!.kind === 'number' && isInteger(type));
  if (areTexts || areIntegers) {
    return {
      ...scalar(`(${left.sql} ${not}IN (${values.map(({ sql }) => sql).join(', ')}))`, 'bool'),
      present: left.present === true,
      fails: left.fails === true,
    };
  }
  const tests = values.map((value) => binary('=', left, value, context.attempt));
  const any = tests.reduce((a, b) => binary('OR', a, b, context.attempt));
  // Without parentheses between them, ClickHouse reads many tests as one operator, and not as nested ones.
  return { ...any, sql: `(${not}(${tests.map(({ sql }) => sql).join(' OR ')}))` };
}

/** A value that isn't found is null if a row has a null, which ClickHouse would ignore. */
function inQuery(node: Node & { kind: 'in' }, context: Context, not: string): Value {
  const left = translate(node.of, context);
  const { sql, columns } = context.query(node.query!);
  const [column] = columns;
  if (column === undefined) throw new NotOnEngine('IN without columns');
  const type = commonType(left.type, column.type);
  if (type.kind === 'list' || type.kind === 'struct') throw new NotOnEngine(`IN of ${type.kind}`);
  const value = `_rows.${quotedName(column.name)}`;
  const item = coerced({ sql: value, type: column.type }, type).sql;
  const found = `(${coerced(left, type).sql} IN (SELECT ${item} FROM (${sql}) AS _rows))`;
  const nulls = `(SELECT countIf(isNull(${value})) FROM (${sql}) AS _rows)`;
  const tested = `if(ifNull(${found}, 0), true, if(isNull(${left.sql}) OR ${nulls} > 0, NULL, false))`;
  return scalar(`(${not}${tested})`, 'bool');
}

function subquery(query: Parameters<Context['query']>[0], context: Context): Value {
  const { sql, columns } = context.query(query);
  const [column] = columns;
  if (column === undefined) throw new NotOnEngine('a sub-query without columns');
  return { sql: `(${sql})`, type: column.type };
}
