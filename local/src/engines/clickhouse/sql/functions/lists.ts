/** Functions on lists. */
import { coerced } from '../casts.ts';
import {
  argument,
  type Binding,
  type Call,
  type Context,
  type FunctionRow,
  type Translate,
} from '../context.ts';
import { emptyList, joinedBy, newVariable } from '../lists.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import { binary } from '../operators.ts';
import type { Node } from '../tree.ts';
import {
  commonType,
  isInteger,
  isOptional,
  listOf,
  scalarType,
  structOf,
  type Type,
  withOptional,
} from '../types.ts';
import { field, nullIfAny, nullTest, required, scalar, type Value } from '../value.ts';
import { listArgument, listMaker, rejectOptionalItems } from './define.ts';

const string = scalarType('string');
const int = scalarType('int');

// ── Lambdas ───────────────────────────────────────────────────────────────────────────────────────

function lambdaAt(call: Call, i: number): Node & { kind: 'lambda' } {
  const node = call.nodes[i];
  if (node?.kind !== 'lambda') throw new NotOnEngine(`${call.name}() without a lambda`);
  return node;
}

function bodyWith(
  { parameters, body }: Node & { kind: 'lambda' },
  values: readonly Value[],
  { context, translate }: Pick<Call, 'context' | 'translate'>,
): Value {
  const bindings = new Map<string, Binding>(context.bindings);
  for (const [i, parameter] of parameters.entries())
    bindings.set(parameter, () => values[i] as Value);
  return translate(body, { ...context, bindings });
}

/** Calls a ClickHouse function such as arrayMap with a lambda of an item and, if used, its position. */
function overItems(call: Call, name: 'arrayMap' | 'arrayFilter') {
  const list = listArgument(call, 0);
  const lambda = lambdaAt(call, 1);
  const [item, position] = [newVariable(), newVariable()];
  const hasPosition = lambda.parameters.length > 1;
  const index = scalar(`toInt64(${position})`, 'int', { present: true, small: true });
  const body = bodyWith(lambda, [{ sql: item, type: list.of }, index], call);
  if (body.fails && call.context.attempt) throw new NotOnEngine(`TRY around ${call.name}()`);
  const write = (of: string) =>
    hasPosition
      ? `${name}((${item}, ${position}) -> ${of}, ${list.sql}, arrayEnumerate(${list.sql}))`
      : `${name}(${item} -> ${of}, ${list.sql})`;
  return { list, body, write };
}

const transform: FunctionRow = (call) => {
  const { list, body, write } = overItems(call, 'arrayMap');
  return nullIfAny({ sql: write(body.sql), type: listOf(body.type) }, [list.test]);
};

const filter: FunctionRow = (call) => {
  const { list, body, write } = overItems(call, 'arrayFilter');
  const met = body.present ? body.sql : `ifNull(${body.sql}, 0)`;
  return nullIfAny({ sql: write(met), type: listOf(list.of) }, [list.test]);
};

const MAX_INLINED = 40;

/**
 * Translates `list_transform([x], lambda _x: …)[1]`, which computes `x` once, and the same with `list_zip` for
 * several values.
 */
export function letOf(
  { of, index }: Node & { kind: 'subscript' },
  context: Context,
  translate: Translate,
): Value | undefined {
  if (index.kind !== 'number' || index.text !== '1') return undefined;
  if (of.kind !== 'call' || of.name !== 'list_transform') return undefined;
  const [list, lambda] = of.args;
  if (lambda?.kind !== 'lambda' || lambda.parameters.length !== 1) return undefined;
  const value = onlyItem(list as Node, context, translate);
  if (value === undefined) return undefined;
  const call = { context, translate };
  if (value.sql.length <= MAX_INLINED) return bodyWith(lambda, [value], call);
  const name = newVariable();
  const body = bodyWith(lambda, [{ ...value, sql: name }], call);
  if (body.fails && context.attempt) throw new NotOnEngine('TRY around list_transform()');
  return { ...body, sql: `arrayElement(arrayMap(${name} -> ${body.sql}, [${value.sql}]), 1)` };
}

function onlyItem(list: Node, context: Context, translate: Translate): Value | undefined {
  if (list.kind === 'list')
    return list.items.length === 1 ? translate(list.items[0] as Node, context) : undefined;
  if (list.kind !== 'call' || list.name !== 'list_zip') return undefined;
  const items = list.args.map((arg) =>
    arg.kind === 'list' && arg.items.length === 1 ? arg.items[0] : undefined,
  );
  if (items.some((item) => item === undefined)) return undefined;
  const values = items.map((item) => translate(item as Node, context));
  return {
    sql: `tuple(${values.map(({ sql }) => sql).join(', ')})`,
    type: structOf(values.map(({ type }, i) => [String(i + 1), type] as const)),
  };
}

// ── Parts ─────────────────────────────────────────────────────────────────────────────────────────

const zip: FunctionRow = (call) => {
  const last = call.nodes.at(-1);
  const shortest = last?.kind === 'boolean' ? last.value : undefined;
  const dynamic = last?.kind === 'name' ? argument(call, call.nodes.length - 1) : undefined;
  const isFlag = dynamic?.type.kind === 'bool';
  const count = shortest !== undefined || isFlag ? call.nodes.length - 1 : call.nodes.length;
  const lists = Array.from({ length: count }, (_, i) => listArgument(call, i));
  const isShortest = isFlag ? dynamic.sql === 'true' : shortest === true;
  const lengths = lists.map(({ sql }) => `length(${sql})`);
  const position = newVariable();
  const items = lists.map(({ sql, of }) => itemOrNull(sql, of, position));
  const end =
    lists.length === 1 ? lengths[0] : `${isShortest ? 'least' : 'greatest'}(${lengths.join(', ')})`;
  const zipped = `arrayMap(${position} -> tuple(${items.map((item) => item.sql).join(', ')}), range(1, ${end} + 1))`;
  const type = listOf(structOf(items.map((item, i) => [String(i + 1), item.type] as const)));
  return nullIfAny(
    { sql: zipped, type },
    lists.map(({ test }) => test),
  );
};

function itemOrNull(sql: string, of: Type, position: string): Value {
  if (of.kind !== 'list' && of.kind !== 'struct')
    return { sql: `arrayElementOrNull(${sql}, ${position})`, type: of };
  return nullIfAny({ sql: `arrayElement(${sql}, ${position})`, type: of }, [
    `${position} > length(${sql})`,
  ]);
}

const concatenation: FunctionRow = (call) => {
  const lists = call.nodes
    .map((_, i) => argument(call, i))
    .filter(({ type }) => type.kind !== 'null');
  const type = lists.map((list) => withOptional(list.type, false)).reduce(commonType);
  // A null list counts as empty.
  const parts = lists.map((list) => {
    const plain = coerced(required(list), type).sql;
    const test = nullTest(list);
    return test === undefined || type.kind !== 'list'
      ? plain
      : `if(${test}, ${emptyList(type.of)}, ${plain})`;
  });
  return { sql: `arrayConcat(${parts.join(', ')})`, type };
};

const flatten: FunctionRow = (call) => {
  const { sql, of, test } = listArgument(call, 0);
  if (of.kind !== 'list') throw new NotOnEngine('flatten() of scalars');
  const part = newVariable();
  const present = isOptional(of)
    ? `arrayMap(${part} -> if(${part}.2, ${emptyList(of.of)}, ${part}.1), ${sql})`
    : sql;
  return nullIfAny({ sql: `arrayFlatten(${present})`, type: withOptional(of, false) }, [test]);
};

const slice: FunctionRow = (call) => {
  const { sql, of, test } = listArgument(call, 0);
  const [first, last] = [argument(call, 1), argument(call, 2)];
  const length = `toInt64(length(${sql}))`;
  const from = fromStart(present(first), length);
  const to = last.type.kind === 'null' ? length : fromStart(present(last), length);
  const start = `greatest(${from}, 1)`;
  const made = {
    sql: `arraySlice(${sql}, ${start}, greatest(${to} - ${start} + 1, 0))`,
    type: listOf(of),
  };
  return nullIfAny(made, [
    test,
    nullTest(first),
    last.type.kind === 'null' ? undefined : nullTest(last),
  ]);
};

function present(of: Value): Value {
  return of.present ? of : { ...of, sql: `assumeNotNull(${of.sql})`, present: true };
}

function fromStart({ sql, constant }: Value, length: string): string {
  if (typeof constant === 'bigint' && constant >= 0n) return sql;
  return `if(${sql} < 0, ${length} + ${sql} + 1, ${sql})`;
}

function range(inclusive: boolean): FunctionRow {
  return (call) => {
    const args = call.nodes.map((_, i) => argument(call, i));
    const [from, to] =
      args.length === 1 ? [scalar('0', 'int', { present: true }), args[0] as Value] : args;
    const step = args[2];
    const tests = args.map(nullTest);
    const [a, b] = [present(from as Value).sql, present(to as Value).sql];
    if (step === undefined) {
      const end = inclusive ? `toInt64(${b}) + 1` : `toInt64(${b})`;
      const made = `range(toInt64(${a}), greatest(${end}, toInt64(${a})))`;
      return nullIfAny({ sql: made, type: listOf(int) }, tests);
    }
    const by = present(step).sql;
    const position = newVariable();
    const steps = `if(${by} = 0, 0, intDiv(toInt128(${b}) - ${a}, if(${by} = 0, 1, ${by})))`;
    const forwards = `(${by} > 0 AND ${b} >= ${a} OR ${by} < 0 AND ${b} <= ${a})`;
    const count = inclusive ? `${steps} + 1` : refuseStep();
    const made = `arrayMap(${position} -> toInt64(${a} + ${position} * ${by}), range(toUInt64(if(${forwards}, ${count}, 0))))`;
    return nullIfAny({ sql: made, type: listOf(int) }, tests);
  };
}

function refuseStep(): never {
  throw new NotOnEngine('range() with a step');
}

// ── Order ─────────────────────────────────────────────────────────────────────────────────────────

/** DuckDB puts nulls last, and NaN above all numbers; ClickHouse does so, too. */
function sorted(desc: boolean): FunctionRow {
  return (call) => {
    const { sql, of, test } = listArgument(call, 0);
    rejectOptionalItems(call, of);
    const item = newVariable();
    const key = sortKey(item, of);
    const ascending = key === item ? `arraySort(${sql})` : `arraySort(${item} -> ${key}, ${sql})`;
    const descending =
      of.kind === 'struct'
        ? `arrayReverse(${ascending})`
        : `arrayReverseSort(${item} -> tuple(isNotNull(${item}), ${key}), ${sql})`;
    return nullIfAny({ sql: desc ? descending : ascending, type: listOf(of) }, [test]);
  };
}

/** Doubles are preceded by a flag for NaN, because ClickHouse doesn't distinguish NaN and null in tuples. */
function sortKey(item: string, of: Type): string {
  if (of.kind === 'double') return `tuple(isNull(${item}), isNaN(${item}), ${item})`;
  if (of.kind === 'struct') {
    const keys = of.types.map(
      (type, i) => `isNull(${field(item, i + 1)}), ${sortKey(field(item, i + 1), type)}`,
    );
    return `tuple(${keys.join(', ')})`;
  }
  return item;
}

// ── Summaries ─────────────────────────────────────────────────────────────────────────────────────

function summary(
  result: (of: Type) => Type,
  write: (list: string, of: Type) => string,
  traits: Partial<Value> = {},
): FunctionRow {
  return (call) => {
    const { sql, of, test } = listArgument(call, 0);
    const made = { ...traits, sql: write(sql, of), type: result(of) };
    return nullIfAny(made, [test]);
  };
}

function numbers(sql: string): string {
  const item = newVariable();
  return `arrayMap(${item} -> assumeNotNull(${item}), arrayFilter(${item} -> isNotNull(${item}), ${sql}))`;
}

function extreme(name: 'Max' | 'Min'): FunctionRow {
  return summary(
    (of) => of,
    (list, of) => {
      const all = numbers(list);
      const item = newVariable();
      const plain = `if(empty(${all}), NULL, array${name}(${all}))`;
      if (of.kind !== 'double') return plain;
      const finite = `arrayFilter(${item} -> NOT isNaN(${item}), ${all})`;
      const none = `if(empty(${all}), NULL, nan)`;
      if (name === 'Min') return `if(empty(${finite}), ${none}, arrayMin(${finite}))`;
      return `multiIf(empty(${all}), NULL, arrayExists(${item} -> isNaN(${item}), ${all}), nan, arrayMax(${all}))`;
    },
  );
}

/** Adds in order, as DuckDB does. */
function sumOf(list: string, of: Type): string {
  const all = numbers(list);
  const [sum, item] = [newVariable(), newVariable()];
  const zero = of.kind === 'double' ? 'toFloat64(0)' : 'toInt128(0)';
  return `if(empty(${all}), NULL, arrayFold((${sum}, ${item}) -> ${sum} + ${item}, ${all}, ${zero}))`;
}

const anyMet = (list: string) => {
  const item = newVariable();
  return `multiIf(arrayExists(${item} -> ifNull(${item}, 0), ${list}), true, arrayAll(${item} -> isNull(${item}), ${list}), NULL, false)`;
};

const allMet = (list: string) => {
  const item = newVariable();
  return `multiIf(arrayExists(${item} -> NOT ifNull(${item}, 1), ${list}), false, arrayAll(${item} -> isNull(${item}), ${list}), NULL, true)`;
};

function comparison(call: Call, write: (list: string, test: string, item: string) => string) {
  const { sql, of, test } = listArgument(call, 0);
  const wanted = argument(call, 1);
  const item = newVariable();
  const name = newVariable();
  const equal = binary('=', { sql: item, type: of }, { ...wanted, sql: name }, false).sql;
  const made = write(sql, `ifNull(${equal}, 0)`, item);
  return { made: `arrayElement(arrayMap(${name} -> ${made}, [${wanted.sql}]), 1)`, test, wanted };
}

const aggregated: FunctionRow = (call) => {
  const { sql, of, test } = listArgument(call, 0);
  const name = argument(call, 1).constant;
  if (name !== 'histogram') throw new NotOnEngine(`list_aggregate() with ${name}`);
  const all = numbers(sql);
  const item = newVariable();
  const counts = `arrayReduce('sumMap', arrayMap(${item} -> [${item}], ${all}), arrayMap(${item} -> [toInt64(1)], ${all}))`;
  const made = { sql: `arrayZip(${counts}.1, ${counts}.2)`, type: mapOf(of) };
  return nullIfAny(made, [test, `empty(${all})`]);
};

export function mapOf(key: Type): Type & { kind: 'list' } {
  return {
    ...listOf(
      structOf([
        ['key', key],
        ['value', int],
      ]),
    ),
    isMap: true,
  };
}

const reduced: FunctionRow = (call) => {
  const { sql, of, test } = listArgument(call, 0);
  const lambda = lambdaAt(call, 1);
  const [sum, item] = [newVariable(), newVariable()];
  const body = bodyWith(
    lambda,
    [
      { sql: sum, type: of },
      { sql: item, type: of },
    ],
    call,
  );
  if (!isInteger(of)) throw new NotOnEngine('list_reduce() of values other than integers');
  const first = `arrayElement(${numbers(sql)}, 1)`;
  const folded = `arrayFold((${sum}, ${item}) -> assumeNotNull(${coerced(body, of).sql}), arraySlice(${numbers(sql)}, 2), ${first})`;
  return nullIfAny({ sql: folded, type: of }, [test]);
};

const splitBy = (s: string, delimiter: string) =>
  delimiter === "''"
    ? `if(${s} = '', [''], extractAll(${s}, '(?s).'))`
    : `splitByString(${delimiter}, ${s})`;

/** ClickHouse splits only by constants, so each delimiter becomes one that the string doesn't have. */
function splitByColumn(s: string, delimiter: string): string {
  const mark = "'\\0\\x01\\0'";
  const refused = `throwIf(position(${s}, ${mark}) > 0, 'ClickHouse cannot split this string')`;
  const replaced = `replaceAll(${s}, if(${delimiter} = '', '\\0', ${delimiter}), ${mark})`;
  return `if(${refused} = 1, [], if(${delimiter} = '', ${splitBy(s, "''")}, splitByString(${mark}, ${replaced})))`;
}

export const listFunctions: Readonly<Record<string, FunctionRow>> = {
  list_transform: transform,
  list_filter: filter,
  list_zip: zip,
  list_concat: concatenation,
  flatten,
  list_slice: slice,
  range: range(false),
  generate_series: range(true),
  list_sort: sorted(false),
  list_reverse_sort: sorted(true),
  list_reverse: summary(
    (of) => listOf(of),
    (list) => `arrayReverse(${list})`,
  ),
  list_distinct: summary(
    (of) => listOf(of),
    (list) => `arrayDistinct(${numbers(list)})`,
  ),
  len: summary(
    () => int,
    (list) => `toInt64(length(${list}))`,
    { present: true, small: true },
  ),
  list_count: summary(
    () => int,
    (list) => `toInt64(length(${numbers(list)}))`,
    { present: true, small: true },
  ),
  list_sum: summary((of) => (of.kind === 'double' ? of : scalarType('huge')), sumOf),
  list_avg: summary(
    () => scalarType('double'),
    (list, of) => `(${sumOf(list, of)} / length(${numbers(list)}))`,
  ),
  list_min: extreme('Min'),
  list_max: extreme('Max'),
  list_bool_or: summary(() => scalarType('bool'), anyMet),
  list_bool_and: summary(() => scalarType('bool'), allMet),
  list_contains: (call) => {
    const { made, test, wanted } = comparison(
      call,
      (list, met, item) => `arrayExists(${item} -> ${met}, ${list})`,
    );
    return nullIfAny(scalar(made, 'bool'), [test, nullTest(wanted)]);
  },
  list_position: (call) => {
    const { made, test } = comparison(
      call,
      (list, met, item) => `nullIf(toInt64(arrayFirstIndex(${item} -> ${met}, ${list})), 0)`,
    );
    return nullIfAny(scalar(made, 'int', { small: true }), [test]);
  },
  list_aggregate: aggregated,
  list_reduce: reduced,
  map_entries: (call) => {
    const of = argument(call, 0);
    if (of.type.kind !== 'list') throw new NotOnEngine('map_entries() of other values');
    const { isMap: _, ...type } = of.type;
    return { ...of, type };
  },
  array_to_string: (call) => {
    const { sql, of, test } = listArgument(call, 0);
    const delimiter = argument(call, 1);
    const item = newVariable();
    const all = `arrayMap(${item} -> assumeNotNull(${item}), arrayFilter(${item} -> isNotNull(${item}), ${sql}))`;
    if (of.kind !== 'string' && of.kind !== 'json')
      throw new NotOnEngine('array_to_string() of numbers');
    return nullIfAny(scalar(joinedBy(all, delimiter), 'string', { present: true }), [
      test,
      nullTest(delimiter),
    ]);
  },
  string_split: (call) => {
    const delimiter = argument(call, 1);
    if (delimiter.constant !== undefined)
      return listMaker(['string', 'string'], string, splitBy)(call);
    // Without a delimiter, the string is the only part.
    const text = present(coerced(argument(call, 0), string)).sql;
    const split = splitByColumn(text, present(delimiter).sql);
    const test = nullTest(delimiter);
    const parts = test === undefined ? split : `if(${test}, [${text}], ${split})`;
    return nullIfAny({ sql: parts, type: listOf(string) }, [nullTest(argument(call, 0))]);
  },
};
