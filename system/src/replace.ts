/**
 * Replaces and removes files that other processes may have open. Windows refuses both until they are closed, which
 * takes a reader milliseconds. Other systems never refuse.
 */
import { randomBytes } from 'node:crypto';
import { link, readFile as read, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Renames a file, replacing one that another process may be reading. Retries for `IN_USE_MS` on Windows. */
export const replaceFile = (from: string, to: string): Promise<void> =>
  retryWhileInUse(() => rename(from, to));

/**
 * Gives a file a name that isn't in use. A hard link never replaces a file, unlike a rename, which is the fallback if
 * the file system has no links. Afterwards, the old name may still exist. Rejects with EEXIST if the name is in use.
 */
export async function linkFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error;
    await replaceFile(from, to);
  });
}

/** Removes a file if it exists. On Windows, retries for `IN_USE_MS` while another process has it open. */
export const removeFile = (path: string): Promise<void> =>
  retryWhileInUse(() => rm(path, { force: true }));

/** Reads a file as text, even while it is being replaced. */
export const readText = (path: string): Promise<string> =>
  retryWhileInUse(() => read(path, 'utf8'));

/**
 * Writes a file atomically: to a new file in the same folder, which then replaces it. `check` runs before the
 * replacement and can prevent it by throwing.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  { mode, check }: { readonly mode: number; readonly check?: () => Promise<void> },
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, content, { mode, flag: 'wx' });
    await check?.();
    await replaceFile(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Maximum time a file may stay in use. Virus scanners hold new files for a second or two. */
export const IN_USE_MS = 5_000;

/** Errors of files in use. Windows also reports them for files that are protected or being deleted. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];

/**
 * On Windows, retries the work while it fails because a file is in use. Rejects with the last error after `timeoutMs`,
 * and with any other error at once.
 */
export async function retryWhileInUse<T>(
  work: () => Promise<T>,
  { platform = process.platform, timeoutMs = IN_USE_MS } = {},
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let delay = 5; ; delay = Math.min(2 * delay, 100)) {
    try {
      return await work();
    } catch (error) {
      const isInUse = IN_USE.includes((error as NodeJS.ErrnoException).code ?? '');
      if (platform !== 'win32' || !isInUse || performance.now() > end) throw error;
    }
    await pause(delay * (0.5 + Math.random()));
  }
}
