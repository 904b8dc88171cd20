/** Opens everything the deployment keeps in its data folder, and closes it. */
import { mkdir, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type Prices, readPrices } from '../planner/prices.ts';
import { Datasets } from './datasets.ts';
import { Engine } from './duckdb.ts';
import { Semaphore } from './gate.ts';
import { Resources } from './resources.ts';
import { Spool } from './spool.ts';

/** So many requests may be looked at closely at once. */
const STAGING_CONCURRENCY = 4;

export interface StoreOptions {
  /** The data folder; made if it is not there. */
  readonly folder: string;
  /** The memory DuckDB may use, such as `4GB`; half of the machine's if absent. */
  readonly memoryLimit?: string;
}

export interface Store {
  readonly engine: Engine;
  readonly datasets: Datasets;
  readonly resources: Resources;
  readonly spool: Spool;
  /** Held by an ingest request that goes another than the quick way, which takes a thread of its own. */
  readonly staging: Semaphore;
  close(): Promise<void>;
}

/** Opens the store. Throws an EngineError when the database cannot be opened, an Error for a wrong file of prices. */
export async function openStore({ folder, memoryLimit }: StoreOptions): Promise<Store> {
  const reading = readFolder(folder);
  const options = reading.then(({ spool, prices }) => ({
    file: join(folder, 'data.duckdb'),
    spool: spool.folder,
    temporary: join(folder, 'temporary'),
    memoryLimit: memoryLimit ?? `${Math.floor(totalmem() / 2 ** 21)}MiB`,
    ...(prices === undefined ? {} : { prices }),
  }));
  const engine = await Engine.open(options);
  const { spool } = await reading;
  try {
    const datasets = await Datasets.open(engine);
    const resources = await Resources.open(engine);
    const staging = new Semaphore(STAGING_CONCURRENCY);
    const close = async () => {
      await engine.close();
      await spool.clear();
    };
    return { engine, datasets, resources, spool, staging, close };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function readFolder(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const spool = await Spool.open(join(folder, 'spool'));
  return { spool, prices: await ownPrices(join(folder, 'prices.json')) };
}

/** The prices of models that the owner of the data folder put there; undefined when there is no such file. */
async function ownPrices(path: string): Promise<Prices | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : readPrices(text);
}
