/** The planner's macros in a DuckDB of a test's own, as the store makes them in its. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { registerComputed } from '../../../local/src/engines/duckdb/database/computed/register.ts';
import { macroCatalogSql, macros } from '../../../local/src/planner/macros.ts';

export async function makeMacros(connection: DuckDBConnection): Promise<void> {
  registerComputed(connection);
  await connection.run(macroCatalogSql);
  await connection.run(macros.map(({ sql }) => sql).join(';\n'));
}
