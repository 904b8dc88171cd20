// Prevents two windows from resuming the same run at once, which would store events twice. A lock file names the
// process that owns the run. It is void once the process has ended.
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { removeFile } from '../../../system/src/replace.ts';
import { isRunning } from '../../../system/src/running.ts';

/** Maximum time between creating a lock and writing it. */
const WRITE_MS_MAX = 5_000;
/** Maximum time for replacing a lock. */
const CLEAR_MS_MAX = 10_000;

export class RunLock {
  /** Runs of this process, which its own process ID can't tell apart. */
  static readonly #held = new Set<string>();
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Takes the lock. Returns undefined if the run is in progress. */
  static async take(journal: string): Promise<RunLock | undefined> {
    const path = `${journal}.lock`;
    if (RunLock.#held.has(path)) return undefined;
    RunLock.#held.add(path);
    try {
      if (await takeFile(path)) return new RunLock(path);
    } catch (error) {
      RunLock.#held.delete(path);
      throw error;
    }
    RunLock.#held.delete(path);
    return undefined;
  }

  async release(): Promise<void> {
    await removeFile(this.#path);
    RunLock.#held.delete(this.#path);
  }
}

export async function isInProgress(journal: string): Promise<boolean> {
  return (await lockAt(`${journal}.lock`))?.isHeld === true;
}

async function takeFile(path: string): Promise<boolean> {
  if (await create(path)) return true;
  if (await isHeldByOther(path)) return false;
  // Another process may also have seen the void lock, and must not remove its replacement.
  const clearing = `${path}.clearing`;
  if (await isStale(clearing)) await rm(clearing, { recursive: true, force: true });
  try {
    await mkdir(clearing);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    if (await isHeldByOther(path)) return false;
    await removeFile(path);
    return await create(path);
  } finally {
    await rm(clearing, { recursive: true, force: true });
  }
}

/** Creates the lock file. Returns false if it exists. */
async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isHeldByOther(path: string): Promise<boolean> {
  const found = await lockAt(path);
  return found?.isHeld === true && found.owner !== process.pid;
}

/** Returns whether the directory is so old that the process that created it must have ended. */
async function isStale(clearing: string): Promise<boolean> {
  const found = await stat(clearing).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > CLEAR_MS_MAX;
}

interface FoundLock {
  readonly owner: number | undefined;
  readonly isHeld: boolean;
}

/** Reads a lock file; undefined if there is none. */
async function lockAt(path: string): Promise<FoundLock | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const owner = Number.parseInt(text, 10);
    // The file is created empty and then written.
    if (!(owner > 0)) return { owner: undefined, isHeld: Date.now() - mtimeMs < WRITE_MS_MAX };
    // Process IDs are reused after a restart of the machine.
    const isFromThisBoot = mtimeMs > Date.now() - uptime() * 1_000;
    return { owner, isHeld: isFromThisBoot && isRunning(owner) };
  } catch {
    return undefined;
  }
}
