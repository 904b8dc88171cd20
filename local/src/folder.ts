/** Creates the data folder and makes it private to its owner. */
import { access, chmod, constants, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../system/src/commandLine.ts';
import { syncFolder } from '../../system/src/folderSync.ts';

/**
 * Creates a folder and its missing parents, one at a time. Node's recursive mkdir never returns if a file system such
 * as /proc rejects new folders with ENOENT.
 * @throws Error with a sentence that names the folder and the reason.
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
 * Makes the data folder private, even if an older version created it. The folder and the deployment's subfolders get
 * the mode 0700, and its files 0600. Other files keep their modes. The process's umask makes later files private. On
 * Windows, user folders are already private.
 */
export async function makePrivate(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  process.umask(0o077);
  const entries = await readdir(folder, { withFileTypes: true });
  const own = entries.filter(({ name }) => OWN_NAMES.test(name));
  const { mode } = await stat(folder);
  const modes = own.map((entry) => [entry.name, entry.isDirectory() ? 0o700 : 0o600] as const);
  // Shared folders such as /tmp have the sticky bit and must not be restricted.
  if (own.length > 0 && (mode & STICKY) === 0) modes.push(['.', 0o700]);
  // A file may have been deleted meanwhile, or may belong to another user.
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
