/** Translates aggregates. ClickHouse's aggregates need `OrNull` to be null without rows. */
import { coerced } from './casts.ts';
import type { Context } from './context.ts';
import { mapOf } from './functions/summaries.ts';
import { newVariable } from './lists.ts';
import { NotOnEngine } from './notOnEngine.ts';
import { groupKey } from './operators.ts';
import type { Node } from './tree.ts';
import { isOptional, listOf, scalarType, type Type } from './types.ts';
import { field, nullIfAny, nullTest, required, scalar, type Value } from './value.ts';

type CallNode = Node & { kind: 'call' };
type Translate = (node: Node, context: Context) => Value;

interface Use {
  readonly node: CallNode;
  readonly args: readonly Value[];
  /** `FILTER (WHERE …)`, or empty. */
  readonly filter: string;
  /** The condition of the filter. */
  readonly condition: string | undefined;
  readonly translate: (node: Node) => Value;
}

type AggregateRow = (use: Use) => Value;

/** Returns a translator of aggregates. Their arguments can't have aggregates. */
export function aggregateOf(translate: Translate) {
  return (node: CallNode, context: Context): Value | undefined => {
    const { aggregate: _, ...inner } = context;
    const translateInner = (of: Node) => translate(of, inner);
    if (node.over !== undefined) return rowNumber(node, translateInner);
    const row = aggregates[node.name];
    if (row === undefined) return undefined;
    const args = node.args.filter(({ kind }) => kind !== 'star').map(translateInner);
    const condition = node.filter && translateInner(node.filter).sql;
    const filter = condition === undefined ? '' : ` FILTER (WHERE ${condition})`;
    return row({ node, args, filter, condition, translate: translateInner });
  };
}

function rowNumber(node: CallNode, translate: (node: Node) => Value): Value {
  if (node.name !== 'row_number') throw new NotOnEngine(`${node.name}() OVER`);
  const by = node.over!.partition.map((part) => groupKey(translate(part)).sql);
  const partition = by.length === 0 ? '' : `PARTITION BY ${by.join(', ')}`;
  return scalar(`toInt64(row_number() OVER (${partition}))`, 'int', { present: true });
}

function first({ args, node }: Use): Value {
  const [of] = args;
  if (of === undefined) throw new NotOnEngine(`${node.name}() without an argument`);
  return of;
}

/** Returns the rows' values as a list, with nulls. */
function collected(
  use: Use,
  of: Value,
): { readonly sql: string; readonly type: Type & { kind: 'list' } } {
  const { node, filter, translate } = use;
  const row = newVariable();
  if (node.distinct)
    return { sql: `groupUniqArray(${groupKey(of).sql})${filter}`, type: listOf(of.type) };
  if (node.order.length === 0) {
    const all = `groupArray(tuple(${of.sql}))${filter}`;
    return { sql: `arrayMap(${row} -> ${row}.1, ${all})`, type: listOf(of.type) };
  }
  const keys = node.order.flatMap(({ by, desc, nullsFirst }) => {
    const key = translate(by);
    const isNull = nullTest(key) ?? '0';
    return [nullsFirst ? `NOT ${isNull}` : isNull, ...sortKeys(key, desc)];
  });
  const all = `groupArray(tuple(${of.sql}, tuple(${keys.join(', ')})))${filter}`;
  return {
    sql: `arrayMap(${row} -> ${row}.1, arraySort(${row} -> ${row}.2, ${all}))`,
    type: listOf(of.type),
  };
}

/** Returns keys that sort a value in ascending order. Only numbers and times can be reversed. */
function sortKeys({ sql, type }: Value, desc: boolean): readonly string[] {
  if (type.kind === 'double')
    return desc ? [`NOT isNaN(${sql})`, `-${sql}`] : [`isNaN(${sql})`, sql];
  if (!desc) return [sql];
  if (type.kind === 'int' || type.kind === 'huge') return [`-toInt128(${sql})`];
  if (type.kind === 'time') return [`-toInt128(toUnixTimestamp64Nano(${sql}))`];
  if (type.kind === 'bool') return [`NOT ${sql}`];
  if (type.kind === 'string' || type.kind === 'json') {
    const byte = newVariable();
    return [
      `arrayConcat(arrayMap(${byte} -> 255 - reinterpretAsUInt8(${byte}), extractAll(hex(assumeNotNull(${sql})), '..')), [256])`,
    ];
  }
  throw new NotOnEngine(`a list in descending order of ${type.kind}`);
}

const list: AggregateRow = (use) => {
  const of = first(use);
  const made = collected(use, of);
  return nullIfAny(made, [`count()${use.filter} = 0`]);
};

/** The sum of integers has 128 bits. */
const sum: AggregateRow = (use) => {
  const of = first(use);
  if (of.type.kind === 'double') return scalar(`sumOrNull(${of.sql})${use.filter}`, 'double');
  if (of.type.kind === 'bool') throw new NotOnEngine('sum() of booleans');
  return scalar(`sumOrNull(${coerced(of, scalarType('huge')).sql})${use.filter}`, 'huge');
};

const avg: AggregateRow = (use) => {
  const of = first(use);
  if (of.type.kind === 'double') return scalar(`avgOrNull(${of.sql})${use.filter}`, 'double');
  const total = `sumOrNull(${coerced(of, scalarType('huge')).sql})${use.filter}`;
  return scalar(`(toFloat64(${total}) / count(${of.sql})${use.filter})`, 'double');
};

function extreme(name: 'min' | 'max'): AggregateRow {
  return (use) => {
    const of = first(use);
    const { sql, type } = of;
    if (name === 'min' && use.args.length === 2) return least(use);
    if (use.args.length !== 1) throw new NotOnEngine(`${name}() with two arguments`);
    if (type.kind === 'list' || type.kind === 'struct')
      throw new NotOnEngine(`${name}() of ${type.kind}`);
    const plain = `${name}OrNull(${sql})${use.filter}`;
    if (type.kind !== 'double') return { sql: plain, type };
    const hasNaN = and(`isNaN(${sql})`, use.condition);
    const finite = `${name}OrNull(${sql}) FILTER (WHERE ${and(`NOT isNaN(${sql})`, use.condition)})`;
    if (name === 'max') return { sql: `if(countIf(${hasNaN}) > 0, nan, ${plain})`, type };
    return { sql: `coalesce(${finite}, if(countIf(${hasNaN}) > 0, nan, NULL))`, type };
  };
}

function and(test: string, condition: string | undefined): string {
  return condition === undefined ? test : `${test} AND ${condition}`;
}

/** The least distinct values, of which the caller takes some. */
function least(use: Use): Value {
  const of = first(use);
  const item = newVariable();
  const all = `groupUniqArray(${groupKey(of).sql})${use.filter}`;
  const sorted =
    of.type.kind === 'double'
      ? `arraySort(${item} -> tuple(isNaN(${item}), ${item}), ${all})`
      : `arraySort(${all})`;
  return nullIfAny(
    { sql: `arraySlice(${sorted}, 1, ${use.args[1]!.sql})`, type: listOf(of.type) },
    [`countIf(${and(`isNotNull(${of.sql})`, use.condition)}) = 0`],
  );
}

const count: AggregateRow = (use) => {
  const [of] = use.args;
  if (of === undefined) return scalar(`toInt64(count()${use.filter})`, 'int', { present: true });
  const test = nullTest(of);
  if (use.node.distinct) {
    if (of.type.kind === 'list' || of.type.kind === 'struct')
      throw new NotOnEngine('count() of distinct lists');
    return scalar(`toInt64(uniqExact(${groupKey(of).sql})${use.filter})`, 'int', { present: true });
  }
  if (test === undefined) return scalar(`toInt64(count()${use.filter})`, 'int', { present: true });
  return scalar(`toInt64(countIf(${and(`NOT ${test}`, use.condition)}))`, 'int', { present: true });
};

/** Takes the value at the position that DuckDB computes. */
const quantile: AggregateRow = (use) => {
  const of = first(use);
  const [, shares] = use.args;
  const item = newVariable();
  const all = newVariable();
  const values = `groupArray(${of.sql})${use.filter}`;
  const key =
    of.type.kind === 'double'
      ? `arraySort(${item} -> tuple(isNaN(${item}), ${item}), ${values})`
      : `arraySort(${values})`;
  const at = (share: string) =>
    `arrayElement(${all}, greatest(1, toInt64(length(${all})) - toInt64(floor(length(${all}) - ${share} * length(${all})))))`;
  const bind = (body: string) => `arrayElement(arrayMap(${all} -> ${body}, [${key}]), 1)`;
  const none = `countIf(${and(`isNotNull(${of.sql})`, use.condition)}) = 0`;
  if (shares?.type.kind !== 'list') {
    const share = coerced(shares!, scalarType('double')).sql;
    const nearest = nearestRank(use, of, share);
    return { sql: nearest ?? `if(${none}, NULL, ${bind(at(share))})`, type: of.type };
  }
  const share = newVariable();
  const made = bind(`arrayMap(${share} -> ${at(share)}, ${required(shares).sql})`);
  return nullIfAny({ sql: made, type: listOf(of.type) }, [none]);
};

/**
 * Computes a quantile of numbers for a constant share without sorting them. ClickHouse takes the next value where the
 * share of the rows is a whole number, so its share is a little less. NaN is above all numbers, and ClickHouse skips it.
 */
function nearestRank({ condition, filter }: Use, of: Value, share: string): string | undefined {
  const least = Number(share) * (1 - 2 ** -50);
  if (!(least >= 0 && least < 1) || !['int', 'double'].includes(of.type.kind)) return undefined;
  const quantile = (value: string) => `quantileExactOrNull(${least})(${value})${filter}`;
  if (of.type.kind === 'int') return quantile(of.sql);
  const count = `countIf(${and(`isNotNull(${of.sql})`, condition)})`;
  const hasNaN = `isNaN(${of.sql})`;
  const above = `countIf(${and(hasNaN, condition)}) > floor(${count} - ${share} * ${count})`;
  return `if(${above}, nan, ${quantile(`if(${hasNaN}, inf, ${of.sql})`)})`;
}

function spread(name: string): AggregateRow {
  return (use) => {
    const of = coerced(first(use), scalarType('double'));
    const few = `countIf(${and(`isNotNull(${of.sql})`, use.condition)}) < 2`;
    return scalar(`if(${few}, NULL, ${name}(${of.sql})${use.filter})`, 'double');
  };
}

/** Returns the first argument of the row with the extreme second one. Rows without the second are skipped. */
function best(name: 'argMax' | 'argMin'): AggregateRow {
  return (use) => {
    const [of, rank] = use.args;
    if (of === undefined || rank === undefined) throw new NotOnEngine(use.node.name);
    const key = rank.type.kind === 'double' ? `tuple(isNaN(${rank.sql}), ${rank.sql})` : rank.sql;
    const filter = ` FILTER (WHERE ${and(`isNotNull(${rank.sql})`, use.condition)})`;
    const found = `${name}(tuple(${nullable(of)}), ${key})${filter}`;
    return { sql: field(found, 1), type: of.type };
  };
}

const histogram: AggregateRow = (use) => {
  const of = first(use);
  const filter = ` FILTER (WHERE ${and(`isNotNull(${of.sql})`, use.condition)})`;
  const counts = `sumMap([assumeNotNull(${of.sql})], [toInt64(1)])${filter}`;
  const zipped = `arrayZip(tupleElement(${counts}, 1), tupleElement(${counts}, 2))`;
  return nullIfAny({ sql: zipped, type: mapOf(of.type) }, [
    `countIf(${and(`isNotNull(${of.sql})`, use.condition)}) = 0`,
  ]);
};

/** Without rows, ClickHouse returns the default of a type that isn't nullable. */
function nullable({ sql, type }: Value): string {
  return type.kind === 'list' || type.kind === 'struct' ? sql : `toNullable(${sql})`;
}

const anyValue: AggregateRow = (use) => {
  const of = first(use);
  if (isOptional(of.type)) throw new NotOnEngine('any_value() of lists');
  return { sql: `any(${nullable(of)})${use.filter}`, type: of.type };
};

/** Joins texts, without nulls. */
const joinedTexts: AggregateRow = (use) => {
  const [of, separator] = use.args;
  if (of === undefined || separator === undefined) throw new NotOnEngine(use.node.name);
  const texts = `groupArray(${of.sql})${use.filter}`;
  return scalar(`arrayStringConcat(${texts}, ${separator.sql})`, 'string', { present: true });
};

const firstValue: AggregateRow = (use) => {
  const of = first(use);
  return { sql: field(`any(tuple(${nullable(of)}))${use.filter}`, 1), type: of.type };
};

const aggregates: Readonly<Record<string, AggregateRow | undefined>> = {
  any_value: anyValue,
  arg_max_null: best('argMax'),
  arg_min_null: best('argMin'),
  avg,
  bool_or: (use) => scalar(`(maxOrNull(toUInt8(${first(use).sql}))${use.filter} = 1)`, 'bool'),
  count,
  first: firstValue,
  histogram,
  list,
  max: extreme('max'),
  min: extreme('min'),
  string_agg: joinedTexts,
  quantile_disc: quantile,
  stddev_samp: spread('stddevSampStable'),
  sum,
  var_samp: spread('varSampStable'),
};
