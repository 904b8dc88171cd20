/**
 * The planner turns a bound query into a relational plan (`relation.ts`), and this plan into SQL for DuckDB
 * (`print.ts`). Each result table is a separate statement, and so are counts that the result tables don't contain. The
 * planner reads no data.
 */
import {
  type BoundOperator,
  type BoundPipeline,
  type BoundQuery,
  type BoundStage,
  factsOf,
} from '../../../language/src/index.ts';
import { alwaysTrue } from './alwaysTrue.ts';
import { PlanError } from './errors.ts';
import { planNode } from './expressionKinds.ts';
import { limited } from './lateColumns.ts';
import { lookupsOf } from './lookups.ts';
import { omittedViewCode } from './operators/union.ts';
import { plannedTable } from './output.ts';
import { notPaged, type Paging, pageCursor, pagingOf, withCursorField } from './paging.ts';
import { planParameters } from './parameters.ts';
import { planPipeline, planStage } from './pipeline.ts';
import type { Plan, PlanContext } from './plan.ts';
import { PLAN_LIMITS, PlanSize } from './planSize.ts';
import { unknownOrder, unknownOrderCode, withRequestOrder } from './requestOrder.ts';
import { RowCounter } from './rowCounts.ts';
import type { Planning } from './scope.ts';
import { statementWriter } from './statement.ts';
import type { Table } from './table.ts';
import {
  countOfGroups,
  limitGroups,
  mergesOf,
  planTotals,
  withDefaultOrder,
} from './timeSeries.ts';
import { macroNames } from './traits.ts';
// Imported for its side effect: registers all macros, so that SQL can call them.
import './macros.ts';

export { PlanError, type PlanErrorCode, planErrors } from './errors.ts';

/** Plans a query, or throws a `PlanError`. */
export function planQuery(bound: BoundQuery, context: PlanContext): Plan {
  const pipeline = onlyPipeline(bound);
  const paging = pagingOf(pipeline, context);
  const unpaged = newPlanning(bound, context);
  const countingOperator =
    context.countRows === true
      ? new RowCounter().countingOperator({ pipeline, planning: unpaged })
      : undefined;
  const lookups = lookupsOf(pipeline, context);
  // A concurrent change, such as a new virtual field, may have changed the look-ups.
  const isNarrowed = JSON.stringify(context.narrowed?.lookups) === JSON.stringify(lookups);
  const narrowed = isNarrowed ? context.narrowed : undefined;
  const planning = {
    ...unpaged,
    ...(narrowed && { narrowed: { ...narrowed, source: pipeline.source } }),
    ...(paging && { paging }),
    ...(countingOperator && { countingOperator }),
  };
  const rows = planPipeline(pipeline, planning);
  const planned = withCursorField(
    withDefaultOrder(withRequestOrder(rows, planning)),
    context.cursorField === true,
  );
  // Check the cursor after planning, because a stage may replace the time with a computed column.
  if (context.cursor !== undefined && pageCursor(planned) === undefined) throw notPaged(pipeline);
  const hasLimit = pipeline.stages.some(hasOwnLimit);
  const usesDefaultLimit = !hasLimit && !isOneRow(pipeline) && !hasFewRows(planned);
  const count = BigInt(context.defaultLimit);
  const table = usesDefaultLimit ? limitGroups(planned, count, planning, planStage) : planned;
  const totals = planTotals(planned, planning, planStage);
  const shownTotals = totals && withDefaultOrder(totals);
  const limitedTotals = usesDefaultLimit && shownTotals ? limited(shownTotals, count) : shownTotals;
  const merges = totals && mergesOf(table);
  const limit = usesDefaultLimit ? count : undefined;
  const { statement, macros } = statementWriter(planning.shared, planning.size.weight, pipeline);
  const counts = new RowCounter().plan({ pipeline, planning }, limit, statement);
  const groupCount =
    usesDefaultLimit && planned.bin !== undefined && totals === undefined
      ? countOfGroups(planned, planned.bin, count)
      : undefined;
  const plan = {
    datasets: [...planning.datasets],
    range: context.range,
    ...(narrowed ? { narrowed } : lookups.length > 0 && { lookups }),
    ...(pageCursor(planned) && paging && pagedOf(paging)),
    main: plannedTable(table, statement, limit),
    shared: planning.shared,
    ...(limitedTotals && { totals: plannedTable(limitedTotals, statement, limit) }),
    ...(merges && { merges }),
    ...(usesDefaultLimit ? { defaultLimit: context.defaultLimit } : {}),
    ...(groupCount && { groupCount: statement(groupCount) }),
    ...(counts && { counts }),
    messages: [
      ...alwaysTrue(bound),
      ...[...planning.omittedViews.values()].map(omittedViewMessage),
      ...unknownOrder(rows, planning).map(unknownFieldMessage),
    ],
  };
  return { ...plan, macros: macroNames(macros()) };
}

function pagedOf({ source, desc, from }: Paging): Pick<Plan, 'paged'> {
  if (source.kind !== 'dataset') return {};
  return { paged: { dataset: source.name, forwards: !desc, ...(from && { from }) } };
}

function omittedViewMessage(reason: string): Plan['messages'][number] {
  return { code: omittedViewCode, msg: `${reason} Its rows are missing from the result.` };
}

function unknownFieldMessage(field: string): Plan['messages'][number] {
  const msg = `The result has no field ${JSON.stringify(field)}, which defaultOrder names.`;
  return { code: unknownOrderCode, msg };
}

function hasOwnLimit({ operator }: BoundStage): boolean {
  const { rows } = factsOf(operator);
  return rows === 'limited' || rows === 'sampled' || operator.kind === 'getschema';
}

function onlyPipeline(bound: BoundQuery): BoundPipeline {
  const broken = bound.problems.find((problem) => problem.severity === 'error');
  if (broken !== undefined) throw new PlanError('invalid-query', broken, broken.message);
  const undocumented = bound.problems.find(({ code }) => code === 'undocumented-function');
  if (undocumented !== undefined) {
    const name = bound.tree.text.slice(undocumented.start, undocumented.end);
    throw new PlanError(
      'unsupported-function',
      undocumented,
      `The function ${name} is not supported on this deployment, because its result is not documented.`,
    );
  }
  const [first, second] = bound.pipelines;
  if (first === undefined) {
    const end = bound.tree.text.length;
    throw new PlanError('not-one-query', { start: end, end }, 'The request has no query.');
  }
  if (second !== undefined) {
    throw new PlanError(
      'not-one-query',
      second,
      'The request has a second query. Send one query for each request.',
    );
  }
  return first;
}

/** Creates a planning context. If `bound` is a view, `outer` is the context of the enclosing query. */
function newPlanning(bound: BoundQuery, context: PlanContext, outer?: Planning): Planning {
  const planning: Planning = {
    context,
    expressionLets: new Map(
      bound.lets.flatMap(({ name, value }) => (value.kind === 'pipeline' ? [] : [[name, value]])),
    ),
    tableLets: new Map(
      bound.lets.flatMap(({ name, value }) => (value.kind === 'pipeline' ? [[name, value]] : [])),
    ),
    cursors: bound.references.some(
      ({ name, meaning }) => meaning.kind === 'function' && name === 'cursor_current',
    ),
    parameters: new Map(),
    values: new Map(),
    tables: new Map(),
    shared: outer?.shared ?? [],
    sharedNames: outer?.sharedNames ?? new Set(),
    size: outer?.size ?? new PlanSize(context.limits ?? PLAN_LIMITS, sentLength(bound, context)),
    datasets: outer?.datasets ?? new Set(),
    omittedViews: outer?.omittedViews ?? new Map(),
    isView: outer !== undefined,
    nested: (view) => newPlanning(view, context, planning),
    planNode,
    planPipeline,
  };
  return { ...planning, parameters: planParameters(bound, planning) };
}

function isOneRow(pipeline: BoundPipeline): boolean {
  const last = pipeline.stages.findLast(({ operator }) => !addsNoRows(operator))?.operator;
  if (last === undefined) return pipeline.source.kind === 'print';
  return last.kind === 'count' || (last.kind === 'summarize' && last.groups.length === 0);
}

function addsNoRows(operator: BoundOperator): boolean {
  const { rows } = factsOf(operator);
  return rows === 'all' || rows === 'filtered';
}

/** Returns whether a table is a time series without groups, on which a limit on groups has no effect. */
function hasFewRows(table: Table): boolean {
  return table.bin !== undefined && table.bin.groups.length === 0;
}

function sentLength(bound: BoundQuery, { variables }: PlanContext): number {
  const sent = variables === undefined ? 0 : JSON.stringify(variables, withBigints).length;
  return bound.tree.text.length + sent;
}

function withBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
