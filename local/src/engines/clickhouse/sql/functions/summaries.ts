/** Functions that summarize a list. */
import { coerced } from '../casts.ts';
import { argument, type Call, type FunctionRow } from '../context.ts';
import { newVariable } from '../lists.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import { binary } from '../operators.ts';
import { isInteger, listOf, scalarType, structOf, type Type } from '../types.ts';
import { LENGTH_BITS, nullIfAny, nullTest, scalar, type Value } from '../value.ts';
import { listArgument } from './define.ts';
import { bodyWith, lambdaAt } from './lambdas.ts';

const int = scalarType('int');

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

export const summaryFunctions: Readonly<Record<string, FunctionRow>> = {
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
    { present: true, bits: LENGTH_BITS },
  ),
  list_count: summary(
    () => int,
    (list) => `toInt64(length(${numbers(list)}))`,
    { present: true, bits: LENGTH_BITS },
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
    return nullIfAny(scalar(made, 'int', { bits: LENGTH_BITS }), [test]);
  },
  list_aggregate: aggregated,
  list_reduce: reduced,
  map_entries: (call) => {
    const of = argument(call, 0);
    if (of.type.kind !== 'list') throw new NotOnEngine('map_entries() of other values');
    const { isMap: _, ...type } = of.type;
    return { ...of, type };
  },
};
