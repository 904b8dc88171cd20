// Starts, fills, backs up and restores a deployment, and has it open foreign database files. Prints what became of each
// as JSON. A separate program, so that a test can run it without a network and look at its sockets.
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { writeArchive } from '../../local/src/backup/archive.ts';
import { MANIFEST_FILE } from '../../local/src/backup/backup.ts';
import { DATABASE_FILE } from '../../local/src/store/store.ts';
import { count, fill, Processes, stop } from '../local/processes.ts';

export interface Outcome {
  readonly code: number | null;
  readonly err: string;
}

export interface Report {
  readonly counts: readonly number[];
  /** By kind of file: of a start over it, and of restoring a backup with it. */
  readonly foreign: Readonly<
    Record<string, { readonly start: Outcome; readonly restore: Outcome }>
  >;
}

const processes = await Processes.create();
const path = (name: string) => join(processes.folder, name);

/** Runs a command until it ends. */
async function run(...args: string[]): Promise<Outcome> {
  const child = processes.launch(...args);
  let err = '';
  child.stderr!.on('data', (chunk) => {
    err += chunk;
  });
  // A deployment that serves has opened the file.
  child.stdout!.on('data', () => child.kill('SIGKILL'));
  const [code] = await once(child, 'close');
  return { code, err };
}

/** The first page of an empty SQLite database. */
function sqlite(): Buffer {
  const page = Buffer.alloc(4_096);
  page.write('SQLite format 3\0');
  page.set([0x10, 0, 1, 1, 0, 64, 32, 32], 16);
  page.writeUInt32BE(1, 28);
  page[100] = 0x0d;
  return page;
}

async function encrypted(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  // Written by the built-in library, without an extension.
  await connection.run("SET force_mbedtls_unsafe = 'true'");
  await connection.run(`ATTACH '${file}' AS secret (ENCRYPTION_KEY 'k')`);
  await connection.run('CREATE TABLE secret.t AS SELECT 1');
  connection.closeSync();
  instance.closeSync();
}

async function foreign(kind: string) {
  const folder = path(kind);
  mkdirSync(folder);
  const file = join(folder, DATABASE_FILE);
  if (kind === 'encrypted') await encrypted(file);
  else writeFileSync(file, FILES[kind]!);
  const backup = path(`${kind}.tar`);
  const manifest = Buffer.from('{"format":1,"created":"2026-01-01T00:00:00Z","tables":[]}');
  const content = readFileSync(file);
  const chunks = writeArchive([
    { name: MANIFEST_FILE, bytes: manifest.length, content: manifest },
    { name: DATABASE_FILE, bytes: content.length, content },
  ]);
  const bytes: Uint8Array[] = [];
  for await (const chunk of chunks) bytes.push(chunk);
  writeFileSync(backup, Buffer.concat(bytes));
  return {
    start: await run('--data', folder, '--port', '0'),
    restore: await run('restore', backup, '--data', path(`${kind}-restored`)),
  };
}

const FILES: Readonly<Record<string, Buffer>> = {
  sqlite: sqlite(),
  parquet: Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(100, 1), Buffer.from('PAR1')]),
  text: Buffer.from('a,b\n1,2\n'),
};

async function life(): Promise<number[]> {
  const first = await processes.start('data');
  await fill(first, 'logs');
  const counts = [await count(first, 'logs')];
  await run('backup', path('running.tar'), '--data', path('data'));
  await stop(first);
  await run('backup', path('stopped.tar'), '--data', path('data'));
  for (const name of ['running', 'stopped']) {
    await run('restore', path(`${name}.tar`), '--data', path(name));
    const restored = await processes.start(name);
    counts.push(await count(restored, 'logs'));
    await stop(restored);
  }
  return counts;
}

try {
  const counts = await life();
  const kinds = [...Object.keys(FILES), 'encrypted'];
  const outcomes = [];
  for (const kind of kinds) outcomes.push([kind, await foreign(kind)]);
  const report: Report = { counts, foreign: Object.fromEntries(outcomes) };
  process.stdout.write(JSON.stringify(report));
} finally {
  await processes.dispose();
}
