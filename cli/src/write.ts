/** Replaces a file's content atomically. */
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError, reasonOf } from '../../system/src/commandLine.ts';
import { replaceFile } from '../../system/src/replace.ts';

/** A file's state before reading, which shows whether the file has changed since. */
interface FileState {
  /** The path, with links resolved. */
  readonly path: string;
  readonly stats: Stats;
}

/** Returns a file's state. Call this before reading the file. Throws a FileError if it isn't a regular file. */
export function readFileState(name: string): FileState {
  try {
    const path = realpathSync(name);
    const stats = statSync(path);
    if (!stats.isFile()) throw new FileError(`Cannot write ${name}: it is not a regular file.`);
    return { path, stats };
  } catch (error) {
    throw toFileError('read', name, error);
  }
}

/**
 * Replaces a file's content by renaming a temporary file in the same folder. Keeps links, the file's mode and, if
 * possible, its owner. If it throws, the file is unchanged.
 * @throws FileError if the file can't be written or has changed.
 */
export async function replaceContent(
  name: string,
  { path, stats }: FileState,
  text: string,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.aplomb`);
  try {
    accessSync(path, constants.W_OK);
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    copyOwner(temporary, stats);
    chmodSync(temporary, stats.mode & 0o7777);
    const now = statSync(path);
    if (now.mtimeMs !== stats.mtimeMs || now.size !== stats.size)
      throw new FileError(`Cannot write ${name}: another program has changed it. Try again.`);
    await replaceFile(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw toFileError('write', name, error);
  }
}

function copyOwner(path: string, { uid, gid }: Stats): void {
  const now = statSync(path);
  if (now.uid === uid && now.gid === gid) return;
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only an administrator may change the owner. Save the content anyway.
  }
}

function toFileError(action: 'read' | 'write', name: string, error: unknown): FileError {
  if (error instanceof FileError) return error;
  return new FileError(`Cannot ${action} ${name}: ${reasonOf(error)}.`);
}
