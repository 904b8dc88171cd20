/** Plans queries that ClickHouse can run. The statements of the plan are the planner's SQL. */
import type { BoundQuery } from '../../../../language/src/index.ts';
import { PlanError, planQuery } from '../../planner/index.ts';
import type { Plan, PlanContext } from '../../planner/plan.ts';
import type { ValueType } from '../../planner/values.ts';
import { duckdbTypes } from '../../store/layout.ts';
import { ROW_COLUMN } from './columns.ts';
import type { Column } from './sql/index.ts';
import { loadedTranslator } from './translator.ts';

/** Plans a query. Throws a `PlanError` at the part of the query that ClickHouse can't compute as DuckDB does. */
export function planForClickHouse(bound: BoundQuery, context: PlanContext): Plan {
  const { columnsOfLayout, NotOnEngine, translateStatement } = loadedTranslator();
  const plan = planQuery(bound, context);
  const columnsByTable = new Map<string, readonly Column[]>();
  for (const name of plan.datasets) {
    const layout = context.layoutOf(name);
    if (layout) columnsByTable.set(layout.table, columnsOfLayout(layout, ROW_COLUMN));
  }
  const statements = [plan.main.sql, plan.totals?.sql, plan.groupCount, plan.counts?.examined.sql];
  try {
    for (const sql of [...statements, plan.counts?.matched?.sql]) {
      if (sql !== undefined) translateStatement(sql, (table) => columnsByTable.get(table));
    }
    return plan;
  } catch (error) {
    if (!(error instanceof NotOnEngine)) throw error;
    const { text } = bound.tree;
    // Planning again finds the part, because the statement doesn't have positions in the query.
    planQuery(bound, { ...context, check: (...part) => check(text, ...part) });
    throw notSupported(text, { start: 0, end: text.length });
  }
}

type Check = NonNullable<PlanContext['check']>;

/** The maximum length of the part of a query in a message. */
const PART_LENGTH_MAX = 60;

/** The error names the part in APL. The translation knows only the functions of the planner's SQL. */
function notSupported(text: string, at: Parameters<Check>[0]): PlanError {
  const whole = text.slice(at.start, at.end).replace(/\s+/g, ' ');
  const part = whole.length > PART_LENGTH_MAX ? `${whole.slice(0, PART_LENGTH_MAX)}…` : whole;
  const message = `ClickHouse cannot compute '${part}' as a deployment on DuckDB does. Remove it, or run the query on a local deployment.`;
  return new PlanError('unsupported-function', at, message);
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

/** Checks an expression of the query `text`. Expressions of columns whose types aren't known are accepted. */
function check(text: string, ...[node, sql, columns]: Parameters<Check>): void {
  const { NotOnEngine, translateExpression, typeNamed } = loadedTranslator();
  const known = columns.map(({ id, type }) => ({ name: id, type: typeNamed(storedTypes[type]) }));
  try {
    translateExpression(sql, known);
  } catch (error) {
    if (error instanceof NotOnEngine) throw notSupported(text, node);
  }
}
