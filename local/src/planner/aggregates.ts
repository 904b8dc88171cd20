/** Plans each aggregate function as SQL. The keys of the table are the function names in the catalog. */
import type { AggregateName, BoundExpression } from '../../../language/src/index.ts';
import { argumentError, PlanError } from './errors.ts';
import { mayBeNaN, planAs, planExpression, precomputeOperands } from './expressions.ts';
import { at } from './functions/define.ts';
import type { PlannedAggregate } from './plan.ts';
import { writeOrder } from './print.ts';
import type { Scope } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { columnValue } from './table.ts';
import {
  arrayValue,
  as,
  convert,
  plainText,
  scalarOf,
  toDynamic,
  toNumber,
  type Value,
  type ValueType,
  value,
} from './values.ts';

type Call = BoundExpression & { kind: 'call' };

interface Use {
  readonly node: Call;
  readonly args: readonly BoundExpression[];
  readonly scope: Scope;
  readonly condition?: Sql;
  /** `FILTER (WHERE …)`, or empty without a condition. */
  readonly filter: Sql;
}

interface Planned {
  readonly plan: (use: Use) => Value;
  /** The function's name in API responses, if it differs from the APL name. */
  readonly engine?: string;
  readonly condition?: number;
}

export const aggregatePlans: Readonly<Record<AggregateName, Planned>> = {
  count: { plan: ({ filter }) => value(sql`count(*)${filter}`, 'long') },
  countif: { plan: ({ filter }) => value(sql`count(*)${filter}`, 'long'), condition: 0 },
  dcount: { plan: dcount, engine: 'distinct' },
  dcountif: { plan: dcount, engine: 'distinctif', condition: 1 },
  sum: { plan: sum },
  sumif: { plan: sum, condition: 1 },
  avg: { plan: average },
  avgif: { plan: average, condition: 1 },
  min: { plan: extreme('min') },
  minif: { plan: extreme('min'), condition: 1 },
  max: { plan: extreme('max') },
  maxif: { plan: extreme('max'), condition: 1 },
  stdev: { plan: spreadOf(sql`stddev_samp`, 1) },
  stdevif: { plan: spreadOf(sql`stddev_samp`, 1), condition: 1 },
  variance: { plan: spreadOf(sql`var_samp`, 2) },
  varianceif: { plan: spreadOf(sql`var_samp`, 2), condition: 1 },
  percentile: { plan: percentile, engine: 'percentiles' },
  percentileif: { plan: percentile, engine: 'percentilesif', condition: 2 },
  percentiles_array: { plan: percentiles, engine: 'percentiles' },
  percentiles_arrayif: { plan: percentiles, engine: 'percentilesif', condition: 2 },
  make_list: { plan: list, engine: 'makelist' },
  make_list_if: { plan: list, engine: 'makelistif', condition: 1 },
  make_set: { plan: set, engine: 'makeset' },
  make_set_if: { plan: set, engine: 'makesetif', condition: 1 },
  topk: { plan: topk },
  topkif: { plan: topk, condition: 2 },
  histogram: { plan: histogram },
  histogramif: { plan: histogram, condition: 2 },
  rate: { plan: rate },
  arg_max: { plan: (use) => best(use)[0] as Value, engine: 'argmax' },
  arg_min: { plan: (use) => best(use)[0] as Value, engine: 'argmin' },
  phrases: { plan: phrases },
  spotlight: { plan: spotlight },
};

function planOf(node: Call): Planned {
  if (Object.hasOwn(aggregatePlans, node.name)) return aggregatePlans[node.name as AggregateName];
  throw new PlanError('unsupported-function', node, `The aggregate ${node.name} does not exist.`);
}

function useOf(node: Call, scope: Scope, plan: Planned): Use {
  const { condition } = plan;
  const test = condition === undefined ? undefined : node.arguments[condition];
  const args = node.arguments.filter((argument) => argument !== test);
  if (test === undefined) return { node, args, scope, filter: print.nothing };
  const tested = planAs(test, 'bool', scope).sql;
  return { node, args, scope, condition: tested, filter: sql` FILTER (WHERE ${tested})` };
}

export function planAggregate(node: Call, scope: Scope): Value {
  const plan = planOf(node);
  if (scope.aggregates === undefined) {
    throw new PlanError(
      'unsupported-expression',
      node,
      `${node.name} is only allowed in summarize.`,
    );
  }
  const { rows, collect } = scope.aggregates;
  const over = { ...rows, aggregates: scope.aggregates };
  const planOver = () => plan.plan(useOf(node, over, plan));
  return collect(precomputeOperands(planOver(), node.arguments, over, planOver));
}

/** Plans `arg_max` or `arg_min`: a column with the extreme value, then a column per listed field. */
export function planSpread(node: Call, scope: Scope): readonly Value[] {
  return best(
    useOf(node, { ...(scope.aggregates?.rows ?? scope), ...aggregatesOf(scope) }, planOf(node)),
  );
}

function aggregatesOf(scope: Scope): Pick<Scope, 'aggregates'> {
  return scope.aggregates === undefined ? {} : { aggregates: scope.aggregates };
}

export function aggregateOf(node: BoundExpression): PlannedAggregate | undefined {
  if (node.kind !== 'call' || !node.aggregate) return undefined;
  const plan = planOf(node);
  const fields = node.arguments.flatMap((part) => (part.kind === 'column' ? [part.name] : []));
  const args = node.arguments.flatMap((part) =>
    part.kind === 'literal' || part.kind === 'dynamic' ? [jsonValue(part.value)] : [],
  );
  return {
    name: plan.engine ?? node.name,
    ...(fields.length === 0 ? {} : { fields }),
    ...(args.length === 0 ? {} : { args }),
  };
}

/** Bigints become numbers, because arguments above 2^53 are unlikely. */
function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) ? value.map(jsonValue) : value;
}

function amount(use: Use): Value {
  const of = at(use, 0);
  return of.type === 'timespan' ? of : toNumber(of);
}

function constantNumber(use: Use, i: number, what: string): number {
  const known = scalarOf(convert(at(use, i), 'real'));
  if (typeof known === 'number') return known;
  throw argumentError(use, i, `The ${what} of ${use.node.name} must be a constant number.`);
}

// ── Numbers ───────────────────────────────────────────────────────────────────────────────────────

function dcount(use: Use): Value {
  return value(sql`count(DISTINCT ${at(use, 0).sql})${use.filter}`, 'long');
}

/** The sum of no rows is 0. A sum that overflows 64 bits is null. */
function sum(use: Use): Value {
  const of = amount(use);
  const total = sql`coalesce(sum(${of.sql})${use.filter}, 0)`;
  return value(of.type === 'real' ? total : sql`TRY_CAST(${total} AS BIGINT)`, of.type);
}

function amountOrTime(use: Use): Value {
  const of = at(use, 0);
  return of.type === 'datetime' ? of : amount(use);
}

function average(use: Use): Value {
  const of = amountOrTime(use);
  if (of.type === 'datetime') {
    const total = sql`sum(epoch_ns(${of.sql}))${use.filter}`;
    const count = sql`count(${of.sql})${use.filter}`;
    return value(sql`apl.from_epoch(CAST(${total} // ${count} AS BIGINT))`, 'datetime');
  }
  const mean = sql`avg(${of.sql})${use.filter}`;
  if (of.type === 'timespan') return value(sql`CAST(${mean} AS BIGINT)`, 'timespan');
  return value(mean, 'real');
}

function extreme(name: 'min' | 'max'): (use: Use) => Value {
  return (use) => {
    const found = at(use, 0);
    const of = found.type === 'dynamic' ? toNumber(found) : found;
    if (name === 'min' && of.type === 'real' && firstMayBeNaN(use)) {
      return value(sql`-max(${print.negative(of.sql)})${use.filter}`, of.type);
    }
    return value(sql`${print.call(name, of.sql)}${use.filter}`, of.type);
  };
}

/** Returns whether the first argument may be NaN. APL's `min` and `max` then return NaN, but DuckDB's `min` doesn't. */
function firstMayBeNaN(use: Use): boolean {
  const [node] = use.args;
  return node === undefined || mayBeNaN(node);
}

/** Plans a deviation (if `power` is 1) or a variance (if it is 2). The result for a single value is 0. */
function spreadOf(name: Sql, power: 1 | 2): (use: Use) => Value {
  return (use) => {
    const given = amount(use);
    const of = as(given, 'real');
    const one = sql`WHEN count(${of})${use.filter} = 1 THEN 0e0`;
    if (given.type !== 'real') {
      const spread = sql`CASE ${one} ELSE ${name}(${of})${use.filter} END`;
      if (given.type !== 'timespan' || power === 2) return value(spread, 'real');
      return value(sql`TRY_CAST(${spread} AS BIGINT)`, 'timespan');
    }
    // DuckDB fails if a square overflows a double, so large numbers are scaled down before squaring.
    const plain = sql`${name}(CASE WHEN abs(${of}) < 1e150 THEN ${of} END)${use.filter}`;
    const scaled = sql`${name}(CASE WHEN isfinite(${of}) THEN ${of} * 1e-200 END)${use.filter}`;
    const back = power === 1 ? sql`1e200` : sql`1e200 * 1e200`;
    const huge = sql`WHEN max(abs(${of}))${use.filter} >= 1e150 THEN ${scaled} * ${back}`;
    const none = firstMayBeNaN(use)
      ? sql`WHEN bool_or(NOT isfinite(${of}))${use.filter} THEN 'nan'::DOUBLE `
      : print.nothing;
    return value(sql`CASE ${none}${one} ${huge} ELSE ${plain} END`, 'real');
  };
}

function percentile(use: Use): Value {
  const of = amountOrTime(use);
  const share = shareOf(constantNumber(use, 1, 'percentile'), use, 1);
  return value(sql`quantile_disc(${of.sql}, ${share})${use.filter}`, of.type);
}

function shareOf(percent: number, use: Use, i: number): Sql {
  if (percent >= 0 && percent <= 100) return print.real(percent / 100);
  throw argumentError(use, i, 'A percentile must be from 0 to 100.');
}

function percentiles(use: Use): Value {
  const of = amountOrTime(use);
  const shares = use.args.slice(1).flatMap((_, i) => {
    const wanted = at(use, i + 1).constant;
    const all =
      wanted?.kind === 'dynamic' && Array.isArray(wanted.value) ? wanted.value : undefined;
    if (all === undefined) return [shareOf(constantNumber(use, i + 1, 'percentile'), use, i + 1)];
    return all.map((percent) => shareOf(Number(percent), use, i + 1));
  });
  const found = sql`quantile_disc(${of.sql}, [${print.join(shares)}])${use.filter}`;
  const json = toDynamic({ sql: sql`_item`, type: of.type }).sql;
  return arrayValue(sql`to_json(list_transform(${found}, lambda _item: ${json}))`);
}

function rate(use: Use): Value {
  const window = use.scope.aggregates?.window ?? 0n;
  const seconds = print.real(Number(window) / 1e9);
  return value(sql`coalesce(sum(${as(amount(use), 'real')})${use.filter}, 0) / ${seconds}`, 'real');
}

/** Plans a histogram: bins of equal width from the minimum to the maximum, each an object `{from, to, count}`. */
function histogram(use: Use): Value {
  const of = as(amount(use), 'real');
  const bins = Math.trunc(constantNumber(use, 1, 'number of bins'));
  if (bins < 1 || bins > 10_000) {
    throw argumentError(use, 1, 'The number of bins must be from 1 to 10,000.');
  }
  const numbers = sql`list(${of})${use.filter}`;
  return arrayValue(sql`apl.histogram(${numbers}, ${print.long(BigInt(bins))})`);
}

// ── Lists ─────────────────────────────────────────────────────────────────────────────────────────

/** The maximum size of a `make_set` without an explicit size, as in the service. */
const setSize = 128;
const listSize = 1_048_576;

function countOf(use: Use, fallback: number): bigint {
  const given = use.args[1];
  const size = given === undefined ? fallback : Math.trunc(constantNumber(use, 1, 'size'));
  return BigInt(Math.max(0, Math.min(size, listSize)));
}

function list(use: Use): Value {
  const of = at(use, 0);
  const nested = mayBeArray(of);
  const item = nested ? sql`apl.flat(${toDynamic(of).sql})` : toDynamic(of).sql;
  const ordered = itemsInOrder(use, item);
  const size = print.long(countOf(use, listSize));
  if (nested) return collected(sql`flatten(list(${ordered})${use.filter})`, size);
  return collected(sql`list(${ordered})${notNullFilter(use, item, 'dynamic')}`, size);
}

function itemsInOrder(use: Use, item: Sql): Sql {
  const { table } = use.scope;
  const keys = table.implied ? [] : table.order;
  const order = keys.map((key) => writeOrder(print.column(key.id), key));
  return order.length === 0 ? item : sql`${item} ORDER BY ${print.join(order)}`;
}

/** Returns whether a value may be an array, whose items `make_list` and `make_set` add one by one, as in Kusto. */
function mayBeArray(of: Value): boolean {
  return of.type === 'dynamic' && of.variants === undefined && of.shape !== 'map';
}

/** Plans a list of distinct values. It is sorted if the query reads a dataset, because DuckDB's order is unstable. */
function set(use: Use): Value {
  const of = at(use, 0);
  const count = countOf(use, use.node.name === 'make_set' ? setSize : listSize);
  const size = print.long(count);
  const written = use.scope.planning.datasets.size === 0;
  if (mayBeArray(of)) {
    const flat = sql`apl.flat(${of.sql})`;
    const all = sql`flatten(list(${written ? itemsInOrder(use, flat) : flat})${use.filter})`;
    return collected(print.call(written ? 'apl.distinct_items' : 'apl.distinct_sorted', all), size);
  }
  const filter = notNullFilter(use, of.sql, of.type);
  const items = written
    ? sql`apl.distinct_items(list(${itemsInOrder(use, of.sql)})${filter})`
    : leastDistinct(of.sql, count, filter);
  const json = toDynamic({ sql: sql`_item`, type: of.type }).sql;
  return collected(sql`list_transform(${items}, lambda _item: ${json})`, size);
}

/** The maximum count for which DuckDB's `min` uses a heap. Beyond it, DuckDB sorts all values. */
const maxHeapValues = 10_000n;

/** Returns SQL for a sorted list of at least the `count` smallest distinct values. The caller removes the rest. */
function leastDistinct(of: Sql, count: bigint, filter: Sql): Sql {
  if (count === 0n || count > maxHeapValues) return sql`list_sort(list(DISTINCT ${of})${filter})`;
  return sql`min(DISTINCT ${of}, ${print.bareLong(count)})${filter}`;
}

function notNullFilter(use: Use, item: Sql, type: ValueType): Sql {
  const test = type === 'dynamic' ? sql`${item} <> 'null'` : sql`${item} IS NOT NULL`;
  if (use.condition === undefined) return sql` FILTER (WHERE ${test})`;
  return sql` FILTER (WHERE ${use.condition} AND ${test})`;
}

function collected(items: Sql, size: Sql): Value {
  return arrayValue(sql`coalesce(to_json(list_slice(${items}, 1, ${size})), '[]'::JSON)`);
}

/** Plans a list of `{key, count, error}`. Counts are exact, so `error` is 0. */
function topk(use: Use): Value {
  const wanted = constantNumber(use, 1, 'number of values');
  const count = BigInt(Math.trunc(Math.max(0, Math.min(wanted, listSize))));
  const item = toDynamic(at(use, 0)).sql;
  return arrayValue(sql`apl.topk(histogram(${item})${use.filter}, ${print.long(count)})`);
}

function phrases(use: Use): Value {
  const count = Math.trunc(constantNumber(use, 1, 'number of phrases'));
  const max = print.long(BigInt(Math.max(0, Math.min(count, listSize))));
  const text = as(at(use, 0), 'string');
  return arrayValue(
    sql`apl.top_phrases(flatten(list(apl.phrases_of(${text}))${use.filter}), ${max})`,
  );
}

/**
 * Plans a list of `{field, value, selected, others, difference}`. `selected` is the value's share of the rows that meet
 * the condition, and `others` its share of the other rows.
 */
function spotlight(use: Use): Value {
  const [test, ...nodes] = use.args;
  if (test === undefined) return at(use, 0);
  const selected = planAs(test, 'bool', use.scope).sql;
  const fields = nodes.flatMap((node): readonly (readonly [string, Value])[] => {
    if (node.kind !== 'star') {
      const { start, end } = node;
      const name = node.kind === 'column' ? node.name : `expression at ${start} to ${end}`;
      return [[name, planExpression(node, use.scope)]];
    }
    const columns = use.scope.table.columns.filter(({ type }) => type !== 'datetime');
    return columns.map((column) => [column.name, columnValue(column)]);
  });
  const yes = sql` FILTER (WHERE ${selected})`;
  const no = sql` FILTER (WHERE NOT coalesce(${selected}, false))`;
  const shares = fields.map(([name, of]) => {
    const text = sql`coalesce(${plainText(of)}, '')`;
    return sql`apl.spotlight_of(${print.text(name)}, histogram(${text})${yes}, count(*)${yes}, histogram(${text})${no}, count(*)${no})`;
  });
  return arrayValue(sql`apl.spotlight([${print.join(shares)}])`);
}

// ── Rows ──────────────────────────────────────────────────────────────────────────────────────────

function best(use: Use): readonly Value[] {
  const greatest = use.node.name === 'arg_max';
  const by = at(use, 0);
  const key = by.type === 'dynamic' ? toNumber(by) : by;
  const groups = use.scope.aggregates?.groups ?? new Set<string>();
  const taken = new Set(groups);
  const [first] = use.args;
  if (first?.kind === 'column') taken.add(first.name);
  const rest = use.args.slice(1).flatMap((node): readonly Value[] => {
    if (node.kind !== 'star') {
      if (node.kind === 'column') taken.add(node.name);
      return [planExpression(node, use.scope)];
    }
    const columns = use.scope.table.columns.filter((column) => !taken.has(column.name));
    return columns.map((column) => columnValue(column));
  });
  // Use the negated maximum of the negated numbers, because DuckDB sorts NaN above all numbers.
  const isNegated = !greatest && key.type === 'real' && firstMayBeNaN(use);
  const rank = isNegated ? print.negative(key.sql) : key.sql;
  const isMax = greatest || isNegated;
  const pick = isMax ? sql`arg_max_null` : sql`arg_min_null`;
  // If all keys are null, return the fields of an arbitrary row.
  const fields = rest.map(({ sql: field, type, shape }): Value => {
    // Wrap strings in a struct: DuckDB copies a plain string for each new best row, but a struct only once per chunk.
    const isText = type === 'string' || type === 'dynamic';
    const picked = isText
      ? sql`${pick}({item: ${field}}, ${rank}).item`
      : sql`${pick}(${field}, ${rank})`;
    const found = sql`CASE WHEN count(${key.sql}) = 0 THEN first(${field}) ELSE ${picked} END`;
    return shape === undefined ? value(found, type) : { sql: found, type, shape };
  });
  const extremeKey = sql`${isMax ? sql`max` : sql`min`}(${rank})`;
  return [value(isNegated ? print.negative(extremeKey) : extremeKey, key.type), ...fields];
}
