/** Records in the database which data of the deployment is not in its folder, so that backups say what they lack. */
import type { Engine } from '../engines/duckdb/database/engine.ts';

export interface Elsewhere {
  /** ClickHouse's database with the events. */
  readonly database: string;
  /** The URL of the process that keeps the resources. Null if the folder has them. */
  readonly resources: string | null;
}

export async function saveElsewhere(
  engine: Engine,
  { database, resources }: Elsewhere,
): Promise<void> {
  await engine.transaction(async (session) => {
    await session.run(`CREATE OR REPLACE TABLE ${TABLE} (database VARCHAR, resources VARCHAR)`);
    await session.run(`INSERT INTO ${TABLE} VALUES (?, ?)`, [database, resources]);
  });
}

/** Returns undefined if the folder has all data. */
export async function readElsewhere(engine: Engine): Promise<Elsewhere | undefined> {
  return engine.use(async (session) => {
    const found = await session.rows(
      `SELECT 1 FROM duckdb_tables() WHERE database_name = current_database()
       AND concat(schema_name, '.', table_name) = '${TABLE}'`,
    );
    if (found.length === 0) return undefined;
    const [row] = await session.rows<[string, string | null]>(
      `SELECT database, resources FROM ${TABLE}`,
    );
    return row && { database: row[0], resources: row[1] };
  });
}

const TABLE = 'aplomb.elsewhere';
