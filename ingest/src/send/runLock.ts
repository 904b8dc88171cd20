// Keeps two windows from resuming the same run at once, which would store events twice. A lock file names the
// process that has the run; one whose process has ended is void.
import { readFile, rm, writeFile } from 'node:fs/promises';

export class RunLock {
  /** Runs of this process, whose own id says nothing about them. */
  static readonly #held = new Set<string>();
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Undefined if the run is in progress. */
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
    await rm(this.#path, { force: true });
    RunLock.#held.delete(this.#path);
  }
}

export async function isInProgress(journal: string): Promise<boolean> {
  const path = `${journal}.lock`;
  const owner = await ownerOf(path);
  return owner !== undefined && isAlive(owner);
}

async function takeFile(path: string): Promise<boolean> {
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { mode: 0o600, flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = await ownerOf(path);
    if (owner !== undefined && owner !== process.pid && isAlive(owner)) return false;
    await rm(path, { force: true });
  }
}

async function ownerOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const owner = Number(text);
  return Number.isInteger(owner) && owner > 0 ? owner : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
