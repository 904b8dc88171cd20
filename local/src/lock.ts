/**
 * The lock file says which process serves a data folder, where it listens and with which token, so that
 * every window finds the one process. Only its owner may read it. DuckDB ensures that there is only one
 * process: it locks the database file, and the system lifts that lock when the process ends.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HEALTH_PATH, type Health, healthProof } from './gateway.ts';
import { isRunning } from './running.ts';

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
    const { pid, port, url, token } = JSON.parse(await readFile(join(folder, LOCK_FILE), 'utf8'));
    const isWhole =
      Number.isInteger(pid) &&
      Number.isInteger(port) &&
      url === `http://127.0.0.1:${port}` &&
      typeof token === 'string';
    return isWhole ? { pid, port, url, token } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The process that serves a folder, if there is one. A process that is opening its data or restarting is
 * waited for, also where it does not answer for a moment: while it restarts, its port passes to another process
 * and back, and whoever took it for ended would take its data. A server that cannot prove to be the one that
 * wrote the lock file is not it.
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

/** What the process of a lock says of itself, where it answers and is not another one. */
async function stateOf({ url, pid, token }: Lock): Promise<Health['state'] | 'another' | 'silent'> {
  const nonce = randomBytes(16).toString('base64url');
  try {
    const response = await fetch(`${url}${HEALTH_PATH}?nonce=${nonce}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const health = asHealth(await firstText(response));
    const expected = Buffer.from(healthProof(token, nonce));
    const given = Buffer.from(String(health.proof));
    const isProven = given.length === expected.length && timingSafeEqual(given, expected);
    return isProven && health.pid === pid && health.state ? health.state : 'another';
  } catch {
    return 'silent';
  }
}

/** Empty for what is not JSON of an object. */
function asHealth(text: string): Partial<Health> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

// Another server at that port may send what it likes, and as much.
async function firstText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value?.subarray(0, HEALTH_BYTES_MAX) ?? []).toString();
}

const HEALTH_BYTES_MAX = 1_024;
const ANSWER_MS = 2_000;

/** How long a process may take to open its data. */
const OPENING_MS = 60_000;

/** How long a process that runs may not answer: on a busy machine a restart leaves its port unanswered. */
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
  const draft = `${path}.${lock.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(lock)}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
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
  if ((await readLock(folder))?.pid === process.pid) await unlink(join(folder, LOCK_FILE));
}
