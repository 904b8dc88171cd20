/** Replaces the content of a file as one step: whatever happens, the file is the old one or the new one. */
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError, reasonOf } from './usage.ts';

/** A file as it was when it was read, so that a later change by others is noticed. */
export interface Seen {
  /** Where the file is, links followed. */
  readonly path: string;
  readonly stats: Stats;
}

/**
 * Looks at a file before it is read.
 * @throws FileError when it is no regular file, or is not there.
 */
export function see(name: string): Seen {
  try {
    const path = realpathSync(name);
    const stats = statSync(path);
    if (!stats.isFile()) throw new FileError(`${name} is no regular file, so it is not written.`);
    return { path, stats };
  } catch (error) {
    throw asFileError(name, 'read', error);
  }
}

/**
 * Writes a file by way of another beside it that takes its name, with its mode and, where the system
 * lets us, its owner. A link stays a link.
 * @throws FileError when that fails, or somebody else has changed the file; it is then as it was.
 */
export function replaceFile(name: string, { path, stats }: Seen, text: string): void {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.aplomb`);
  try {
    accessSync(path, constants.W_OK);
    const file = openSync(beside, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    keepOwner(beside, stats);
    chmodSync(beside, stats.mode & 0o7777);
    const now = statSync(path);
    if (now.mtimeMs !== stats.mtimeMs || now.size !== stats.size)
      throw new FileError(`${name} was changed meanwhile and is left as it is. Try again.`);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw asFileError(name, 'written', error);
  }
}

function keepOwner(path: string, { uid, gid }: Stats): void {
  const now = statSync(path);
  if (now.uid === uid && now.gid === gid) return;
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only an administrator may give files away; the text matters more than who owns it.
  }
}

function asFileError(name: string, done: string, error: unknown): FileError {
  if (error instanceof FileError) return error;
  return new FileError(`${name} cannot be ${done}: ${reasonOf(error)}.`);
}
