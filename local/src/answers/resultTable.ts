/** The rows of a planned table, computed once into a temporary table that the answer is read from. */
import type { Merge, PlannedTable } from '../planner/plan.ts';
import type { Session } from '../store/duckdb.ts';
import { countColumn, cursorColumns, type Part } from './shapes.ts';
import { readSlice, SLICE_ROWS } from './slices.ts';

export interface Materialized {
  readonly table: PlannedTable;
  /** The temporary table with its rows. */
  readonly rows: string;
  readonly count: number;
  /** The rows that were aggregated, where the rows tell it. */
  readonly aggregated?: number;
  readonly parts: readonly Part[];
  /** The first slice of each part, as JSON without brackets. */
  readonly first: readonly Uint8Array[];
}

export async function materialize(
  session: Session,
  name: string,
  table: PlannedTable,
  parts: readonly Part[],
): Promise<Materialized> {
  const hidden = table.cursor ? [...cursorColumns(table)] : [];
  if (table.counted) hidden.push(countColumn(table));
  const columns = [...table.columns.map((_, index) => `c${index}`), ...hidden].join(', ');
  const sql = `SELECT * FROM (${table.sql}) AS t(${columns})`;
  const told = table.counted ? `any_value(${countColumn(table)})` : 'NULL';
  return fill(session, name, sql, table, parts, told);
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
  const {
    count,
    aggregated,
    slices: first,
  } = await readSlice(session, rows, parts, [0, SLICE_ROWS], told);
  const made = { table, rows, parts, first, ...(aggregated === null ? {} : { aggregated }) };
  return { ...made, count: count < SLICE_ROWS ? count : await readCount(session, rowCount(rows)) };
}

/**
 * The totals of a series, out of its bins where these give them. A whole sum past 64 bits is null in a bin and
 * may still be none in total, so then the totals' own statement is run.
 */
export async function materializeTotals(
  session: Session,
  totals: PlannedTable,
  merges: readonly Merge[] | undefined,
  bins: Materialized,
  parts: readonly Part[],
): Promise<Materialized> {
  if (merges === undefined || (await hasMissing(session, sumsOf(merges), bins))) {
    return materialize(session, 'totals', totals, parts);
  }
  return fill(session, 'totals', mergedSql(merges, bins), totals, parts);
}

function sumsOf(merges: readonly Merge[]): readonly string[] {
  return merges.flatMap(({ column, by }) => (by === 'sum' ? [`c${column}`] : []));
}

async function hasMissing(
  session: Session,
  columns: readonly string[],
  { rows }: Materialized,
): Promise<boolean> {
  if (columns.length === 0) return false;
  const tests = columns.map((column) => `${column} IS NULL`);
  return (await readCount(session, `${rowCount(rows)} WHERE ${tests.join(' OR ')}`)) > 0;
}

function mergedSql(merges: readonly Merge[], { table, rows }: Materialized): string {
  const items = merges.map(({ column, by }, i) => {
    const c = `c${column}`;
    if (by === 'min' || by === 'max') return `${by}(${c}) AS c${i}`;
    const sum = `coalesce(sum(${c}), 0)`;
    const isFloat = table.columns[column]!.type === 'float';
    return `${isFloat ? sum : `TRY_CAST(${sum} AS BIGINT)`} AS c${i}`;
  });
  return `SELECT ${items.join(', ')} FROM ${rows}`;
}

function rowCount(rows: string): string {
  return `SELECT count(*) FROM ${rows}`;
}

export async function readCount(session: Session, sql: string): Promise<number> {
  const [row] = await session.rows<[bigint]>(sql);
  return Number(row![0]);
}

export async function drop(session: Session, tables: readonly Materialized[]): Promise<void> {
  for (const { rows } of tables) await session.run(`DROP TABLE ${rows}`);
}
