/** The rights of a user of ClickHouse, as docs/many-machines.md lists them. */
import { read } from '../../house/sources.ts';
import { ClickHouseServer } from '../server/server.ts';
import { type Server, startServer } from './deployment.ts';

/** Returns all statements of the page in SQL, block by block. */
export function blocks(): readonly (readonly string[])[] {
  const page = read('docs/many-machines.md');
  return [...page.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql]) =>
    sql!.split(/;\n/).filter((statement) => statement !== ''),
  );
}

/** Returns the documented GRANT statements for one server, with those for tables that exist already in `otel`. */
export function documentedGrants(): readonly string[] {
  const [oneServer = [], existingTables = []] = blocks();
  return [...oneServer, ...existingTables].filter((statement) => statement.startsWith('GRANT '));
}

const prepared = [
  'CREATE DATABASE aplomb',
  'CREATE DATABASE otel',
  'CREATE TABLE otel.plain (time DateTime, n Int64, data JSON) ENGINE = MergeTree ORDER BY time',
  `INSERT INTO otel.plain SELECT now(), 1, '{"a":{"b":2}}'`,
];

/**
 * Starts a server with an empty database `aplomb` and a table `otel.plain`, on which users have the rights of some GRANT
 * statements alone.
 */
export async function startLimitedServer(grants: readonly string[]): Promise<Server> {
  const server = await startServer();
  for (const body of prepared) await fetch(server.clickhouse.url, { method: 'POST', body });
  await server.clickhouse.stop();
  const granted = grants.map((grant) => grant.replace(/\s+TO \w+$/, ''));
  const clickhouse = await ClickHouseServer.start(server.folder, { grants: granted });
  return {
    clickhouse,
    folder: server.folder,
    stop: async () => {
      await clickhouse.stop();
      await server.stop();
    },
  };
}
