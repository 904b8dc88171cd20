/**
 * Manages the lock file. It identifies the process that serves a data folder, with its address and token, so that all
 * windows find the same process. Only its owner may read it. DuckDB ensures that there is only one process: it locks
 * the database file, and the system releases that lock when the process exits.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectProven, UnprovenServerError } from '../../loopback/src/connect.ts';
import type { ProcessState } from '../../loopback/src/health.ts';
import { LOCK_FILE, type Lock, readLock } from '../../loopback/src/lock.ts';
import { removeFile, writeAtomically } from '../../system/src/replace.ts';
import { isRunning } from '../../system/src/running.ts';

/**
 * Returns the process that serves a folder, if there is one. Waits for a process that is opening its data, restarting
 * or ending, even if it briefly doesn't respond on a busy machine. A server that can't prove knowledge of the token
 * is ignored.
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

/** Reports whether another process with this ID runs. IDs are reused after a reboot. */
const isOther = (pid: number) => pid !== process.pid && isRunning(pid);

/** Returns the state of a lock's process. Right after a restart, another process may respond for it once. */
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

/** Maximum time for which a running process may fail to respond. */
const SILENT_MS = 5_000;

/** Waits for the process that has the database open to respond; undefined if it doesn't in time. */
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
    // Write a new file, because the existing one may be readable by others, or be a link.
    await writeAtomically(path, `${JSON.stringify(lock)}\n`, { mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `${path} cannot be written: ${code === 'EISDIR' ? 'it is a folder' : message}.`,
    );
  }
}

/** Rewrites the lock whenever it is missing, until the returned function is called. */
export function maintainLock(folder: string, lock: Lock): () => void {
  const timer = setInterval(() => {
    readLock(folder)
      .then((found) => (found === undefined ? writeLock(folder, lock) : undefined))
      // The folder may be missing or full; retry in a second.
      .catch(() => undefined);
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const CHECK_EVERY_MS = 1_000;

/** Removes the lock if it belongs to this process. */
export async function removeLock(folder: string): Promise<void> {
  if ((await readLock(folder))?.pid === process.pid) await removeFile(join(folder, LOCK_FILE));
}
