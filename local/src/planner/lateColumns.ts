/**
 * Plans large limits of sorted events in two steps: the first sorts only the row numbers and the sort keys, and the
 * second reads the other columns of the rows that are kept. DuckDB does so by itself for small limits
 * (`MAX_LATE_ROWS`), but otherwise sorts all columns of all events.
 */
import { MAX_LATE_ROWS, printRelation } from './print.ts';
import type { Item, Relation } from './relation.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { Ids, type Table } from './table.ts';

/** The number of columns below which sorting all of them is as fast as a second step. */
const MIN_COLUMNS = 6;

/** The stages between a dataset and a limit. */
type Stage = Extract<Relation, { kind: 'filter' | 'extend' }>;

const rowNumber = sql`t.rowid`;

/** Limits a table to its first rows in `order`. Late columns don't change the result. */
export function limited(table: Table, limit: bigint): Table {
  const { relation, order: keys } = table;
  const late = limit > MAX_LATE_ROWS && table.columns.length >= MIN_COLUMNS && keys.length > 0;
  const input = (late && withLateColumns(table, limit)) || relation;
  return { ...table, relation: { kind: 'sort', input, keys, limit } };
}

/** Returns the rows within the limit, unsorted, or undefined if they aren't events of one dataset. */
function withLateColumns(
  { relation, order: keys, taken }: Table,
  limit: bigint,
): Relation | undefined {
  const stages: Stage[] = [];
  let source = relation;
  for (; source.kind === 'filter' || source.kind === 'extend'; source = source.input) {
    stages.unshift(source);
  }
  if (source.kind !== 'table' || source.isStored !== true || !stages.every(isRepeatable)) {
    return undefined;
  }
  // Rows with cursors are numbered already. A second column would hide `t.rowid` from the stages of the cursor.
  const known = stages.flatMap(itemsOf).find(({ sql: { text } }) => text === rowNumber.text)?.id;
  const row = known ?? new Ids(taken).free('row');
  const items = [{ id: row, sql: rowNumber }];
  const first: Relation = known === undefined ? { kind: 'extend', input: source, items } : source;
  const sorted: Relation = { kind: 'sort', input: apply(stages, first), keys, limit };
  const rows = print.parenthesized(printRelation({ kind: 'keep', input: sorted, ids: [row] }));
  const kept: Relation = { kind: 'filter', input: source, predicate: sql`${rowNumber} IN ${rows}` };
  return apply(
    stages.filter(({ kind }) => kind === 'extend'),
    kept,
  );
}

function apply(stages: readonly Stage[], input: Relation): Relation {
  return stages.reduce<Relation>((before, stage) => ({ ...stage, input: before }), input);
}

/** Returns whether a second evaluation of the stage is the same and fast, unlike `rand()` and sub-queries. */
function isRepeatable(stage: Stage): boolean {
  const parts: readonly Sql[] =
    stage.kind === 'filter' ? [stage.predicate] : itemsOf(stage).map((item) => item.sql);
  return parts.every((part) => !print.has(part, 'volatile') && !print.has(part, 'select'));
}

function itemsOf(stage: Stage): readonly Item[] {
  return stage.kind === 'extend' ? stage.items : [];
}
