/** The planner's macros in a DuckDB of a test's own, as the store makes them in its. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { macroCatalogSql, macros } from '../../../local/src/planner/macros.ts';
import { registerComputed } from '../../../local/src/store/computed/register.ts';

export async function makeMacros(connection: DuckDBConnection): Promise<void> {
  registerComputed(connection);
  await connection.run(macroCatalogSql);
  await connection.run(macros.map(({ sql }) => sql).join(';\n'));
}
