/**
 * Deletes old events by copying the others to a new table: what is deleted from a table is still in its blocks, and
 * when it goes, DuckDB renumbers the rows (`numbering.ts`). Most is copied while others write to the dataset.
 */
import type { Session } from './duckdb.ts';
import { type DatasetLayout, duckdbTypes } from './layout.ts';
import { quoteName } from './sql.ts';

/** What was copied: all rows up to `last` that are kept, -1n where there were none. */
export interface Copied {
  readonly from: DatasetLayout;
  readonly table: string;
  readonly last: bigint;
  readonly isKept: string;
}

/** The SQL of whether an event is older than a time, in nanoseconds since 1970. */
export function isOlder(before: bigint): string {
  return `"_time" < make_timestamp_ns(${before})`;
}

/** Copies what is kept to the new `table`, in its own transaction; undefined where nothing is to be deleted. */
export function copyKept(
  session: Session,
  from: DatasetLayout,
  table: string,
  before: bigint,
): Promise<Copied | undefined> {
  const isKept = `(${isOlder(before)}) IS NOT TRUE`;
  return session.transaction(async () => {
    const [row] = await session.rows<[bigint | null, bigint]>(
      `SELECT max(rowid), count(*) FILTER (${isOlder(before)}) FROM ${from.table}`,
    );
    const [last, old] = row!;
    if (old === 0n) return undefined;
    await session.run(
      `CREATE TABLE ${table} AS SELECT * FROM ${from.table} WHERE rowid <= ${last ?? -1n} AND ${isKept}`,
    );
    return { from, table, last: last ?? -1n, isKept };
  });
}

/** Copies what has come since, with the columns that are new, inside the caller's transaction, and drops the table. */
export async function replaceTable(
  session: Session,
  { from, table, last, isKept }: Copied,
  now: DatasetLayout,
): Promise<void> {
  const known = new Set(columnsOf(from).map(({ column }) => column));
  for (const { column, type } of columnsOf(now)) {
    if (known.has(column)) continue;
    // A column is there before its layout is known, so the copy may have it.
    const added = `${quoteName(column)} ${duckdbTypes[type]}`;
    await session.run(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${added}`);
  }
  await session.run(
    `INSERT INTO ${table} BY NAME SELECT * FROM ${now.table} WHERE rowid > ${last} AND ${isKept}`,
  );
  await session.run(`DROP TABLE ${now.table}`);
}

function columnsOf({ fields }: DatasetLayout) {
  return fields.flatMap(({ variants }) => variants);
}
