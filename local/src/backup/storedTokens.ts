/**
 * The API tokens in the database of a backup. Restoring brings back those that were revoked since, and any that the
 * author of a foreign file added, so the person who restores can leave them out.
 */
import type { Session } from '../store/duckdb.ts';
import { quoteText } from '../store/sql.ts';

/** Returns the number of stored tokens, whether or not they are still valid. */
export async function countTokens(session: Session): Promise<number> {
  if (!(await hasResources(session))) return 0;
  const [row] = await session.rows<[bigint]>(
    "SELECT count(*) FROM aplomb.resources WHERE kind = 'token'",
  );
  return Number(row![0]);
}

/** Deletes all stored tokens. */
export async function deleteTokens(session: Session): Promise<void> {
  if (!(await hasResources(session))) return;
  await session.transaction(() => session.run("DELETE FROM aplomb.resources WHERE kind = 'token'"));
}

/** A deployment that never opened its resources has no table for them. */
async function hasResources(session: Session): Promise<boolean> {
  const found = await session.rows(
    `SELECT 1 FROM duckdb_tables()
     WHERE database_name = ${quoteText('data')} AND schema_name = 'aplomb' AND table_name = 'resources'`,
  );
  return found.length > 0;
}
