/**
 * Counts and deletes the API tokens in a backup's database. Restoring a backup also restores tokens that were revoked
 * since, and any that the author of a foreign file added. The person who restores it can therefore exclude tokens.
 */
import type { Session } from '../store/session.ts';
import { quoteText } from '../store/sql.ts';
import { ArchiveError } from './archive.ts';

/** Returns the number of stored tokens, whether or not they are still valid. */
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
 * Reports whether a table for resources exists. A deployment that never opened its resources has none. A foreign
 * database could hide tokens from this check: by the case of a name, which DuckDB ignores, by a generated column, or by
 * a view.
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

/** The definition of a deployment's table, as DuckDB prints it. */
const RESOURCES_SQL =
  'CREATE TABLE aplomb.resources(kind VARCHAR, id VARCHAR, "document" VARCHAR);';
