/** Functions on lists. */
import { coerced } from '../casts.ts';
import { argument, type FunctionRow } from '../context.ts';
import { emptyList, joinedBy, newVariable } from '../lists.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import {
  commonType,
  isOptional,
  listOf,
  scalarType,
  structOf,
  type Type,
  withOptional,
} from '../types.ts';
import { field, nullIfAny, nullTest, required, scalar, type Value } from '../value.ts';
import { listArgument, listMaker, rejectOptionalItems } from './define.ts';
import { filter, transform } from './lambdas.ts';

const string = scalarType('string');
const int = scalarType('int');

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
