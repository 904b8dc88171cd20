/** What the engines are filled with, and the folders in which they keep it for the next run. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from '../local/deployment.ts';
import { writeLines } from '../local/events.ts';
import { ClickHouse } from './clickhouse.ts';
import { insertFile, type Table } from './tables.ts';

/** How long ClickHouse may take for a file, in milliseconds. */
const INGEST_MS_MAX = 900_000;

export interface Dataset {
  /** The name of the file and the folder. */
  readonly name: string;
  readonly events: number;
  readonly line: (row: number, next: () => number) => string;
  readonly table: Table;
}

export interface Engines {
  readonly ours: Deployment;
  readonly theirs: ClickHouse;
}

/** The folder of all benches, and what is told of the progress. */
export interface Setting {
  readonly folder: string;
  readonly progress: (text: string) => void;
}

/** The paths of a dataset: its events as NDJSON, and the folder of each engine. */
export function pathsOf({ name, events }: Dataset, { folder }: Setting) {
  const data = join(folder, 'engines', `${name}-${events}`);
  return {
    data,
    file: join(folder, `${name}-${events}.ndjson`),
    ours: join(data, 'ours'),
    theirs: join(data, 'theirs'),
    /** Exists when both engines have all events. */
    filled: join(data, 'filled'),
  };
}

export async function writeFileOf(dataset: Dataset, setting: Setting): Promise<string> {
  const { file } = pathsOf(dataset, setting);
  const bytes = await writeLines(file, dataset.events, dataset.line);
  setting.progress(`${dataset.name}: ${Math.round(bytes / dataset.events)} bytes an event`);
  return file;
}

/** Runs `work` with both engines over a dataset, which they ingest first unless they have it. */
export async function withEngines<T>(
  dataset: Dataset,
  setting: Setting,
  work: (engines: Engines) => Promise<T>,
): Promise<T> {
  const paths = pathsOf(dataset, setting);
  if (!existsSync(paths.filled)) {
    await writeFileOf(dataset, setting);
    setting.progress(`${dataset.name}: ClickHouse and the local deployment ingest the file`);
    await fillTheirs(dataset.table, paths.theirs, paths.file, async () => undefined);
    await fillOurs(paths.ours, paths.file, async () => undefined);
    writeFileSync(paths.filled, '');
  }
  const theirs = await ClickHouse.start(paths.theirs);
  try {
    const ours = await Deployment.start(paths.ours);
    try {
      return await work({ ours, theirs });
    } finally {
      await ours.end();
    }
  } finally {
    await theirs.end();
  }
}

/** Ingests a file into a new database and passes it on, merged, with the milliseconds that the insert took. */
export async function fillTheirs<T>(
  table: Table,
  folder: string,
  file: string,
  then: (theirs: ClickHouse, took: number) => Promise<T>,
): Promise<T> {
  rmSync(folder, { recursive: true, force: true });
  const theirs = await ClickHouse.start(folder);
  try {
    await theirs.run(table.create);
    const took = await theirs.run(insertFile(table, file), INGEST_MS_MAX);
    // One part is what is left when ClickHouse has merged all, and what it answers fastest from.
    await theirs.run(`OPTIMIZE TABLE ${table.name} FINAL`, INGEST_MS_MAX);
    return await then(theirs, took);
  } finally {
    await theirs.end();
  }
}

/** Ingests a file into a new folder of data and passes the deployment on, with the milliseconds that it took. */
export async function fillOurs<T>(
  folder: string,
  file: string,
  then: (ours: Deployment, took: number) => Promise<T>,
): Promise<T> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const ours = await Deployment.start(folder);
  try {
    await ours.makeDataset();
    const start = performance.now();
    await ours.ingest(file);
    const took = performance.now() - start;
    await ours.settled();
    return await then(ours, took);
  } finally {
    await ours.end();
  }
}
