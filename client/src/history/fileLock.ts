/**
 * A lock between processes: a file that only one of them can create. The lock of a process that ended without
 * giving it back is removed by the next one.
 */
import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { removeFile } from '../../../system/src/replace.ts';
import { isRunning } from '../../../system/src/running.ts';

const RETRY_MS = 15;
/** A lock that is older belongs to a process that hangs; the work it guards takes milliseconds. */
const STALE_MS = 10_000;
const WAIT_MS = 30_000;

interface Holder {
  readonly pid: number;
  readonly token: string;
}

/** Whether the lock is still that of the work; false after another process took it for stale. */
export type IsHeld = () => Promise<boolean>;

/** Does the work while no other process does any under the same lock. Rejects after half a minute of waiting. */
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
    // Windows reports a file that is being deleted as one that may not be opened.
    if (code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM')) return false;
    throw error;
  }
}

/** Of those that find a lock stale, one at a time removes it, so that none removes the lock of the next. */
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

/** Undefined where there is no lock, or where it is just being written. */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const { pid, token } = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof token === 'string' ? { pid, token } : undefined;
  } catch {
    return undefined;
  }
}
