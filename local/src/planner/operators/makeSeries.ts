/**
 * `make-series`: divides a range of times, timespans or numbers into equal steps. For each group, it returns an array
 * with an aggregate's value for each step.
 */
import type { BoundExpression, BoundOperator } from '../../../../language/src/index.ts';
import { PlanError } from '../errors.ts';
import { mayBeNaN, planAs, planExpression } from '../expressions.ts';
import { planWithoutRows, withPrecomputed } from '../precompute.ts';
import { printRelation } from '../print.ts';
import { depthOf, type Item, type Relation } from '../relation.ts';
import { type Planning, type Scope, scopeOf, share } from '../scope.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { columnValue, extended, filtered, Ids, newTable, type Table } from '../table.ts';
import {
  as,
  convert,
  isNumeric,
  scalarOf,
  toDynamic,
  type Value,
  type ValueType,
  value,
} from '../values.ts';
import { planSummarize } from './summarize.ts';

type MakeSeries = Extract<BoundOperator, { kind: 'make-series' }>;

/**
 * The axis that is divided into steps. `type` is the type of its values, and `measure` the type used to compute steps.
 */
interface Axis {
  readonly type: ValueType;
  readonly measure: 'long' | 'real';
  readonly on: Value;
  readonly step: Sql;
  readonly stepName: string;
}

export function planMakeSeries(operator: MakeSeries, table: Table, planning: Planning): Table {
  const scope = scopeOf(table, planning);
  const axis = axisOf(operator, scope);
  const bounds = planBounds(operator, axis, table, planning);
  const cells = planCells(operator, axis, bounds, table, planning);
  const groups = cells.columns.slice(0, operator.groups.length);
  const ids = new Ids(cells.taken);
  const step = ids.free('step of series');
  const every: Relation = {
    kind: 'expand',
    input: planGroups(operator, cells),
    items: [{ id: step, sql: sql`range(${bounds.steps})` }],
  };
  const keys = groups.map(({ id }) => print.sameColumn(id, id));
  const stepColumn = cells.columns[operator.groups.length]!;
  const values = cells.columns.slice(operator.groups.length + 1);
  const joined: Relation = {
    kind: 'join',
    left: every,
    right: cells.relation,
    clause: {
      kind: 'LEFT',
      on: print.join([...keys, print.sameColumn(step, stepColumn.id)], ' AND '),
    },
    items: [
      ...[...groups.map(({ id }) => id), step].map((id) => ({ id, sql: print.column(id, 'l') })),
      ...values.map(({ id }) => ({ id, sql: print.column(id, 'r') })),
    ],
  };
  const series = values.map((column, i): Item => {
    const fallback = defaultOf(operator.aggregates[i]?.defaultValue, planning);
    const cell = sql`coalesce(${toDynamic(columnValue(column)).sql}, ${fallback})`;
    return { id: column.id, sql: sql`to_json(list(${cell} ORDER BY ${print.column(step)}))` };
  });
  const made: Relation = {
    kind: 'aggregate',
    input: joined,
    groups: groups.map(({ id }) => ({ id, sql: print.column(id) })),
    aggregates: series,
  };
  const empty = groups.length === 0 && !operator.nonEmpty;
  const result = newTable(
    empty ? { kind: 'filter', input: made, predicate: hasRows(cells) } : made,
    [...groups, ...values.map(({ name, id }) => ({ name, id, ...arrayType }))],
    new Ids(ids.taken),
  );
  const own = new Ids(result.taken);
  const steps = { id: own.free(operator.onName), sql: axisArray(axis, bounds) };
  const column = { name: operator.onName, id: steps.id, ...arrayType };
  // Sort the groups, because DuckDB returns them in no fixed order.
  const order = groups.map(({ id }) => ({ id, desc: false, nullsFirst: true }));
  return { ...extended(result, [steps], own), columns: [...result.columns, column], order };
}

const arrayType = { type: 'dynamic', shape: 'array' } as const;

function axisOf(operator: MakeSeries, scope: Scope): Axis {
  const { planning } = scope;
  const on = planExpression(operator.on, scope);
  if (operator.step === undefined) {
    throw new PlanError('invalid-argument', operator, 'make-series requires a step.');
  }
  const { step: length, from, to } = operator;
  const step = planWithoutRows(planning, (alone) => planExpression(length, alone));
  const known = scalarOf(step);
  if (known !== undefined && Number(known) <= 0) {
    throw new PlanError('invalid-argument', operator.step, 'The step must be greater than 0.');
  }
  const ends = [from, to].flatMap((node) =>
    node === undefined ? [] : [planWithoutRows(planning, (alone) => planExpression(node, alone))],
  );
  const type = isNumeric(on.type) || on.type === 'dynamic' ? 'long' : on.type;
  const real = type === 'long' && [on, step, ...ends].some((part) => part.type === 'real');
  const measure = real ? 'real' : 'long';
  const names = new Set(scope.table.columns.map(({ name }) => name));
  let stepName = 'step';
  while (names.has(stepName)) stepName += '_';
  const finite = real ? finiteOf(on, operator.on) : on;
  return { type: real ? 'real' : type, measure, on: finite, step: as(step, measure), stepName };
}

/** Replaces NaN and infinities with null, because they can't be assigned to a step. */
function finiteOf(on: Value, node: BoundExpression): Value {
  if (on.type === 'long' || !mayBeNaN(node)) return on;
  const number = as(on, 'real');
  return value(sql`CASE WHEN isfinite(${number}) THEN ${number} END`, 'real');
}

/** The first step's start and the number of steps, as SQL scalars, and the name of the table that contains both. */
interface Bounds {
  readonly name: Sql;
  readonly first: Sql;
  readonly steps: Sql;
}

/** The maximum number of steps: the service's limit on the items of `range()`. */
const maxSteps = 1_048_576n;

/** Macros that return the start of a value's step. Other types use `apl.bin_long`. */
const bins: Readonly<Partial<Record<ValueType, string>>> = {
  datetime: 'apl.bin_nanos',
  real: 'apl.bin_real',
};

function planBounds(operator: MakeSeries, axis: Axis, table: Table, planning: Planning): Bounds {
  const { measure, step } = axis;
  const end = (node: BoundExpression): Sql =>
    as(
      planWithoutRows(planning, (scope) => planAs(node, axis.type, scope)),
      measure,
    );
  const on = as(axis.on, measure);
  const bin = (of: Sql): Sql => print.call(bins[axis.type] ?? 'apl.bin_long', of, step);
  // Use 128 bits, because the distance between the bounds and the end of the last step may each overflow 64 bits.
  const wide = (of: Sql): Sql => (measure === 'long' ? sql`CAST(${of} AS HUGEINT)` : of);
  // Steps over `_time` cover the request's time range, so that missing data at its ends shows.
  const { range, rangeStated } = planning.context;
  const whole =
    rangeStated === true && operator.on.kind === 'column' && operator.on.name === '_time';
  const start = whole ? bin(print.long(range.start)) : sql`min(${bin(on)})`;
  const stop = whole ? print.long(range.end) : sql`${wide(sql`max(${bin(on)})`)} + ${step}`;
  const firstOf = (of: Sql) => (operator.inRange ? bin(of) : of);
  const lastOf = (of: Sql) => (operator.inRange ? sql`${wide(bin(of))} + ${step}` : of);
  const first = operator.from === undefined ? start : firstOf(end(operator.from));
  const last = operator.to === undefined ? stop : lastOf(end(operator.to));
  const reads = !whole && (operator.from === undefined || operator.to === undefined);
  const read = print.parenthesized(printRelation(table.relation));
  const from = reads ? sql` FROM ${read} AS t` : print.nothing;
  const count = sql`ceil(CAST(${wide(sql`"last"`)} - "first" AS DOUBLE) / ${step})`;
  const steps = sql`apl.series_length(${count}, ${print.bareLong(maxSteps)})`;
  const ends = print.parenthesized(sql`SELECT ${first} AS "first", ${last} AS "last"${from}`);
  const bounds = sql`SELECT "first", ${steps} AS "steps" FROM ${ends}`;
  const name = share(planning, 'series bounds', bounds);
  return {
    name,
    first: sql`(SELECT "first" FROM ${name})`,
    steps: sql`(SELECT "steps" FROM ${name})`,
  };
}

function planCells(
  operator: MakeSeries,
  axis: Axis,
  bounds: Bounds,
  table: Table,
  planning: Planning,
): Table {
  const ids = new Ids(table.taken);
  const id = ids.free(axis.stepName);
  const offset = sql`(${as(axis.on, axis.measure)} - ${bounds.first})`;
  const stepNumber = sql`TRY_CAST(floor(CAST(${offset} AS DOUBLE) / ${axis.step}) AS BIGINT)`;
  const exact = axis.measure === 'long' ? sql`apl.floor_div(${offset}, ${axis.step})` : stepNumber;
  const numbered = {
    ...extended(table, [{ id, sql: exact }], ids),
    columns: [...table.columns, { name: axis.stepName, type: 'long' as const, id }],
  };
  const inside = filtered(
    filtered(numbered, sql`${print.column(id)} >= 0`),
    sql`${print.column(id)} < ${bounds.steps}`,
  );
  const { start, end } = operator.on;
  const step = { kind: 'column', name: axis.stepName, type: 'long', start, end } as const;
  const summarize = {
    kind: 'summarize',
    aggregates: operator.aggregates.map(({ item }) => item),
    groups: [
      ...operator.groups,
      { name: axis.stepName, named: true, expression: step, start, end },
    ],
    keyword: operator.keyword,
    start: operator.start,
    end: operator.end,
  } as const;
  const known = operator.step && scalarOf(planExpression(operator.step, scopeOf(table, planning)));
  const window = typeof known === 'bigint' ? known : undefined;
  const grouped = withPrecomputed(inside, planning, (rows, inner) =>
    planSummarize(summarize, rows, inner, { window }),
  );
  const kept: Relation = {
    kind: 'keep',
    input: grouped.relation,
    ids: grouped.columns.map((column) => column.id),
  };
  const name = share(planning, 'series cells', printRelation(kept), kept);
  return { ...grouped, relation: { kind: 'table', name, depth: depthOf(kept) } };
}

function hasRows(cells: Table): Sql {
  return sql`EXISTS (SELECT 1 FROM ${print.parenthesized(printRelation(cells.relation))} AS cells)`;
}

/** Plans the groups of the series. Without `by`, there is a single group, even without rows. */
function planGroups(operator: MakeSeries, cells: Table): Relation {
  const keys = cells.columns.slice(0, operator.groups.length);
  if (keys.length > 0) {
    const groups = keys.map(({ id }) => ({ id, sql: print.column(id) }));
    return { kind: 'aggregate', input: cells.relation, groups, aggregates: [] };
  }
  return { kind: 'values', ids: [], rows: [] };
}

function defaultOf(node: BoundExpression | undefined, planning: Planning): Sql {
  if (node === undefined) return sql`'0'::JSON`;
  return planWithoutRows(planning, (scope) => planAs(node, 'dynamic', scope)).sql;
}

function axisArray(axis: Axis, bounds: Bounds): Sql {
  // A lambda can't contain a sub-query, so a step that contains one is first added as a column.
  const computed = print.has(axis.step, 'select');
  const [step, from] = computed
    ? [sql`"step"`, sql`(SELECT *, ${axis.step} AS "step" FROM ${bounds.name})`]
    : [axis.step, bounds.name];
  const at = value(sql`"first" + _i * ${step}`, axis.measure);
  const start = toDynamic(convert(at, axis.type)).sql;
  const list = sql`list_transform(range("steps"), lambda _i: ${start})`;
  return sql`(SELECT to_json(${list}) FROM ${from})`;
}
