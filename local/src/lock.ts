/**
 * The lock file says which process serves a data folder, where it listens and with which token, so that
 * every window finds the one process. Only its owner may read it. That there is only one process, DuckDB
 * sees to: it locks the database file, and the system lifts that lock when the process dies.
 */
import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const LOCK_FILE = 'deployment.json';

export interface Lock {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  readonly token: string;
}

/** The lock of a data folder, or undefined when there is none or it is not whole. */
export async function readLock(folder: string): Promise<Lock | undefined> {
  try {
    const lock = JSON.parse(await readFile(join(folder, LOCK_FILE), 'utf8')) as Partial<Lock>;
    return typeof lock.url === 'string' && typeof lock.token === 'string' && lock.pid !== undefined
      ? (lock as Lock)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The process that holds the lock, if it answers. */
export async function findServing(folder: string): Promise<Lock | undefined> {
  const lock = await readLock(folder);
  if (lock === undefined) return undefined;
  try {
    const response = await fetch(`${lock.url}/_local/health`, {
      headers: { authorization: `Bearer ${lock.token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
    return response.ok ? lock : undefined;
  } catch {
    return undefined;
  }
}

const ANSWER_MS = 2_000;

/** Waits for the process that holds the database to answer; undefined when it does not in time. */
export async function waitForServing(folder: string, timeoutMs: number): Promise<Lock | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const lock = await findServing(folder);
    if (lock !== undefined || performance.now() > end) return lock;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const POLL_MS = 100;

/** Writes the lock whole or not at all. */
export async function writeLock(folder: string, lock: Lock): Promise<void> {
  const draft = join(folder, `${LOCK_FILE}.${lock.pid}`);
  await writeFile(draft, `${JSON.stringify(lock)}\n`, { mode: 0o600 });
  await rename(draft, join(folder, LOCK_FILE));
}

/** Removes the lock if it is this process's. */
export async function removeLock(folder: string): Promise<void> {
  if ((await readLock(folder))?.pid === process.pid) await unlink(join(folder, LOCK_FILE));
}
