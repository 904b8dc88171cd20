/** Plans queries for ClickHouse: the plan, whose statements are DuckDB's SQL, and their translations. */
import type { BoundQuery } from '../../../../language/src/index.ts';
import { PlanError, planQuery } from '../../planner/index.ts';
import type { CheckedColumn, Plan, PlanContext, PlannedTable } from '../../planner/plan.ts';
import type { ValueType } from '../../planner/values.ts';
import { duckdbTypes } from '../../store/layout.ts';
import {
  type Column,
  NotOnEngine,
  type TranslatedQuery,
  translateExpression,
  translateStatement,
} from './sql/index.ts';
import { typeNamed } from './sql/types.ts';

/** The columns of a stored table, by its SQL name. */
type ColumnsOf = (table: string) => readonly Column[] | undefined;

export interface TranslatedPlan {
  readonly plan: Plan;
  readonly main: TranslatedQuery;
  readonly totals?: TranslatedQuery;
}

/** Plans a query. Throws a `PlanError` at the part of the query that ClickHouse can't compute as DuckDB does. */
export function planForClickHouse(
  bound: BoundQuery,
  context: PlanContext,
  columnsOf: ColumnsOf,
): TranslatedPlan {
  const plan = planQuery(bound, context);
  const translated = ({ sql }: PlannedTable) => translateStatement(sql, columnsOf);
  try {
    const totals = plan.totals && translated(plan.totals);
    return { plan, main: translated(plan.main), ...(totals && { totals }) };
  } catch (error) {
    if (!(error instanceof NotOnEngine)) throw error;
    // Planning again finds the part, because the statement doesn't have positions in the query.
    planQuery(bound, { ...context, check });
    throw notSupported({ start: 0, end: bound.tree.text.length }, error);
  }
}

function notSupported(at: { readonly start: number; readonly end: number }, error: NotOnEngine) {
  return new PlanError('unsupported-function', at, error.message);
}

const storedTypes: Readonly<Record<ValueType, string>> = {
  bool: duckdbTypes.boolean,
  datetime: duckdbTypes.datetime,
  dynamic: duckdbTypes.map,
  long: duckdbTypes.integer,
  real: duckdbTypes.float,
  string: duckdbTypes.string,
  timespan: duckdbTypes.timespan,
};

/** Checks an expression. Expressions of columns whose types aren't known are accepted. */
function check(
  node: Parameters<NonNullable<PlanContext['check']>>[0],
  sql: string,
  columns: readonly CheckedColumn[],
): void {
  const known = columns.map(({ id, type }) => ({ name: id, type: typeNamed(storedTypes[type]) }));
  try {
    translateExpression(sql, known);
  } catch (error) {
    if (error instanceof NotOnEngine) throw notSupported(node, error);
  }
}
