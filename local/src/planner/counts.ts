/**
 * The statements that count how many rows a query looks at: those in the range, and those that its first
 * filters let through. They are for what the answer itself does not tell; `counted.ts` lets it tell more.
 */
import type { BoundPipeline } from '../../../language/src/index.ts';
import { keepsRows, leadingFilters } from './counted.ts';
import { countOf } from './operators/rows.ts';
import type { PlannedCounts } from './plan.ts';
import { printRelation } from './print.ts';
import type { Relation } from './relation.ts';
import type { Planning } from './scope.ts';
import { type Sql, sql } from './sql.ts';
import type { Table } from './table.ts';

/** Undefined for a query that starts with no dataset. */
export function planCounts(
  pipeline: BoundPipeline,
  planning: Planning,
  defaultLimit: bigint | undefined,
): PlannedCounts | undefined {
  const { source, stages } = pipeline;
  if (source.kind !== 'dataset') return undefined;
  const table = planning.planPipeline({ ...pipeline, stages: [] }, planning);
  const filters = leadingFilters(stages);
  const matched =
    filters.length === 0
      ? undefined
      : planning.planPipeline({ ...pipeline, stages: filters }, planning);
  const limit = limitOf(stages.slice(filters.length), table, planning, defaultLimit);
  return {
    examined: printRelation(countOfRows(table.relation)),
    ...(matched === undefined ? {} : { matched: printRelation(countOfRows(matched.relation)) }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** The statements behind the common table expressions that they may name. */
export function withShared(counts: PlannedCounts, shared: Sql): PlannedCounts {
  const { examined, matched } = counts;
  return {
    ...counts,
    examined: `${shared}${examined}`,
    ...(matched === undefined ? {} : { matched: `${shared}${matched}` }),
  };
}

function countOfRows(input: Relation): Relation {
  const aggregates = [{ id: 'rows', sql: sql`count(*)` }];
  return { kind: 'aggregate', input, groups: [], aggregates };
}

/** The least limit of stages that keep all rows but for their limits; undefined where one does not, or none is. */
function limitOf(
  stages: BoundPipeline['stages'],
  table: Table,
  planning: Planning,
  defaultLimit: bigint | undefined,
): bigint | undefined {
  if (!stages.every(({ operator }) => keepsRows.has(operator.kind))) return undefined;
  const limits = stages.flatMap(({ operator }) =>
    operator.kind === 'limit' || operator.kind === 'top'
      ? [countOf(operator.count, table, planning)]
      : [],
  );
  if (defaultLimit !== undefined) limits.push(defaultLimit);
  return limits.reduce<bigint | undefined>(
    (least, limit) => (least === undefined || limit < least ? limit : least),
    undefined,
  );
}
