/**
 * Computes the rows of a planned table once, into a temporary table. If there are few rows and they are read only once,
 * they go directly into the answer, which makes small queries a third faster.
 */
import { countColumn, cursorColumns, LAST_ROW, rowsSql } from '../../answers/shapes.ts';
import type { PlannedTable } from '../../planner/plan.ts';
import { type Computed, type Ends, SLICE_ROWS, type TableParts } from '../answers.ts';
import type { Session } from './database/session.ts';
import { readSlice } from './slices.ts';

interface ResultRows extends Computed {
  /** The JSON of each part's first slice, without brackets. */
  readonly first: readonly Uint8Array[];
}

/** A table whose rows are kept until `drop`. */
export interface Materialized extends ResultRows {
  /** The SQL name of the rows. */
  readonly rows: string;
}

/** A table whose rows have all been read. */
interface DirectRows extends ResultRows {
  readonly rows?: undefined;
  readonly ends?: Ends | undefined;
}

export type DuckDBRows = Materialized | DirectRows;

/** Computes a table's rows, in a temporary table if there may be more than `SLICE_ROWS` rows. */
export async function compute(
  session: Session,
  name: string,
  shown: TableParts,
): Promise<DuckDBRows> {
  const { table } = shown;
  if (table.isEmpty) {
    const first = shown.parts.map(() => new Uint8Array());
    return { ...shown, count: 0, isCut: false, first };
  }
  return isShort(table)
    ? readDirectly(session, rowsSql(table), shown, aggregatedCountSql(table))
    : materialize(session, name, shown);
}

/** Whether all rows fit in one slice, including one row beyond the default limit. */
export function isShort({ maxRows, cut }: PlannedTable): boolean {
  return maxRows !== undefined && maxRows + (cut === undefined ? 0n : 1n) <= SLICE_ROWS;
}

export function materialize(session: Session, name: string, shown: TableParts) {
  const { table } = shown;
  return materializeSql(session, name, rowsSql(table), shown, aggregatedCountSql(table));
}

export function aggregatedCountSql(table: PlannedTable): string {
  return table.hasRowCount ? `any_value(${countColumn(table)})` : 'NULL';
}

/** Reads the rows of `sql`, which must fit in one slice, without a temporary table. */
export async function readDirectly(
  session: Session,
  sql: string,
  shown: TableParts,
  aggregatedCount = 'NULL',
): Promise<DirectRows> {
  const { table, hasEnds } = shown;
  const ends = hasEnds && table.cursor ? endsItems(table) : undefined;
  const slice = await readFirst(session, numberedSql(sql), shown, aggregatedCount, ends);
  return { ...shown, ...slice, ...limitedCount(table, slice.count) };
}

/** Adds row numbers to the rows of `sql`. DuckDB numbers rows on a single thread, which also keeps their order. */
export function numberedSql(sql: string): string {
  return `(SELECT row_number() OVER () - 1 AS rowid, * FROM (${sql}))`;
}

export async function materializeSql(
  session: Session,
  name: string,
  sql: string,
  shown: TableParts,
  aggregatedCount = 'NULL',
): Promise<Materialized> {
  const rows = `temp.result_${name}`;
  await session.run(`CREATE TEMP TABLE result_${name} AS ${sql}`);
  const slice = await readFirst(session, rows, shown, aggregatedCount);
  const count =
    slice.count < SLICE_ROWS ? slice.count : await readCount(session, rowCountSql(rows));
  return { ...shown, ...slice, rows, ...limitedCount(shown.table, count) };
}

/** Reads the first slice. Its JSON omits the row beyond the default limit. */
function readFirst(
  session: Session,
  rows: string,
  { table: { cut }, parts }: TableParts,
  aggregatedCount: string,
  ends?: readonly string[],
) {
  const limit = cut !== undefined && cut.limit < SLICE_ROWS ? cut.limit : undefined;
  return readSlice(session, rows, parts, [0, SLICE_ROWS], aggregatedCount, { limit, ends });
}

/**
 * Returns aggregates for the members of `Ends`. Rows with equal times may be in any order, so the row numbers are the
 * least one with the oldest time and the greatest one with the newest time.
 */
function endsItems(table: PlannedTable): readonly string[] {
  const [time, row] = cursorColumns(table);
  const position = `row(epoch_ns(${time}), ${row})`;
  const limit = table.cut?.limit;
  const kept = limit === undefined ? position : `CASE WHEN rowid < ${limit} THEN ${position} END`;
  const last = table.lastRowSql === undefined ? 'NULL' : `any_value(${LAST_ROW})`;
  return [`min(${kept})[1]`, `min(${kept})[2]`, `max(${kept})[1]`, `max(${kept})[2]`, last];
}

/** Reads the ends of a table that has at least one row. */
export async function readEnds(
  session: Session,
  { table, rows, count }: Materialized,
): Promise<Ends> {
  const [ends] = await session.rows<Ends>(
    `SELECT ${endsItems(table).join(', ')} FROM ${rows} WHERE rowid < ${count}`,
  );
  return ends!;
}

function limitedCount({ cut }: PlannedTable, count: number) {
  const isCut = cut !== undefined && count > cut.limit;
  return { count: isCut ? cut.limit : count, isCut };
}

export function rowCountSql(rows: string): string {
  return `SELECT count(*) FROM ${rows}`;
}

export async function readCount(session: Session, sql: string): Promise<number> {
  const [row] = await session.rows<[bigint]>(sql);
  return Number(row![0]);
}

export async function drop(session: Session, tables: readonly DuckDBRows[]): Promise<void> {
  for (const { rows } of tables) {
    if (rows !== undefined) await session.run(`DROP TABLE ${rows}`);
  }
}
