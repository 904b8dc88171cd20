/** A ClickHouse server with deployments on it, and ways to read what a deployment stores, whichever engine has it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseEvents } from '../../../local/src/engines/clickhouse/events.ts';
import { quoteName } from '../../../local/src/engines/clickhouse/quotes.ts';
import type { ClickHouseOptions } from '../../../local/src/engines/clickhouseOptions.ts';
import { quoteName as duckdbName } from '../../../local/src/store/sql.ts';
import { Deployment, type DeploymentOptions } from '../../local/deployment.ts';
import { ClickHouseServer, type ServerOptions } from '../server/server.ts';

/** A server and its folder, which `stop` removes. */
export interface Server {
  readonly clickhouse: ClickHouseServer;
  readonly folder: string;
  stop(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'aplomb-clickhouse-'));
  const clickhouse = await ClickHouseServer.start(folder, options);
  return {
    clickhouse,
    folder,
    stop: async () => {
      await clickhouse.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function openOn(
  { clickhouse }: Server,
  database: string,
  options: DeploymentOptions = {},
  more: Partial<ClickHouseOptions> = {},
): Promise<Deployment> {
  return Deployment.open({ ...options, clickhouse: { url: clickhouse.url, database, ...more } });
}

export function eventsOf(local: Deployment): ClickHouseEvents {
  return local.store.events as ClickHouseEvents;
}

/** A field's type and its value as text, by the field's name and type. Times are nanoseconds. Nulls are left out. */
export type StoredEvent = Readonly<Record<string, string>>;

/** Returns the events of a dataset in the order in which they were stored. */
export async function storedEvents(local: Deployment, dataset: string): Promise<StoredEvent[]> {
  const { layout } = local.store.datasets.get(dataset)!;
  const onClickHouse = local.store.events.constructor.name === 'ClickHouseEvents';
  const variants = layout.fields.flatMap(({ name, variants }) =>
    variants.map(({ type, column }) => ({ label: `${name} ${type}`, type, column })),
  );
  const values = variants.map(({ type, column }) => {
    const name = onClickHouse ? quoteName(column) : duckdbName(column);
    if (!onClickHouse)
      return `CAST(${type === 'datetime' ? `epoch_ns(${name})` : name} AS VARCHAR)`;
    return `toString(${type === 'datetime' ? `toUnixTimestamp64Nano(${name})` : name})`;
  });
  const rows = onClickHouse
    ? await eventsOf(local).clickhouse.rows<(string | null)[]>(
        `SELECT ${values.join(', ')} FROM ${layout.table} ORDER BY _row`,
      )
    : await local.store.engine.use((session) =>
        session.rows<(string | null)[]>(`SELECT ${values.join(', ')} FROM ${layout.table}`),
      );
  return rows.map((row) =>
    Object.fromEntries(
      row.flatMap((value, index) => {
        const { label, type } = variants[index]!;
        return value === null ? [] : [[label, type === 'float' ? sameFloat(value) : value]];
      }),
    ),
  );
}

/** The engines print the same number in different forms, all of which are read as this number. */
function sameFloat(text: string): string {
  const number = Number(text);
  return Object.is(number, -0) ? '-0' : String(number);
}
