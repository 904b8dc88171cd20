/**
 * Makes a file's name survive a power failure. Syncing a file saves only its bytes; its directory entry is saved by
 * syncing the folder.
 */
import { open } from 'node:fs/promises';

/** Syncs a folder if the system can. Windows keeps names in its own journal, and some file systems refuse. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path).catch(unless(MAY_NOT_OPEN));
  try {
    await handle?.sync().catch(unless(CANNOT_SYNC));
  } finally {
    await handle?.close();
  }
}

const MAY_NOT_OPEN = ['EACCES', 'EPERM', 'EISDIR'];
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF'];

const unless = (codes: readonly string[]) => (error: NodeJS.ErrnoException) => {
  if (!codes.includes(error.code ?? '')) throw error;
  return undefined;
};
