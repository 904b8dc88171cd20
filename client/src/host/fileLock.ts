// A lock between processes: a file that only one process can create. If its process has ended, the next process removes
// the lock.
import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { removeFile } from '../../../system/src/replace.ts';
import { isRunning } from '../../../system/src/running.ts';

const RETRY_MS = 15;
/** The age in milliseconds at which a lock's process is assumed to hang, because guarded work takes milliseconds. */
const STALE_MS = 10_000;
const WAIT_MS = 30_000;

interface Holder {
  readonly pid: number;
  readonly token: string;
}

/** Returns whether the work still holds the lock. False if another process has considered the lock stale. */
export type IsHeld = () => Promise<boolean>;

/** Runs work while no other process holds the same lock. Rejects after waiting for half a minute. */
export async function withLock<T>(path: string, work: (isHeld: IsHeld) => Promise<T>): Promise<T> {
  const token = randomUUID();
  await acquire(path, token);
  const isHeld = async () => (await holderOf(path))?.token === token;
  try {
    return await work(isHeld);
  } finally {
    if (await isHeld()) await removeFile(path);
  }
}

async function acquire(path: string, token: string): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await created(path, token))) {
    if (await isStale(path)) await removeStale(path);
    else if (Date.now() > end) throw new Error(`Another window holds the lock ${path}.`);
    else await pause(RETRY_MS * (0.5 + Math.random()));
  }
}

async function created(path: string, token: string): Promise<boolean> {
  const holder: Holder = { pid: process.pid, token };
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Retry on EPERM, which Windows reports for a file that is being deleted.
    if (code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM')) return false;
    throw error;
  }
}

/** Lets one process at a time remove a stale lock, so that no process removes a newer one. */
async function removeStale(path: string): Promise<void> {
  const guard = `${path}.stale`;
  if (!(await created(guard, randomUUID()))) {
    if (await isStale(guard)) await removeFile(guard);
    return pause(RETRY_MS);
  }
  try {
    if (await isStale(path)) await removeFile(path);
  } finally {
    await removeFile(guard);
  }
}

async function isStale(path: string): Promise<boolean> {
  const holder = await holderOf(path);
  if (holder !== undefined && !isRunning(holder.pid)) return true;
  const changed = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  return changed !== undefined && Date.now() - changed > STALE_MS;
}

/** Returns the lock's holder; undefined if there is no lock or while it is being written. */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const { pid, token } = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof token === 'string' ? { pid, token } : undefined;
  } catch {
    return undefined;
  }
}
