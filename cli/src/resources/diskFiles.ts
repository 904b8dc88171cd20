/** Accesses a folder on disk. Links are listed and read, but never written or deleted. */
import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FolderFiles, ListedFile } from '../../../resources/src/folder/files.ts';
import { checkNoLink, FolderError } from '../../../resources/src/folder/marker.ts';
import { FileError, reasonOf } from '../../../system/src/commandLine.ts';
import { removeFile, writeAtomically } from '../../../system/src/replace.ts';

/** Gives access to a folder on disk. All errors are FileErrors. */
export function diskFiles(folder: string): FolderFiles {
  const isLink = async (path: string) =>
    (await lstat(join(folder, path)).catch(() => undefined))?.isSymbolicLink() === true;
  return {
    list: () => attempt('read', folder, () => listFolder(folder)),
    read: (path) =>
      attempt('read', path, async () => {
        const content = await readFile(join(folder, path));
        try {
          return new TextDecoder('utf-8', { fatal: true }).decode(content);
        } catch {
          return undefined;
        }
      }),
    write: (path, text) =>
      attempt('write', path, async () => {
        await checkNoLink(path, isLink);
        await replace(join(folder, path), text);
      }),
    remove: (path) =>
      attempt('remove', path, async () => {
        await checkNoLink(path, isLink);
        await removeFile(join(folder, path));
      }),
  };
}

async function listFolder(folder: string): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  for (const entry of await entries(folder)) {
    const { name } = entry;
    if (!entry.isDirectory()) files.push({ path: name, isLink: entry.isSymbolicLink() });
    else if (!name.startsWith('.') && name !== 'node_modules') {
      for (const inner of await entries(join(folder, name))) {
        if (inner.isDirectory()) continue;
        files.push({ path: `${name}/${inner.name}`, isLink: inner.isSymbolicLink() });
      }
    }
  }
  return files;
}

async function entries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const mode = await lstat(path).then(
    (stats) => stats.mode & 0o7777,
    () => 0o666,
  );
  await writeAtomically(path, text, { mode });
}

async function attempt<T>(action: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FolderError) throw error;
    throw new FileError(`Cannot ${action} ${path}: ${reasonOf(error)}.`);
  }
}
