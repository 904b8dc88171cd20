/**
 * Manages the lock file: the URL and token of the process that serves a data folder, readable only by its owner. All VS
 * Code windows find the process by this file. DuckDB's lock on the database file ensures that only one process opens
 * the data.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectProven, UnprovenServerError } from '../../loopback/src/connect.ts';
import type { ProcessState } from '../../loopback/src/health.ts';
import { LOCK_FILE, type Lock, readLock } from '../../loopback/src/lock.ts';
import { removeFile, writeAtomically } from '../../system/src/replace.ts';
import { isRunning } from '../../system/src/running.ts';

/**
 * Returns the lock of the process that serves a folder. Waits for a process that is opening its data, restarting,
 * exiting or slow. Ignores a server that can't prove that it knows the token.
 */
export async function findServing(folder: string): Promise<Lock | undefined> {
  const start = performance.now();
  let answered = start;
  for (;;) {
    const lock = await readLock(folder);
    if (lock === undefined) return undefined;
    const state = await stateOf(lock);
    if (state === 'open') return lock;
    const now = performance.now();
    if (state === 'another' || now > start + OPENING_MS) return undefined;
    if (state !== 'silent') answered = now;
    else if (!isOther(lock.pid) || now > answered + SILENT_MS) return undefined;
    await pause(POLL_MS);
  }
}

/** After a reboot, the ID in the lock may be that of this process. */
const isOther = (pid: number) => pid !== process.pid && isRunning(pid);

/** Returns the state of the lock's process. If another process has the same token, a restart is in progress. */
async function stateOf(lock: Lock): Promise<ProcessState | 'another' | 'silent'> {
  try {
    const { socket, health } = await connectProven(lock);
    socket.destroy();
    return health.pid === lock.pid ? health.state : 'restarting';
  } catch (error) {
    return error instanceof UnprovenServerError ? 'another' : 'silent';
  }
}

const OPENING_MS = 60_000;

/** Maximum time for a running process to respond. */
const SILENT_MS = 5_000;

/** Waits for a response from the process that holds the database lock. */
export async function waitForServing(folder: string, timeoutMs: number): Promise<Lock | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const lock = await findServing(folder);
    if (lock !== undefined || performance.now() > end) return lock;
    await pause(POLL_MS);
  }
}

const POLL_MS = 100;

export async function writeLock(folder: string, lock: Lock): Promise<void> {
  const path = join(folder, LOCK_FILE);
  try {
    // The existing file may be a link or readable by other users, so replace it.
    await writeAtomically(path, `${JSON.stringify(lock)}\n`, { mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `${path} cannot be written: ${code === 'EISDIR' ? 'it is a folder' : message}.`,
    );
  }
}

/** Writes the lock again when its file is missing, until the returned function is called. */
export function maintainLock(folder: string, lock: Lock): () => void {
  const timer = setInterval(() => {
    readLock(folder)
      .then((found) => (found === undefined ? writeLock(folder, lock) : undefined))
      // The next check retries.
      .catch(() => undefined);
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const CHECK_EVERY_MS = 1_000;

/** Removes this process's lock file. Keeps the lock file of another process. */
export async function removeLock(folder: string): Promise<void> {
  if ((await readLock(folder))?.pid === process.pid) await removeFile(join(folder, LOCK_FILE));
}
