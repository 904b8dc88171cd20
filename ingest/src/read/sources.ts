// Opens files as sources: regular files on disk, and text held in memory.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { FileProblem, type FileSource } from '../contract.ts';
import { resolveLink } from './links.ts';
import { fileProblem } from './problems.ts';

const CHUNK_BYTES = 256 * 1024;

/** Opens a file on disk with its current size. Rejects with a FileProblem if it isn't a readable file. */
export async function diskSource(path: string): Promise<FileSource> {
  const name = basename(path);
  try {
    const found = await stat(path);
    if (found.isDirectory()) {
      throw new FileProblem(`${name} is a folder. Choose the files in it.`);
    }
    if (!found.isFile()) {
      const kind = found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device';
      throw new FileProblem(`${name} is ${kind}. Save what it provides to a file and ingest that.`);
    }
    return fileSource({ name, path, size: found.size, modified: found.mtimeMs });
  } catch (error) {
    throw fileProblem(error, name);
  }
}

/** Opens a file below a folder. Rejects with a FileProblem if a link leads out of the folder. */
export async function sourceInFolder(folder: string, path: string): Promise<FileSource> {
  const name = basename(path);
  const link = await resolveLink(folder, path).catch((error) => {
    throw fileProblem(error, name);
  });
  if (link?.isOutside) throw outsideLinkProblem(name, link.target);
  return diskSource(path);
}

/** Returns the problem that refuses a link's target. */
export function outsideLinkProblem(name: string, target: string): FileProblem {
  return new FileProblem(
    `${name} is a link to ${target}, outside the folder. Choose that file itself to ingest it.`,
  );
}

/** Creates a source with the file's size at that time. `open` doesn't read bytes appended since. */
export function fileSource(file: Omit<FileSource, 'open'> & { readonly path: string }): FileSource {
  const { path, size } = file;
  return {
    ...file,
    open: (from = 0) =>
      from >= size
        ? Readable.from([])
        : createReadStream(path, { start: from, end: size - 1, highWaterMark: CHUNK_BYTES }),
  };
}

/** Returns the number of bytes appended to a file since its size was taken; 0 for sources not on disk. */
export async function appendedBytes({
  path,
  size,
}: Pick<FileSource, 'path' | 'size'>): Promise<number> {
  if (path === undefined) return 0;
  const now = await stat(path).catch(() => undefined);
  return Math.max(0, (now?.size ?? 0) - size);
}

/** Creates a source from text or bytes in memory: a selection, the clipboard, an unsaved document. */
export function memorySource(name: string, content: string | Uint8Array): FileSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    name,
    size: bytes.length,
    open: (from = 0) => Readable.from(chunksOf(bytes, from), { objectMode: false }),
  };
}

function* chunksOf(bytes: Uint8Array, from: number): Generator<Uint8Array, void, void> {
  for (let at = from; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}
