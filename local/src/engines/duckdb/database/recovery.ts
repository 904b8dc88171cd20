/**
 * Prepares a database's log after a crash, so that DuckDB can open the database. Rejects a damaged log.
 *
 * DuckDB 1.5 appends each transaction to `data.duckdb.wal`. A checkpoint first appends a marker that contains the root
 * block that it will write. Transactions that commit during the checkpoint go to a second log,
 * `data.duckdb.wal.checkpoint`. Once the checkpoint has written its root to the database file, the second log replaces
 * the first. After a crash, the marker shows whether the checkpoint completed:
 *
 * - Completed: only the second log is needed, and DuckDB moves it into the place of the first.
 * - Not completed: both logs are needed. DuckDB joins them, but omits only the last marker. A marker from an earlier
 *   crash remains, so DuckDB rejects the joined log. If DuckDB is killed just before it deletes the second log, it
 *   later joins that log again in the wrong place and loses transactions. The logs are therefore joined here, without
 *   any marker. A second log next to a log with a marker has then not been joined yet. A second log next to a log
 *   without a marker has already been joined. An empty second log is removed.
 *
 * The writes here can be interrupted at any point, because the joined log replaces the first atomically.
 */
import { type FileHandle, lstat, open, rm, truncate } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { syncFolder } from '../../../../../system/src/folderSync.ts';
import { replaceFile } from '../../../../../system/src/replace.ts';
import {
  type DatabaseHeader,
  HEADERS_BYTES,
  hasMagic,
  isPartialNewDatabase,
  isZero,
  type LogEntries,
  parseHeaders,
  readEntries,
  versionEntry,
} from './logFormat.ts';

/** Thrown if the database or a log is damaged. No file was changed. */
export class DamagedError extends Error {}

/** Runs `work` while no other process can open the database. Throws if another process has the database open. */
export type WithExclusiveLock = (work: () => Promise<void>) => Promise<void>;

/** Suffixes of the database's log, of the second log that is written during a checkpoint, and of the joined log. */
export const LOG = '.wal';
export const SECOND_LOG = '.wal.checkpoint';
const JOINED_LOG = '.wal.recovery';
export const LOG_SUFFIXES = [LOG, SECOND_LOG, JOINED_LOG] as const;

/** Repairs the log of the database `file` after an interrupted write. Throws a DamagedError for any other damage. */
export async function recoverLog(file: string, exclusively: WithExclusiveLock): Promise<void> {
  for (;;) {
    const before = await readStart(file);
    const found = await recoveryStep(file, before.header).catch((error: unknown) => error);
    if (found === undefined) return;
    let changed = (await versionOf(file)) !== before.version;
    // Without a database file, no process can be writing the log, so the damage is real and no lock is needed.
    if (!changed && !isDatabase(before.header)) throw found;
    // The log may only seem damaged because a running process is writing it, so check again under the lock.
    if (!changed) {
      await exclusively(async () => {
        // Don't read the headers again, because closing the file would release DuckDB's lock on it.
        changed = (await versionOf(file)) !== before.version;
        if (!changed) await (await recoveryStep(file, before.header))?.();
      });
    }
    if (!changed) return;
  }
}

/** Throws a DamagedError if `file` isn't a DuckDB database, because DuckDB would look for an extension. */
export async function checkFormat(file: string): Promise<void> {
  if ((await versionOf(file)) === '') return;
  const start = await withFile(file, (handle) => readBytes(handle, HEADERS_BYTES));
  if (!hasMagic(start) && !isPartialNewDatabase(start)) {
    throw damagedDatabaseError(file, 'it is not a DuckDB database');
  }
}

/** Reports whether the database is still empty because the process was killed while creating it. */
export async function isNewAndEmpty(file: string): Promise<boolean> {
  const { header } = await readStart(file);
  if (header !== 'unfinished') return false;
  const logs = await Promise.all([LOG, SECOND_LOG].map((suffix) => readLog(file + suffix)));
  return logs.every((log) => !log?.length);
}

type Header = DatabaseHeader | 'absent' | 'unfinished' | 'damaged';

function isDatabase(header: Header): header is DatabaseHeader {
  return typeof header !== 'string';
}

async function readStart(file: string): Promise<{ header: Header; version: string }> {
  const version = await versionOf(file);
  if (version === '') return { header: 'absent', version };
  const bytes = await withFile(file, (handle) => readBytes(handle, HEADERS_BYTES));
  if (bytes.length < HEADERS_BYTES) {
    return { header: isPartialNewDatabase(bytes) ? 'unfinished' : 'damaged', version };
  }
  return { header: parseHeaders(bytes) ?? 'damaged', version };
}

/** Returns a string that changes with every write to the file, or an empty string if there is no file. */
async function versionOf(file: string): Promise<string> {
  const { size, mtimeNs } = await lstat(file, { bigint: true }).catch(
    ifMissing({ size: -1n, mtimeNs: 0n }),
  );
  return size < 0n ? '' : `${size} ${mtimeNs}`;
}

/** The step that is needed before DuckDB can open the database. Undefined if none is needed. */
type RecoveryStep = (() => Promise<void>) | undefined;

async function recoveryStep(file: string, header: Header): Promise<RecoveryStep> {
  const first = (await readLog(file + LOG)) ?? Buffer.alloc(0);
  const second = await readLog(file + SECOND_LOG);
  if (second === undefined || second.length > 0)
    return recoveryStepOfLogs(file, header, first, second);
  // Delete the second log, because it is empty and DuckDB would join it.
  const then = await recoveryStepOfLogs(file, header, first, undefined);
  if (!isDatabase(header)) return then;
  return async () => {
    await rm(file + SECOND_LOG);
    await then?.();
  };
}

async function recoveryStepOfLogs(
  file: string,
  header: Header,
  first: Buffer,
  second: Buffer | undefined,
): Promise<RecoveryStep> {
  const paths = { first: file + LOG, second: file + SECOND_LOG };
  if (first.length === 0 && second === undefined) return undefined;
  if (header === 'absent' || header === 'unfinished') {
    const log = basename(first.length > 0 ? paths.first : paths.second);
    throw damagedError(
      file,
      `${basename(file)} is ${header === 'absent' ? 'missing' : 'incomplete'}, but its log ${log} is not`,
    );
  }
  // Do nothing, because DuckDB itself reports that the database file is damaged.
  if (header === 'damaged') return undefined;
  const { iteration } = header;
  const log = await checkLog(file, LOG, first, header, [iteration, iteration - 1]);
  const marker = log.markers.at(-1);
  const isCompleted = marker?.root === header.root;
  if (log.iteration < iteration && !isCompleted) throw otherStateError(file, LOG);
  if (second === undefined) return log.zeros ? () => truncate(paths.first, log.end) : undefined;
  // If the checkpoint completed, the second log belongs to the current state.
  const next = isCompleted ? iteration : iteration + 1;
  const later = await checkLog(file, SECOND_LOG, second, header, [next]);
  if (isCompleted) return later.zeros ? () => truncate(paths.second, later.end) : undefined;
  const added = second.subarray(later.start, later.committedEnd);
  if (log.committedEnd !== (marker?.end ?? 0) + COMMIT_BYTES) {
    if (added.length === 0 || first.includes(added)) return () => rm(paths.second);
    throw damagedError(
      file,
      `${basename(paths.second)} does not continue ${basename(paths.first)}`,
    );
  }
  return async () => {
    const pieces = [...withoutMarkers(first, log), added];
    await writeThrough(file + JOINED_LOG, pieces);
    await replaceFile(file + JOINED_LOG, paths.first);
    await syncFolder(dirname(file));
    await rm(paths.second);
  };
}

/** The size of the commit entry that follows each checkpoint marker. */
const COMMIT_BYTES = 21;

function withoutMarkers(log: Buffer, { markers }: LogEntries): Buffer[] {
  return markers.map(({ start }, index) => log.subarray(markers[index - 1]?.end ?? 0, start));
}

interface CheckedLog extends LogEntries {
  /** The number of checkpoints that had completed when the log was begun. */
  readonly iteration: number;
  /** The offset of the first entry after the version entry. */
  readonly start: number;
  /** Whether the log ends with zeros that don't belong to an entry. */
  readonly zeros: boolean;
}

async function checkLog(
  file: string,
  suffix: string,
  log: Buffer,
  { identifier }: DatabaseHeader,
  iterations: readonly number[],
): Promise<CheckedLog> {
  const name = basename(file) + suffix;
  const versions = iterations.map((iteration) => versionEntry(identifier, Math.max(iteration, 0)));
  const index = versions.findIndex((each) => log.subarray(0, each.length).equals(each));
  const version = versions[index];
  if (version === undefined) {
    // The log may be truncated, because the process was killed while it wrote the first bytes.
    const isCut = versions.some((each) => each.subarray(0, log.length).equals(log));
    if (!isCut) throw otherStateError(file, suffix);
    const [iteration] = iterations as [number];
    const none = { markers: [], committedEnd: 0, end: 0, damagedAt: undefined };
    return { ...none, iteration, start: 0, zeros: false };
  }
  const entries = await readEntries(log, version.length);
  if (entries.damagedAt !== undefined) {
    throw damagedError(
      file,
      `The log ${name} is damaged at byte ${entries.damagedAt} of ${log.length}`,
    );
  }
  const zeros = log.length > entries.end && isZero(log.subarray(entries.end));
  return { ...entries, iteration: iterations[index]!, start: version.length, zeros };
}

function otherStateError(file: string, suffix: string): DamagedError {
  const name = basename(file);
  return damagedError(
    file,
    `The log ${name}${suffix} is damaged at its beginning or belongs to another state of ${name}`,
  );
}

function damagedError(file: string, what: string): DamagedError {
  const name = basename(file);
  return new DamagedError(
    `${what}. No file was changed. Restore ${name} and the files whose names begin with ${name}. from a copy, or move all of them away to start with an empty database.`,
  );
}

export function damagedDatabaseError(file: string, message: string): DamagedError {
  return damagedError(
    file,
    `${basename(file)} is damaged: ${message.split('\n', 1)[0]!.replace(/\.$/, '')}`,
  );
}

async function readLog(path: string): Promise<Buffer | undefined> {
  const stats = await lstat(path).catch(ifMissing(undefined));
  if (stats === undefined) return undefined;
  if (!stats.isFile()) {
    throw damagedError(path.slice(0, path.indexOf(LOG)), `${basename(path)} is not a file`);
  }
  return withFile(path, (handle) => readBytes(handle, stats.size));
}

async function withFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

export async function readBytes(handle: FileHandle, length: number, start = 0): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    // Read in parts, because the system reads at most 2 GiB per call.
    const wanted = Math.min(length - filled, READ_BYTES);
    const { bytesRead } = await handle.read(bytes, filled, wanted, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

const READ_BYTES = 2 ** 28;

async function writeThrough(path: string, pieces: readonly Buffer[]): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
