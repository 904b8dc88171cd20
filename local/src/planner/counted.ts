/**
 * An aggregation of events that counts its rows beside its own aggregates, in a hidden column, so that what a
 * query looked at is known without reading everything once more.
 */
import type { BoundOperator, BoundPipeline } from '../../../language/src/index.ts';
import type { Item } from './relation.ts';
import { sql } from './sql.ts';
import type { Ids } from './table.ts';

/** Stages behind which a hidden column is still there. */
const keepsHidden: ReadonlySet<BoundOperator['kind']> = new Set([
  'where',
  'extend',
  'project',
  'select',
  'sort',
  'top',
  'limit',
  'redact',
]);

/** The aggregation that counts the rows that come to it; undefined where no answer would tell the count. */
export function countingOperator({ source, stages }: BoundPipeline): BoundOperator | undefined {
  if (source.kind !== 'dataset') return undefined;
  const rest = stages.slice(leadingFilters(stages).length).map(({ operator }) => operator);
  const [first, ...later] = rest;
  if (first?.kind !== 'summarize' && first?.kind !== 'count') return undefined;
  return later.every(({ kind }) => keepsHidden.has(kind)) ? first : undefined;
}

/** Adds the column that tells in each group how many rows all groups have. */
export function countRows(grouped: boolean, ids: Ids, aggregates: Item[]): { counted: string } {
  const counted = ids.free('rows aggregated');
  const all = grouped ? sql`sum(count(*)) OVER ()` : sql`count(*)`;
  aggregates.push({ id: counted, sql: all });
  return { counted };
}

/** The filters that a pipeline begins with. */
export function leadingFilters(stages: BoundPipeline['stages']): BoundPipeline['stages'] {
  const end = stages.findIndex(({ operator }) => operator.kind !== 'where');
  return end < 0 ? stages : stages.slice(0, end);
}
