/** Plans a query for the engine that runs it. */
import type { BoundQuery } from '../../../language/src/index.ts';
import { planQuery } from '../planner/index.ts';
import type { Plan, PlanContext } from '../planner/plan.ts';
import type { EngineName } from './answers.ts';
import { planForClickHouse } from './clickhouse/plan.ts';

/** Returns the plan. Throws a PlanError at the part of the query that the engine can't run. */
export function planForEngine(engine: EngineName, bound: BoundQuery, context: PlanContext): Plan {
  const plan = engine === 'ClickHouse' ? planForClickHouse : planQuery;
  return plan(bound, context);
}
