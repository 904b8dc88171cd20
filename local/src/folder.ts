/** Creates the data folder, private to its owner, or throws an error with the reason. */
import { access, chmod, constants, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../system/src/commandLine.ts';
import { syncFolder } from '../../system/src/folderSync.ts';

/**
 * Creates a folder and its parents, one at a time. The recursive form never returns if the file system rejects new
 * folders with ENOENT, as /proc does.
 * @throws Error with a sentence that names the path.
 */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await createFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`${path} cannot be the data folder: ${reasonOf(error, REASONS)}.`);
  }
}

/**
 * Makes a data folder private, even if an older version created it. A folder that has files of a deployment gets the
 * mode 0700, as do its own subfolders. Its own files get 0600. Later files are private by the process's umask. Other
 * existing files keep their modes. On Windows, user folders are already private.
 */
export async function makePrivate(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  process.umask(0o077);
  const entries = await readdir(folder, { withFileTypes: true });
  const own = entries.filter(({ name }) => OWN_NAMES.test(name));
  const { mode } = await stat(folder);
  const modes = own.map((entry) => [entry.name, entry.isDirectory() ? 0o700 : 0o600] as const);
  // A shared folder (with the sticky bit) stays open to all users.
  if (own.length > 0 && (mode & STICKY) === 0) modes.push(['.', 0o700]);
  // Ignore errors: a file may have been deleted meanwhile, and another user's file can't be changed.
  await Promise.all(
    modes.map(([name, to]) => chmod(join(folder, name), to).catch(() => undefined)),
  );
}

const OWN_NAMES =
  /^(?:data\.duckdb.*|spool|temporary|deployment\.json|license\.json|prices\.json|token|personal-token)$/;
const STICKY = 0o1000;

async function createFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await createFolder(above);
  await mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    // Another process may have created the folder meanwhile.
    if (error.code !== 'EEXIST' || !(await isFolder(path))) throw error;
  });
  await syncFolder(above);
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isDirectory() === false) throw new Error(`${path} is not a folder`);
  return found !== undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file system does not allow folders there',
  EEXIST: 'a link of that name leads nowhere',
  ENAMETOOLONG: 'the path is too long',
};
