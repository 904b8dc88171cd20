/**
 * Copies the database as it is at one point in time, while others write to it. One transaction reads all tables, so it
 * sees every earlier commit and no later one. `COPY FROM DATABASE` isn't used, because it changes a setting that the
 * engine has locked. The database file isn't copied, because a checkpoint may change it meanwhile.
 */

import { attachCopySql, type Engine } from '../engines/duckdb/database/engine.ts';
import type { Session } from '../engines/duckdb/database/session.ts';
import { quoteName, quoteText } from '../store/sql.ts';

export interface TableCount {
  readonly schema: string;
  readonly name: string;
  readonly rows: number;
}

export interface SnapshotProgress {
  readonly rows: number;
  readonly totalRows: number;
}

let count = 0;

/** Copies the database to a file. If this throws, the caller must remove the file. */
export async function copyDatabase(
  engine: Engine,
  file: string,
  progress: (progress: SnapshotProgress) => void,
  signal: AbortSignal,
): Promise<TableCount[]> {
  count += 1;
  const name = `snapshot_${count}`;
  await engine.use((session) => session.run(attachCopySql(file, name)), signal);
  try {
    return await engine.use(async (session) => {
      const tables = await session.transaction(() => copyTables(session, name, progress));
      await session.run(`CHECKPOINT ${name}`);
      return tables;
    }, signal);
  } finally {
    await engine.use((session) => session.run(`DETACH ${name}`));
  }
}

type TableRow = readonly [schema: string, name: string, rows: bigint];

async function copyTables(
  session: Session,
  to: string,
  progress: (progress: SnapshotProgress) => void,
): Promise<TableCount[]> {
  const tables = await session.rows<TableRow>(
    `SELECT schema_name, table_name, estimated_size::BIGINT FROM duckdb_tables()
     WHERE database_name = current_database() AND NOT temporary ORDER BY ALL`,
  );
  const totalRows = tables.reduce((sum, [, , rows]) => sum + Number(rows), 0);
  const copied: TableCount[] = [];
  let rows = 0;
  progress({ rows, totalRows });
  for (const [schema, name, estimated] of tables) {
    const own = `${quoteName(schema)}.${quoteName(name)}`;
    const copy = `${to}.${own}`;
    await session.run(`CREATE SCHEMA IF NOT EXISTS ${to}.${quoteName(schema)}`);
    await session.run(`CREATE TABLE ${copy} AS FROM ${own}`);
    copied.push({ schema, name, rows: await rowsOf(session, copy) });
    rows += Number(estimated);
    progress({ rows, totalRows });
  }
  return copied;
}

/** Describes the first missing or different table, as the end of a sentence. */
export async function differenceOf(
  session: Session,
  tables: readonly TableCount[],
): Promise<string | undefined> {
  const found = await session.rows<[string, string]>(
    `SELECT schema_name, table_name FROM duckdb_tables()
     WHERE database_name = ${quoteText('data')}`,
  );
  for (const { schema, name, rows } of tables) {
    if (!found.some(([a, b]) => a === schema && b === name)) return `the table ${name} is missing`;
    const stored = await rowsOf(session, `${quoteName(schema)}.${quoteName(name)}`);
    if (stored !== rows) return `the table ${name} has ${stored} rows instead of ${rows}`;
  }
  return undefined;
}

async function rowsOf(session: Session, table: string): Promise<number> {
  const [row] = await session.rows<[bigint]>(`SELECT count(*) FROM ${table}`);
  return Number(row![0]);
}
