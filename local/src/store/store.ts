/** Opens and closes the store, which gives access to the contents of the data folder. */
import { mkdir, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { printable } from '../../../language/src/index.ts';
import { bytesOf } from '../arguments.ts';
import type { ClickHouseOptions } from '../engines/clickhouseOptions.ts';
import { Engine } from '../engines/duckdb/database/engine.ts';
import { type EventEngine, openClickHouse, openDuckDB } from '../engines/open.ts';
import { ExternalAccess } from '../externalAccess.ts';
import { type FullLicense, readLicense, readSettings } from '../license/license.ts';
import { Usage } from '../license/usage.ts';
import { QUERY_CONCURRENCY, QUERY_MS_MAX } from '../limits.ts';
import { PRICES_FILE, readPrices } from '../planner/prices.ts';
import { Datasets } from './datasets.ts';
import { declareDatasets } from './declaredDatasets.ts';
import { saveElsewhere } from './elsewhere.ts';
import { History } from './history.ts';
import { Semaphore } from './locks.ts';
import { Queries } from './queries.ts';
import { Resources } from './resources.ts';
import { Spool } from './spool.ts';
import type { Log } from './storedJson.ts';

export const DATABASE_FILE = 'data.duckdb';

/** The maximum number of concurrent ingest requests on the slow path (`ingest/thoroughRead.ts`). */
const STAGING_CONCURRENCY = 4;

export interface StoreOptions {
  /** The data folder, which is created if missing. */
  readonly folder: string;
  /** The amount of memory that DuckDB may use, such as `4GB`. The default is half of the machine's memory. */
  readonly memoryLimit?: string;
  /** The maximum running time of a query. The default is `QUERY_MS_MAX`. */
  readonly queryTimeoutMs?: number;
  readonly onStuck?: () => void;
  readonly stuckMs?: number;
  /** The sources that externaldata may read. The default is none. */
  readonly allowExternal?: readonly string[];
  /** The ClickHouse server that stores the events. Absent if DuckDB stores them. */
  readonly clickhouse?: ClickHouseOptions | undefined;
  /** The URL of the process that keeps the resources. Absent if this store does. */
  readonly resourcesUrl?: string | undefined;
  /** Reports unusable stored documents. The default is standard error. */
  readonly log?: Log;
}

export interface Store extends EventEngine {
  /** The database in the data folder. It also reads the bodies of requests. */
  readonly engine: Engine;
  readonly datasets: Datasets;
  readonly resources: Resources;
  readonly spool: Spool;
  readonly queries: Queries;
  readonly external: ExternalAccess;
  readonly history: History;
  readonly license: FullLicense;
  readonly usage: Usage;
  /** Limits concurrent ingest requests on the slow path, because each occupies a thread. */
  readonly staging: Semaphore;
  close(): Promise<void>;
}

/** Opens the store. Throws an EngineError for a database problem, and an Error for an invalid price file or license. */
export async function openStore(given: StoreOptions): Promise<Store> {
  const { folder, memoryLimit = defaultMemoryLimit(), log = logToStderr, onStuck, stuckMs } = given;
  const reading = readFolder(folder);
  const options = reading.then(({ spool, prices }) => ({
    ...{ memoryLimit, onStuck, stuckMs, prices },
    file: join(folder, DATABASE_FILE),
    spool: spool.folder,
    temporary: join(folder, 'temporary'),
  }));
  const engine = await Engine.open(options);
  const { spool, license } = await reading;
  try {
    await spool.removeLeftovers();
    const { clickhouse, queryTimeoutMs = QUERY_MS_MAX } = given;
    const { events, readDeclared, ...readers } =
      clickhouse === undefined
        ? openDuckDB(engine)
        : await openClickHouse(
            {
              ...clickhouse,
              queryMs: queryTimeoutMs,
              queryBytes: given.memoryLimit === undefined ? undefined : bytesOf(given.memoryLimit),
            },
            engine,
            spool.folder,
            (table) => [...datasets.layouts().values()].find((layout) => layout.table === table),
            log,
          );
    const datasets: Datasets = await Datasets.open(events, log, license.maxFields);
    const resources = await Resources.open(engine, log);
    const { resourcesUrl = null } = given;
    if (resourcesUrl !== null && !resources.isEmpty) {
      throw new Error(`${folder} has resources, which --resources would hide. Use another folder.`);
    }
    if (clickhouse !== undefined) {
      await saveElsewhere(engine, { database: clickhouse.database, resources: resourcesUrl });
    }
    const declared = await readDeclared?.(folder);
    if (declared !== undefined) {
      const isView = (name: string) => resources.get('view', name) !== undefined;
      await declareDatasets(datasets, declared, isView, log);
    }
    const usage = await Usage.open(engine);
    const external = new ExternalAccess(folder, given.allowExternal);
    const staging = new Semaphore(STAGING_CONCURRENCY);
    const queries = new Queries(QUERY_CONCURRENCY, queryTimeoutMs);
    const refreshing = clickhouse && refreshAgain(datasets, log);
    const close = async () => {
      clearInterval(refreshing);
      await usage.close();
      await events.close();
      await engine.close();
      await spool.clear();
    };
    const history = await History.open(engine);
    return {
      ...{ engine, events, ...readers, datasets, resources, spool, external, queries },
      ...{ history, license, usage, staging, close },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** How often changes by other processes to the datasets are looked for. */
const REFRESH_MS = 5_000;

function refreshAgain(datasets: Datasets, log: Log): NodeJS.Timeout {
  let isRefreshing = false;
  const refresh = async () => {
    if (isRefreshing) return;
    isRefreshing = true;
    // Ignore a failure, because requests report it, and the next attempt is soon.
    await datasets.refresh(log).catch(() => undefined);
    isRefreshing = false;
  };
  return setInterval(() => void refresh(), REFRESH_MS).unref();
}

function logToStderr(message: string): void {
  process.stderr.write(`${printable(message)}\n`);
}

export function defaultMemoryLimit(): string {
  return `${Math.floor(totalmem() / 2 ** 21)}MiB`;
}

async function readFolder(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const spool = await Spool.open(join(folder, 'spool'));
  const license = await readLicense(folder, (await stat(folder)).birthtime);
  const pricesPath = join(folder, PRICES_FILE);
  const prices = await readSettings(pricesPath);
  return {
    spool,
    license,
    prices: prices === undefined ? undefined : readPrices(prices, pricesPath),
  };
}
