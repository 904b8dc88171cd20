/**
 * Makes a file's name survive a power failure. Syncing a file saves only its bytes; its directory entry is saved by
 * syncing the folder.
 */
import { open } from 'node:fs/promises';

/** Syncs a folder if the system can. Windows keeps names in its own journal, and some file systems refuse. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path).catch(ignoring(OPEN_REFUSED));
  try {
    await handle?.sync().catch(ignoring(SYNC_REFUSED));
  } finally {
    await handle?.close();
  }
}

const OPEN_REFUSED = ['EACCES', 'EPERM', 'EISDIR'];
const SYNC_REFUSED = ['EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF'];

const ignoring = (codes: readonly string[]) => (error: NodeJS.ErrnoException) => {
  if (!codes.includes(error.code ?? '')) throw error;
  return undefined;
};
