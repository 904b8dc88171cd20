/**
 * The planner: a bound query → one SQL statement for DuckDB. Bound query → relational plan (`relation.ts`)
 * → SQL (`print.ts`), each a value that can be printed. It reads no data and touches no engine.
 */
import type { BoundPipeline, BoundQuery } from '../../../language/src/index.ts';
import { countingOperator } from './counted.ts';
import { planCounts, withShared } from './counts.ts';
import { PlanError } from './errors.ts';
import { limited } from './operators/rows.ts';
import { plannedTable } from './output.ts';
import { notPaged, pageCursor, pagingOf, withCursorField } from './paging.ts';
import { planParameters } from './parameters.ts';
import { planPipeline, planStage } from './pipeline.ts';
import type { Plan, PlanContext } from './plan.ts';
import type { Planning } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import type { Table } from './table.ts';
import { limitGroups, mergesOf, planTotals, withDefaultOrder } from './timeSeries.ts';

export { PlanError, type PlanErrorCode, planErrors } from './errors.ts';

/**
 * Plans a query.
 * @throws PlanError with a code, the place in the query's text, and what to do about it.
 */
export function planQuery(bound: BoundQuery, context: PlanContext): Plan {
  const pipeline = onlyPipeline(bound);
  const asked = bound.references.some(
    ({ name, meaning }) => meaning.kind === 'function' && name === 'cursor_current',
  );
  const paging = pagingOf(pipeline, asked ? { ...context, paged: true } : context);
  const counted = context.counted === true ? countingOperator(pipeline) : undefined;
  const planning = {
    ...newPlanning(bound, context),
    ...(paging && { paging }),
    ...(counted && { counted }),
  };
  const planned = withCursorField(
    withDefaultOrder(planPipeline(pipeline, planning)),
    context.cursorField === true,
  );
  // A column that took the name of the time shows only once the stages are planned.
  if (context.cursor !== undefined && pageCursor(planned) === undefined) throw notPaged(pipeline);
  const asksLimit = pipeline.stages.some(({ operator }) => limits.has(operator.kind));
  const applies = !asksLimit && !isOneRow(pipeline) && !hasFewRows(planned);
  const count = BigInt(context.defaultLimit);
  const table = applies ? withDefaultLimit(planned, count, planning) : planned;
  const totals = planTotals(planned, planning, planStage);
  const shownTotals = totals === undefined ? undefined : withDefaultOrder(totals);
  const limitedTotals = applies && shownTotals ? limited(shownTotals, count) : shownTotals;
  const merges = totals === undefined ? undefined : mergesOf(table);
  const counts = planCounts(pipeline, planning, applies ? count : undefined);
  const shared = printShared(planning);
  return {
    datasets: [...planning.datasets],
    range: context.range,
    main: plannedTable(table, shared),
    shared: planning.shared,
    ...(limitedTotals === undefined ? {} : { totals: plannedTable(limitedTotals, shared) }),
    ...(merges === undefined ? {} : { merges }),
    defaultLimitApplied: applies,
    ...(counts === undefined ? {} : { counts: withShared(counts, shared) }),
    messages: [],
  };
}

const limits: ReadonlySet<string> = new Set(['limit', 'top', 'sample', 'getschema']);

function onlyPipeline(bound: BoundQuery): BoundPipeline {
  const broken = bound.problems.find((problem) => problem.severity === 'error');
  if (broken !== undefined) throw new PlanError('invalid-query', broken, broken.message);
  const undocumented = bound.problems.find(({ code }) => code === 'undocumented-function');
  if (undocumented !== undefined) {
    const name = bound.tree.text.slice(undocumented.start, undocumented.end);
    throw new PlanError(
      'unsupported-function',
      undocumented,
      `The function ${name} is not supported on this deployment, because no documentation says what it gives.`,
    );
  }
  const [first, second] = bound.pipelines;
  if (first === undefined) {
    const end = bound.tree.text.length;
    throw new PlanError('not-one-query', { start: end, end }, 'There is no query here to run.');
  }
  if (second !== undefined) {
    throw new PlanError('not-one-query', second, 'A request runs one query, and this is a second.');
  }
  return first;
}

/** `outer` is the planning of the query that the view of `bound` stands in. */
function newPlanning(bound: BoundQuery, context: PlanContext, outer?: Planning): Planning {
  const planning: Planning = {
    context,
    expressionLets: new Map(
      bound.lets.flatMap(({ name, value }) => (value.kind === 'pipeline' ? [] : [[name, value]])),
    ),
    tableLets: new Map(
      bound.lets.flatMap(({ name, value }) => (value.kind === 'pipeline' ? [[name, value]] : [])),
    ),
    parameters: new Map(),
    values: new Map(),
    tables: new Map(),
    shared: outer?.shared ?? [],
    tableTests: outer?.tableTests ?? [],
    datasets: outer?.datasets ?? new Set(),
    nested: (view) => newPlanning(view, context, planning),
    planPipeline,
  };
  return { ...planning, parameters: planParameters(bound, planning) };
}

/** Whether the pipeline surely gives one row, so that no limit matters. */
function isOneRow(pipeline: BoundPipeline): boolean {
  const last = pipeline.stages.findLast(
    ({ operator }) => !['extend', 'project', 'select', 'sort', 'where'].includes(operator.kind),
  )?.operator;
  if (last === undefined) return pipeline.source.kind === 'print';
  return last.kind === 'count' || (last.kind === 'summarize' && last.groups.length === 0);
}

/** A time series without other groups is one group, whatever the number of its bins. */
function hasFewRows(table: Table): boolean {
  return table.bin !== undefined && table.bin.groups.length === 0;
}

function withDefaultLimit(table: Table, count: bigint, planning: Planning): Table {
  return table.bin === undefined
    ? limited(table, count)
    : limitGroups(table, count, planning, planStage);
}

/** `WITH` and the common table expressions of the query's `let`s, or nothing. */
function printShared(planning: Planning): Sql {
  if (planning.shared.length === 0) return print.nothing;
  const parts = planning.shared.map(
    ({ name, sql: text }) => sql`${print.identifier(name)} AS ${print.parenthesized(text)}`,
  );
  return sql`WITH ${print.join(parts, ',\n')}
`;
}
