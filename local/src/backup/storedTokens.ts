/**
 * Counts and deletes the API tokens in a restored database. A restore can exclude them, because a backup may contain
 * revoked tokens or tokens of someone else.
 */
import type { Session } from '../engines/duckdb/database/session.ts';
import { quoteText } from '../store/sql.ts';
import { ArchiveError } from './archive.ts';

export async function countTokens(session: Session): Promise<number> {
  if (!(await hasResources(session))) return 0;
  const [row] = await session.rows<[bigint]>(
    "SELECT count(*) FROM aplomb.resources WHERE kind = 'token'",
  );
  return Number(row![0]);
}

export async function deleteTokens(session: Session): Promise<void> {
  if (!(await hasResources(session))) return;
  await session.transaction(() => session.run("DELETE FROM aplomb.resources WHERE kind = 'token'"));
}

/**
 * Whether the database has the resources table. A database from someone else could hide tokens in a generated column,
 * in a view, or in a table whose name has a different case, because DuckDB ignores case.
 * @throws ArchiveError if the table was not created by a deployment.
 */
async function hasResources(session: Session): Promise<boolean> {
  const found = await session.rows<[string]>(
    `SELECT sql FROM duckdb_tables() WHERE database_name = ${quoteText('data')}
     AND lower(schema_name) = 'aplomb' AND lower(table_name) = 'resources'
     UNION ALL SELECT sql FROM duckdb_views() WHERE database_name = ${quoteText('data')}
     AND lower(schema_name) = 'aplomb' AND lower(view_name) = 'resources'`,
  );
  if (found.some(([sql]) => sql !== RESOURCES_SQL)) {
    const table = 'its table of resources was not made by a deployment';
    throw new ArchiveError(`${table}, and may hide API tokens`);
  }
  return found.length > 0;
}

/** The table's definition in a deployment's database, as DuckDB prints it. */
const RESOURCES_SQL =
  'CREATE TABLE aplomb.resources(kind VARCHAR, id VARCHAR, "document" VARCHAR);';
