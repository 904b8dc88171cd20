/** Plans a query for the engine that runs it. */
import type { BoundQuery } from '../../../language/src/index.ts';
import { planQuery } from '../planner/index.ts';
import type { Plan, PlanContext } from '../planner/plan.ts';
import type { EngineName } from './answers.ts';
import { planForClickHouse } from './clickhouse/plan.ts';
import { loadTranslator } from './clickhouse/translator.ts';

/** Loads the parts of an engine that plans need. Other deployments start faster without them. */
export async function loadPlanner(engine: EngineName): Promise<void> {
  if (engine === 'ClickHouse') await loadTranslator();
}

/** Returns the plan. Throws a PlanError at the part of the query that the engine can't run. */
export function planForEngine(engine: EngineName, bound: BoundQuery, context: PlanContext): Plan {
  const plan = engine === 'ClickHouse' ? planForClickHouse : planQuery;
  return plan(bound, context);
}
