/**
 * The lock file says which process serves a data folder, where it listens and with which token, so that
 * every window finds the one process. Only its owner may read it. DuckDB ensures that there is only one
 * process: it locks the database file, and the system lifts that lock when the process ends.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectProven, StrangerError } from '../../loopback/src/connect.ts';
import type { ProcessState } from '../../loopback/src/health.ts';
import { LOCK_FILE, type Lock, readLock } from '../../loopback/src/lock.ts';
import { removeFile, writeWhole } from '../../system/src/replace.ts';
import { isRunning } from '../../system/src/running.ts';

/**
 * Returns the process that serves a folder, if there is one. A process that is opening its data, restarting or ending
 * is waited for, also if it doesn't answer for a moment on a busy machine. A server that can't prove to know the token
 * isn't it.
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

/** Whether a process of that id runs that is not this one: an id is given again after a start of the machine. */
const isOther = (pid: number) => pid !== process.pid && isRunning(pid);

/** Asks the process of a lock for its state. Right after a restart another process may answer for it, once. */
async function stateOf(lock: Lock): Promise<ProcessState | 'another' | 'silent'> {
  try {
    const { socket, health } = await connectProven(lock);
    socket.destroy();
    return health.pid === lock.pid ? health.state : 'restarting';
  } catch (error) {
    return error instanceof StrangerError ? 'another' : 'silent';
  }
}

/** How long a process may take to open its data. */
const OPENING_MS = 60_000;

/** How long a process that runs may not answer. */
const SILENT_MS = 5_000;

/** Waits for the process that has the database open to answer; undefined when it does not in time. */
export async function waitForServing(folder: string, timeoutMs: number): Promise<Lock | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const lock = await findServing(folder);
    if (lock !== undefined || performance.now() > end) return lock;
    await pause(POLL_MS);
  }
}

const POLL_MS = 100;

/** Writes the lock whole or not at all. */
export async function writeLock(folder: string, lock: Lock): Promise<void> {
  const path = join(folder, LOCK_FILE);
  try {
    // A new file: the existing one may be readable by others, or be a link.
    await writeWhole(path, `${JSON.stringify(lock)}\n`, { mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `${path} cannot be written: ${code === 'EISDIR' ? 'it is a folder' : message}.`,
    );
  }
}

/** Writes the lock again whenever it is gone, until the returned function is called. */
export function keepLock(folder: string, lock: Lock): () => void {
  const timer = setInterval(() => {
    readLock(folder)
      .then((found) => (found === undefined ? writeLock(folder, lock) : undefined))
      // The folder may be gone or full; there is another try in a second.
      .catch(() => undefined);
  }, KEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const KEEP_EVERY_MS = 1_000;

/** Removes the lock if it is this process's. */
export async function removeLock(folder: string): Promise<void> {
  if ((await readLock(folder))?.pid === process.pid) await removeFile(join(folder, LOCK_FILE));
}
