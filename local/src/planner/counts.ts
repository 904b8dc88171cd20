/** The SQL that counts what a query looked at: rows in the range, and those that its first filters let through. */
import type { BoundPipeline } from '../../../language/src/index.ts';
import { printRelation } from './print.ts';
import { planConjuncts } from './scalarOperators.ts';
import { type Planning, scopeOf } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';

/** Undefined for a query that starts with no dataset. */
export function planCounts(pipeline: BoundPipeline, planning: Planning): Sql | undefined {
  const { source, stages } = pipeline;
  if (source.kind !== 'dataset') return undefined;
  const table = planning.planPipeline({ ...pipeline, stages: [] }, planning);
  const tests: Sql[] = [];
  for (const { operator } of stages) {
    if (operator.kind !== 'where') break;
    tests.push(...planConjuncts(operator.predicate, scopeOf(table, planning)));
  }
  const matched =
    tests.length === 0 ? sql`count(*)` : sql`count(*) FILTER (WHERE ${print.join(tests, ' AND ')})`;
  const aggregates = [
    { id: 'examined', sql: sql`count(*)` },
    { id: 'matched', sql: matched },
  ];
  return printRelation({ kind: 'aggregate', input: table.relation, groups: [], aggregates });
}
