/**
 * An aggregation of events that counts its rows beside its own aggregates, in a hidden column, so that what a
 * query looked at is known without reading everything once more.
 */
import type { BoundOperator } from '../../../language/src/index.ts';
import type { Part, Reader } from './reads.ts';
import type { Item } from './relation.ts';
import { sql } from './sql.ts';
import type { Ids, Table } from './table.ts';

/** Stages behind which the rows are the same ones, or the first of them. */
export const keepsRows: ReadonlySet<BoundOperator['kind']> = new Set([
  'extend',
  'project',
  'select',
  'sort',
  'top',
  'limit',
  'redact',
]);

/** Stages behind which a hidden column is still there. */
const keepsHidden: ReadonlySet<BoundOperator['kind']> = new Set(['where', ...keepsRows]);

/** The aggregation that counts the rows that come to it; undefined where no answer would tell the count. */
export function countingOperator(whole: Part, reader: Reader): BoundOperator | undefined {
  const events = reader.eventsOf(whole);
  if (events === undefined) return undefined;
  const rest = whole.pipeline.stages.slice(events.pipeline.stages.length);
  const [first, ...later] = rest.map(({ operator }) => operator);
  if (first?.kind !== 'summarize' && first?.kind !== 'count') return undefined;
  return later.every(({ kind }) => keepsHidden.has(kind)) ? first : undefined;
}

/**
 * A grouped table with a column that tells in each row how many rows were aggregated, all groups together.
 * A window over the groups would tell it too, but DuckDB then takes half as long again for a percentile.
 */
export function counting(table: Table, ids: Ids, aggregates: Item[], grouped: boolean): Table {
  const rows = ids.free('rows aggregated');
  aggregates.push({ id: rows, sql: sql`count(*)` });
  if (!grouped) return { ...table, counted: rows };
  const counted = ids.free('rows of all groups');
  return {
    ...table,
    relation: { kind: 'total', input: table.relation, of: rows, id: counted },
    counted,
  };
}
