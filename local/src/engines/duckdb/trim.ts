/**
 * Deletes old events by copying the remaining events to a new table. During most of the copying, other requests can
 * write to the dataset. A DELETE would leave the rows in the table's blocks, and DuckDB renumbers rows when it removes
 * them (`numbering.ts`).
 */
import { type DatasetLayout, duckdbTypes } from '../../store/layout.ts';
import { quoteName } from '../../store/sql.ts';
import type { Session } from './database/session.ts';

/** A copy of a table's rows to keep, up to the row number `last`, which is -1n for an empty table. */
export interface TableCopy {
  readonly from: DatasetLayout;
  readonly table: string;
  readonly last: bigint;
  readonly isKeptSql: string;
}

/** Returns SQL that tests whether an event precedes `before`, which is in nanoseconds since 1970. */
export function isOlderSql(before: bigint): string {
  return `"_time" < make_timestamp_ns(${before})`;
}

/** Copies the rows to keep, in a separate transaction. Returns undefined if no row is to be deleted. */
export function copyKept(
  session: Session,
  from: DatasetLayout,
  table: string,
  before: bigint,
): Promise<TableCopy | undefined> {
  const isKeptSql = `(${isOlderSql(before)}) IS NOT TRUE`;
  return session.transaction(async () => {
    const [row] = await session.rows<[bigint | null, bigint]>(
      `SELECT max(rowid), count(*) FILTER (${isOlderSql(before)}) FROM ${from.table}`,
    );
    const [last, old] = row!;
    if (old === 0n) return undefined;
    await session.run(
      `CREATE TABLE ${table} AS SELECT * FROM ${from.table} WHERE rowid <= ${last ?? -1n} AND ${isKeptSql}`,
    );
    return { from, table, last: last ?? -1n, isKeptSql };
  });
}

/** Adds the newer rows and columns to the copy, and drops the old table, in the caller's transaction. */
export async function replaceTable(
  session: Session,
  { from, table, last, isKeptSql }: TableCopy,
  now: DatasetLayout,
): Promise<void> {
  const known = new Set(columnsOf(from).map(({ column }) => column));
  for (const { column, type } of columnsOf(now)) {
    if (known.has(column)) continue;
    // The copy may already contain the column, because columns are created before their layout is published.
    const added = `${quoteName(column)} ${duckdbTypes[type]}`;
    await session.run(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${added}`);
  }
  await session.run(
    `INSERT INTO ${table} BY NAME SELECT * FROM ${now.table} WHERE rowid > ${last} AND ${isKeptSql}`,
  );
  await session.run(`DROP TABLE ${now.table}`);
}

function columnsOf({ fields }: DatasetLayout) {
  return fields.flatMap(({ variants }) => variants);
}
