// Makes a folder of downloaded or unpacked files once, although several programs may ask for it at the
// same time and any of them may be interrupted half-way.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replaceFile } from '../../system/src/replace.ts';
import { isRunning } from '../../system/src/running.ts';
import { cacheDirectory } from './paths.ts';

const waitLimitMs = 5 * 60_000;

/**
 * Returns the folder `name` of the cache, having called `make` to fill it if it is not there yet. The
 * name should carry the version, so that a new version is a new folder. `make` fills a folder of its
 * own that gets its name last, so a folder of that name is whole. Throws what `make` throws, and a
 * timeout when another process is still at it after five minutes.
 */
export async function cached(
  name: string,
  make: (folder: string) => Promise<void>,
  directory = cacheDirectory,
): Promise<string> {
  const folder = join(directory, name);
  if (existsSync(folder)) return folder;
  await mkdir(directory, { recursive: true });
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return;
    await removeLeftovers(directory, `${name}.partial-`);
    const partial = `${folder}.partial-${process.pid}`;
    await mkdir(partial);
    await make(partial);
    await replaceFile(partial, folder).catch(async (error: unknown) => {
      // Two may have taken over the lock of a dead process at once; the first one's folder serves both.
      if (!existsSync(folder)) throw error;
      await rm(partial, { recursive: true, force: true });
    });
  });
  return folder;
}

/** Deletes what interrupted processes left; each folder's name ends in the id of its process. */
async function removeLeftovers(directory: string, prefix: string): Promise<void> {
  for (const entry of await readdir(directory)) {
    if (!entry.startsWith(prefix) || isRunning(Number(entry.slice(prefix.length)))) continue;
    await rm(join(directory, entry), { recursive: true, force: true });
  }
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
