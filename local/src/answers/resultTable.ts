/**
 * The rows of a planned table, computed once: into a temporary table that the answer is read from, or at once
 * into the answer where these are few, which saves small queries a third of their time.
 */
import type { PlannedTable } from '../planner/plan.ts';
import type { Session } from '../store/duckdb.ts';
import { countColumn, cursorColumns, type Part } from './shapes.ts';
import { readSlice, SLICE_ROWS, type Slice } from './slices.ts';

interface Rows {
  readonly table: PlannedTable;
  readonly count: number;
  /** Whether the default limit left rows out. */
  readonly isCut: boolean;
  /** The rows that were aggregated, where the rows tell it. */
  readonly aggregated?: number;
  readonly parts: readonly Part[];
  /** The first slice of each part, as JSON without brackets. */
  readonly first: readonly Uint8Array[];
}

export interface Materialized extends Rows {
  /** The temporary table with the rows. */
  readonly rows: string;
}

/** Rows that all stand in the first slice, so that no table was made. */
interface Answered extends Rows {
  readonly rows?: undefined;
}

export type Computed = Materialized | Answered;

/** Computes a table that is only to be answered. */
export function compute(
  session: Session,
  name: string,
  table: PlannedTable,
  parts: readonly Part[],
): Promise<Computed> {
  return isShort(table)
    ? answerAtOnce(session, rowsSql(table), table, parts, toldSql(table))
    : materialize(session, name, table, parts);
}

/** Whether the first slice surely has all rows, and the one beyond the default limit. */
export function isShort({ most, cut }: PlannedTable): boolean {
  return most !== undefined && most + (cut === undefined ? 0n : 1n) <= SLICE_ROWS;
}

/** Computes a table that is read more than once. */
export function materialize(
  session: Session,
  name: string,
  table: PlannedTable,
  parts: readonly Part[],
): Promise<Materialized> {
  return fill(session, name, rowsSql(table), table, parts, toldSql(table));
}

/** The column with the last row of the dataset, the same in each row. */
export const LAST_ROW = 'last_row';

/** The rows under the names that the parts read them by; the default limit has one more than it shows. */
export function rowsSql(table: PlannedTable): string {
  const hidden = table.cursor ? [...cursorColumns(table)] : [];
  if (table.counted) hidden.push(countColumn(table));
  const columns = [...table.columns.map((_, index) => `c${index}`), ...hidden].join(', ');
  const { lastRowOf } = table;
  // In the statement of the rows, so that it is the last of those that they were chosen from. Rows are numbered as
  // they are committed.
  const last =
    lastRowOf === undefined ? '' : `, (SELECT max(rowid) FROM ${lastRowOf}) AS ${LAST_ROW}`;
  return `SELECT *${last} FROM (${table.cut?.sql ?? table.sql}) AS t(${columns})`;
}

/** How many rows were aggregated, as an aggregate of the rows. */
export function toldSql(table: PlannedTable): string {
  return table.counted ? `any_value(${countColumn(table)})` : 'NULL';
}

/** Reads no more than a slice of rows from the SQL itself. `told` is as in `fill`. */
export async function answerAtOnce(
  session: Session,
  sql: string,
  table: PlannedTable,
  parts: readonly Part[],
  told = 'NULL',
): Promise<Answered> {
  const slice = await readSlice(session, numbered(sql), parts, [0, SLICE_ROWS], told, shown(table));
  const { count, ...read } = readFrom(slice);
  return { table, parts, ...read, ...limitedCount(table, count) };
}

/** Rows with their numbers. These also keep them in order: DuckDB numbers on one thread, on which they then stay. */
export function numbered(sql: string): string {
  return `(SELECT row_number() OVER () - 1 AS rowid, * FROM (${sql}))`;
}

/** Makes a temporary table of some SQL. `told` is SQL that tells how many rows were aggregated. */
export async function fill(
  session: Session,
  name: string,
  sql: string,
  table: PlannedTable,
  parts: readonly Part[],
  told = 'NULL',
): Promise<Materialized> {
  const rows = `temp.result_${name}`;
  await session.run(`CREATE TEMP TABLE result_${name} AS ${sql}`);
  const slice = await readSlice(session, rows, parts, [0, SLICE_ROWS], told, shown(table));
  const read = readFrom(slice);
  const count = read.count < SLICE_ROWS ? read.count : await readCount(session, rowCount(rows));
  return { table, rows, parts, ...read, ...limitedCount(table, count) };
}

/** The rows of the first slice that the default limit shows, where these may be fewer. */
function shown({ cut }: PlannedTable): number | undefined {
  return cut !== undefined && cut.limit < SLICE_ROWS ? cut.limit : undefined;
}

function limitedCount({ cut }: PlannedTable, count: number) {
  const isCut = cut !== undefined && count > cut.limit;
  return { count: isCut ? cut.limit : count, isCut };
}

function readFrom({ count, aggregated, slices: first }: Slice) {
  return { count, first, ...(aggregated === null ? {} : { aggregated }) };
}

export function rowCount(rows: string): string {
  return `SELECT count(*) FROM ${rows}`;
}

export async function readCount(session: Session, sql: string): Promise<number> {
  const [row] = await session.rows<[bigint]>(sql);
  return Number(row![0]);
}

export async function drop(session: Session, tables: readonly Computed[]): Promise<void> {
  for (const { rows } of tables) {
    if (rows !== undefined) await session.run(`DROP TABLE ${rows}`);
  }
}
