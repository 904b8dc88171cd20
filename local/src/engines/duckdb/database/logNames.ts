/**
 * Makes the files of the database's logs survive a power loss. DuckDB syncs the log at each commit, but not the folder,
 * so a new log file could be lost with all of its commits. The folder is therefore synced before the first commit in a
 * new log is confirmed.
 */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../../../../../system/src/folderSync.ts';
import { LOG, SECOND_LOG } from './recovery.ts';

/** A log file whose directory entry was synced. It stays open, so that the system can't reuse its inode number. */
interface SyncedLog {
  readonly number: bigint;
  readonly descriptor: number;
}

export class LogNames {
  readonly #folder: string;
  readonly #logs: readonly { readonly path: string; synced: SyncedLog | undefined }[];
  readonly #syncFolder: (folder: string) => Promise<void>;

  /** Tests can replace `sync`. */
  constructor(file: string, sync = syncFolder) {
    this.#folder = dirname(file);
    this.#logs = [LOG, SECOND_LOG].map((suffix) => ({ path: file + suffix, synced: undefined }));
    this.#syncFolder = sync;
  }

  /** Resolves once the log files of all earlier commits are certain to survive a power loss. */
  async sync(): Promise<void> {
    // Do nothing on Windows: it can't sync folders, and can't replace a log that this process keeps open.
    if (process.platform === 'win32') return;
    while (this.#logs.some((log) => numberOf(log.path) !== log.synced?.number)) {
      const found = this.#logs.map(({ path }) => openLog(path));
      try {
        await this.#syncFolder(this.#folder);
      } catch (error) {
        for (const each of found) close(each);
        throw error;
      }
      for (const [i, log] of this.#logs.entries()) {
        close(log.synced);
        log.synced = found[i];
      }
    }
  }

  /** Closes the logs, so that the disk space of deleted logs is freed. */
  release(): void {
    for (const log of this.#logs) {
      close(log.synced);
      log.synced = undefined;
    }
  }
}

function numberOf(path: string): bigint | undefined {
  return statSync(path, STATS)?.ino;
}

const STATS = { bigint: true, throwIfNoEntry: false } as const;

function openLog(path: string): SyncedLog | undefined {
  try {
    const descriptor = openSync(path, 'r');
    return { number: fstatSync(descriptor, { bigint: true }).ino, descriptor };
  } catch (error) {
    // A missing log isn't an error, because a checkpoint may have just deleted or renamed it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function close(log: SyncedLog | undefined): void {
  if (log !== undefined) closeSync(log.descriptor);
}
