// Makes a folder of downloaded or unpacked files once, although several programs may ask for it at the
// same time and any of them may be interrupted half-way.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDirectory } from './paths.ts';

const marker = '.complete';
const waitLimitMs = 5 * 60_000;

/**
 * Returns the folder `name` of the cache, having called `make` on it if it is not complete yet.
 * The name should carry the version, so that a new version is a new folder. The marker file is written
 * last: a folder without it is deleted and made again. Throws what `make` throws, and a timeout when
 * another process holds the lock for more than five minutes.
 */
export async function cached(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheDirectory, name);
  const complete = join(folder, marker);
  if (existsSync(complete)) return folder;
  await mkdir(cacheDirectory, { recursive: true });
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(complete)) return;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await make(folder);
    await writeFile(complete, '');
  });
  return folder;
}

/** Holds a lock file while `body` runs; a lock whose process no longer lives is taken over. */
async function withLock(file: string, body: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + waitLimitMs;
  while (!(await tryLock(file))) {
    if (Date.now() > deadline) {
      throw new Error(`${file} is held by another process. If none is running, delete the file.`);
    }
    await sleep(200);
  }
  try {
    await body();
  } finally {
    await rm(file, { force: true });
  }
}

async function tryLock(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    // An empty file is one whose owner has created it and not yet written its id: it is left alone.
    if (holder > 0 && !isRunning(holder)) await rm(file, { force: true });
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
