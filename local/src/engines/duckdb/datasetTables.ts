/** Finds and drops the tables and columns of datasets, and names columns. */
import { type Dataset, SYSTEM_FIELDS, tableOf } from '../../store/datasetRecords.ts';
import type { StoredType } from '../../store/layout.ts';
import { quoteName, quoteText } from '../../store/sql.ts';
import type { Session } from './database/session.ts';

export type DatasetRow = readonly [id: number, document: string];
export const DATASET_ID_COLUMNS = [
  ['aplomb.datasets', 'id'],
  ['aplomb.fields', 'dataset'],
] as const;

/** Returns the tables that interrupted trims have left behind. */
export async function unfinishedTrims(session: Session, rows: readonly DatasetRow[]) {
  const owned = new Set(rows.map(([id]) => tableOf(id)));
  const tables = await session.rows<[string]>(
    `SELECT concat(schema_name, '.', table_name) FROM duckdb_tables()
     WHERE database_name = current_database() AND schema_name = 'events'`,
  );
  return tables.flatMap(([table]) => (owned.has(table) ? [] : [table]));
}

export async function dropTables(session: Session, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  await session.transaction(async () => {
    for (const table of tables) await session.run(`DROP TABLE IF EXISTS ${table}`);
  });
}

/** Drops columns that contain only nulls, in the caller's transaction. Returns their names. */
export async function dropUnused(
  session: Session,
  { id, layout: { table, fields } }: Dataset,
): Promise<ReadonlySet<string>> {
  const own = fields.filter(({ name }) => !SYSTEM_FIELDS.some((field) => field.name === name));
  const columns = own.flatMap(({ variants }) => variants.map(({ column }) => column));
  if (columns.length === 0) return new Set();
  const counts = columns.map((column) => `count(${quoteName(column)})`);
  const [row] = await session.rows<bigint[]>(`SELECT ${counts.join(', ')} FROM ${table}`);
  const unused = columns.filter((_, i) => row![i] === 0n);
  for (const column of unused) {
    await session.run(`ALTER TABLE ${table} DROP COLUMN ${quoteName(column)}`);
    const key = [id, column];
    await session.run('DELETE FROM aplomb.fields WHERE dataset = ? AND column_name = ?', key);
  }
  await session.run(
    `DELETE FROM aplomb.fields AS details WHERE dataset = ? AND type = 'details' AND NOT EXISTS
      (SELECT 1 FROM aplomb.fields AS other WHERE other.dataset = details.dataset
        AND other.name = details.name AND other.type <> 'details')
      AND name NOT IN (${SYSTEM_FIELDS.map(({ name }) => quoteText(name)).join(', ')})`,
    [id],
  );
  return new Set(unused);
}

// Returns a name for a column. In DuckDB, column names are case-insensitive and can't contain NUL, unlike field names.
// Free names of printable ASCII are kept, so that people can read the table.
export function columnName(field: string, type: StoredType, taken: ReadonlySet<string>): string {
  if (/^[\x20-\x7e]+$/.test(field)) {
    for (const name of [field, `${field}:${type}`]) {
      if (!taken.has(name.toLowerCase())) return name;
    }
  }
  let number = taken.size;
  while (taken.has(`column:${number}`)) number += 1;
  return `column:${number}`;
}
