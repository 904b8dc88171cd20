/** `aplomb backup FILE --data FOLDER`: saves the database and the settings files of a data folder as one file. */
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { grouped } from '../../../formats/src/counts.ts';
import type { Lock } from '../../../loopback/src/lock.ts';
import { megabytes } from '../../../system/src/progressLine.ts';
import { Backups } from '../backup/backup.ts';
import type { SnapshotProgress } from '../backup/snapshot.ts';
import { CLICKHOUSE_HEADER } from '../routes/backup.ts';
import { quoteName } from '../store/sql.ts';
import { checkOutput, writeOutput } from './outputFile.ts';
import { progressLine } from './progressLine.ts';
import { bytesOf, send, withDeployment } from './serving.ts';

/** Creates the backup and returns the message to print. If it throws, it leaves no file. */
export async function backup(data: string, file: string, signal: AbortSignal): Promise<string> {
  await checkOutput(file);
  const { bytes, clickhouse } = await withDeployment(data, {
    running: (serving) => fromProcess(serving, file, signal),
    stopped: async (store, folder) => {
      const backups = new Backups(store, folder);
      const timer = setInterval(() => showCopying(backups.progress), POLL_MS);
      const backup = await backups.create(signal).finally(() => clearInterval(timer));
      await writeOutput(file, withWriteProgress(backup.chunks(), backup.bytes, signal));
      return { bytes: backup.bytes, clickhouse: backup.manifest.clickhouse };
    },
  });
  return [
    `${file}: ${megabytes(bytes)}.`,
    ...(clickhouse
      ? [`It has no events. Back them up in ClickHouse: ${backupSql(clickhouse)}`]
      : []),
    `To restore it, run aplomb restore ${file} --data FOLDER.`,
  ].join(' ');
}

async function fromProcess(serving: Lock, file: string, signal: AbortSignal) {
  const ended = new AbortController();
  const polling = poll(serving, ended.signal);
  try {
    const answer = await send(serving, 'POST', '/_local/backup', signal);
    ended.abort();
    const bytes = Number(answer.headers['content-length']);
    await writeOutput(file, withWriteProgress(bytesOf(answer, signal), bytes, signal));
    const clickhouse = decodeURIComponent(String(answer.headers[CLICKHOUSE_HEADER] ?? ''));
    return { bytes, clickhouse };
  } finally {
    ended.abort();
    await polling;
  }
}

async function poll(serving: Lock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(POLL_MS);
    try {
      const answer = await send(serving, 'GET', '/_local/backup', signal);
      showCopying((await json(answer)) as Partial<SnapshotProgress>);
    } catch {
      // Ignore the error, because the backup request will report a problem with the deployment.
    }
  }
}

/** Returns ClickHouse's statement for a backup of the events. The disk must be one that its server allows. */
function backupSql(database: string): string {
  return `BACKUP DATABASE ${quoteName(database)} TO Disk('backups', 'events.zip').`;
}

const POLL_MS = 250;

function showCopying(progress: Partial<SnapshotProgress> | undefined): void {
  const { rows, totalRows } = progress ?? {};
  if (rows === undefined || totalRows === undefined) return;
  progressLine.show(`Copying the database: ${grouped(rows)} of ${grouped(totalRows)} rows`);
}

export async function* withWriteProgress(
  chunks: AsyncIterable<Uint8Array>,
  total: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    bytes += chunk.length;
    progressLine.show(`Writing: ${megabytes(bytes)} of ${megabytes(total)}`);
    yield chunk;
  }
  progressLine.clear();
}
