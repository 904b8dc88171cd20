/**
 * Exports to a file completely or not at all: a new file in the same folder replaces the target once it is on the disk.
 */
import { randomUUID } from 'node:crypto';
import { access, constants, type FileHandle, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../../system/src/folderSync.ts';
import { replaceFile } from '../../../system/src/replace.ts';
import type { LongTask, RowSource } from '../rowSource.ts';
import { ExportError, fileFailure } from './exportError.ts';
import { type ExportSummary, exportRows, type Sink } from './exportRows.ts';

/**
 * Writes all rows to the file at `path`. On failure or cancellation, an existing file is unchanged and no new one
 * remains. Throws an ExportError with a message for the user, or the error of a cancelled task.
 */
export async function exportToFile(
  source: RowSource,
  format: string,
  options: Readonly<Record<string, unknown>>,
  path: string,
  task: LongTask,
): Promise<ExportSummary> {
  try {
    return await writeFile(path, (sink) => exportRows(source, format, options, sink, task));
  } catch (error) {
    throw fileFailure(error, path);
  }
}

type Write = (sink: Sink) => Promise<ExportSummary>;

async function writeFile(path: string, write: Write): Promise<ExportSummary> {
  const existing = await existingFile(path);
  if (existing?.isFolder) throw new ExportError(`${path} is a folder. Choose the name of a file.`);
  // A device or a pipe can't be replaced by a file, so write into it.
  if (existing?.isSpecial) return await intoHandle(await open(path, 'w'), write);
  // Replacing a file requires permission for its folder only, so check write access to the file itself.
  if (existing !== undefined) await access(existing.path, constants.W_OK);
  // Replace the file that a link refers to, not the link.
  const target = existing?.path ?? path;
  const part = join(dirname(target), `.aplomb-${randomUUID()}.tmp`);
  const handle = await open(part, 'wx');
  try {
    // Ignore errors, because some file systems have no permissions to set.
    if (existing !== undefined) await handle.chmod(existing.mode).catch(() => undefined);
    const summary = await intoHandle(handle, write);
    await replaceFile(part, target);
    await syncFolder(dirname(target));
    return summary;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function intoHandle(handle: FileHandle, write: Write): Promise<ExportSummary> {
  try {
    const summary = await write({ write: (chunk) => writeAll(handle, chunk) });
    await sync(handle);
    return summary;
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, at, chunk.length - at);
    at += bytesWritten;
  }
}

/** Flushes the file to the disk. Ignores errors of pipes and some devices, which can't be flushed. */
async function sync(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EINVAL' && code !== 'ENOTSUP') throw error;
  }
}

async function existingFile(path: string) {
  try {
    const real = await realpath(path);
    const about = await stat(real);
    return {
      path: real,
      mode: about.mode & 0o777,
      isFolder: about.isDirectory(),
      isSpecial: !about.isFile() && !about.isDirectory(),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
