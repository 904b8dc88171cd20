/**
 * Stores answers on disk, in a folder that only this user can read: the original body, the bodies of pages loaded
 * later, and a small header. The header is written last and by rename, so an answer with a header is complete. File
 * names begin with the time, so sorting them puts the oldest answers first.
 */
import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson, stringifyJson } from '../../../../api/src/plain.ts';
import { removeFile, replaceFile } from '../../../../system/src/replace.ts';
import type { LongTask } from '../../../../table/src/rowSource.ts';
import type { KeptAnswer } from '../protocol.ts';
import { type KeptHeader, readHeader } from './keptHeader.ts';

const folderMode = 0o700;
const fileMode = 0o600;
const headerEnding = '.json';
const bodyEnding = '.body';
const partEnding = '.part';
/** The maximum header size. A larger file can't be a header, so it isn't read. */
const headerBytesMax = 4 * 1024 * 1024;
/** The age at which a partial file is removed, because the process that wrote it must have ended. */
const staleMilliseconds = 24 * 60 * 60 * 1000;
const namePattern = /^\d{15}-[0-9a-f]{8}$/;

/** Returns a file name for an answer. Names of later answers sort after those of earlier ones. */
function fileName(askedAt: number): string {
  const time = String(Math.max(0, Math.trunc(askedAt)))
    .padStart(15, '0')
    .slice(-15);
  return `${time}-${randomUUID().slice(0, 8)}`;
}

export function bodyPath(folder: string, file: string): string {
  return join(folder, checked(file) + bodyEnding);
}

/** Returns the file name of a page's body. The first page that was loaded later is page 1. */
function pageName(file: string, page: number): string {
  return `${checked(file)}-p${page}${bodyEnding}`;
}

/** Returns the paths of the bodies of later pages, in page order. */
export async function pagePaths(folder: string, file: string): Promise<string[]> {
  const names = new Set(await namesIn(folder));
  const paths: string[] = [];
  while (names.has(pageName(file, paths.length + 1)))
    paths.push(join(folder, pageName(file, paths.length + 1)));
  return paths;
}

/** Removes pages, last first, so that an interruption leaves no gap. */
export async function removePages(paths: readonly string[]): Promise<void> {
  for (const path of paths.toReversed()) await removeFile(path);
}

function headerPath(folder: string, file: string): string {
  return join(folder, checked(file) + headerEnding);
}

function checked(file: string): string {
  if (!namePattern.test(file)) throw new Error(`${file} is not the name of a stored answer.`);
  return file;
}

interface Body {
  readonly folder: string;
  readonly file: string;
  /** The final path, and the temporary path that is used until the body is complete. */
  readonly path: string;
  readonly part: string;
  /** The total size of the answer's earlier bodies; 0 for the first body. */
  readonly bytesBefore: number;
}

export class BodyWriter {
  readonly body: Body;
  readonly #handle: FileHandle;
  #isNamed = false;
  bytes = 0;

  private constructor(body: Body, handle: FileHandle) {
    this.body = body;
    this.#handle = handle;
  }

  static async #create(body: Omit<Body, 'part'>): Promise<BodyWriter> {
    const part = partPath(body.folder, body.file);
    return new BodyWriter({ ...body, part }, await open(part, 'wx', fileMode));
  }

  static async open(folder: string, askedAt: number): Promise<BodyWriter> {
    await mkdir(folder, { recursive: true, mode: folderMode });
    const file = fileName(askedAt);
    return BodyWriter.#create({ folder, file, path: bodyPath(folder, file), bytesBefore: 0 });
  }

  /**
   * Opens page `number` of a stored answer for writing. Pages are numbered from 1. Fails if the answer was removed or
   * if another window loaded more rows, because then the pages on disk aren't exactly the preceding ones.
   */
  static async openPage(folder: string, file: string, number: number): Promise<BodyWriter> {
    await stat(headerPath(folder, file));
    const pages = await pagePaths(folder, file);
    if (pages.length !== number - 1) throw new Error(ANOTHER_PAGE);
    let bytesBefore = 0;
    for (const path of [bodyPath(folder, file), ...pages]) bytesBefore += (await stat(path)).size;
    const path = join(folder, pageName(file, number));
    return BodyWriter.#create({ folder, file, path, bytesBefore });
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, at);
      at += bytesWritten;
    }
    this.bytes += bytes.length;
  }

  async finish(header: KeptHeader): Promise<void> {
    await this.#handle.close();
    await this.#name();
    await writeHeader(this.body.folder, this.body.file, header);
  }

  /** Renames a page's body to its final name. Fails if the answer was removed or another window wrote the page. */
  async finishPage(): Promise<void> {
    const { folder, file, path } = this.body;
    await this.#handle.close();
    await stat(headerPath(folder, file));
    if (await exists(path)) throw new Error(ANOTHER_PAGE);
    await this.#name();
  }

  async #name(): Promise<void> {
    await replaceFile(this.body.part, this.body.path);
    this.#isNamed = true;
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await removeFile(this.body.part);
    // Remove only a page that this writer named, because another window may have written a page with the same name.
    if (this.#isNamed) await removeFile(this.body.path);
  }
}

const ANOTHER_PAGE = 'Other rows were loaded into this result, perhaps in another window.';

function exists(path: string): Promise<boolean> {
  return stat(path).then(Boolean, () => false);
}

function partPath(folder: string, file: string): string {
  return join(folder, `${checked(file)}-${randomUUID().slice(0, 8)}${partEnding}`);
}

async function writeHeader(folder: string, file: string, header: KeptHeader): Promise<void> {
  const part = partPath(folder, file);
  await writeFile(part, stringifyJson(header), { flag: 'wx', mode: fileMode });
  try {
    await replaceFile(part, headerPath(folder, file));
  } catch (error) {
    await removeFile(part);
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Returns a stored answer; undefined if it is missing, incomplete, or not readable by this version. */
export async function keptAnswer(folder: string, file: string): Promise<KeptAnswer | undefined> {
  try {
    const path = headerPath(folder, file);
    const [{ size }, body] = await Promise.all([stat(path), stat(bodyPath(folder, file))]);
    if (size > headerBytesMax) return undefined;
    const header = readHeader(parseJson(await readFile(path, 'utf8')));
    // A body of another size was truncated, for example by a full disk.
    if (header === undefined || header.bodyBytes !== body.size) return undefined;
    const { version: _version, bodyBytes: _bodyBytes, ...rest } = header;
    return { ...rest, file, bytes: size + body.size };
  } catch {
    return undefined;
  }
}

let updating: Promise<unknown> = Promise.resolve();

/** Changes a header after pending changes have finished. Fails if there is no readable header. */
export function updateHeader(
  folder: string,
  file: string,
  change: (header: KeptHeader) => KeptHeader,
): Promise<void> {
  const done = updating.then(async () => {
    const header = readHeader(parseJson(await readFile(headerPath(folder, file), 'utf8')));
    if (header === undefined) throw new Error('The stored answer is of another version.');
    await writeHeader(folder, file, change(header));
  });
  updating = done.catch(() => undefined);
  return done;
}

/** Removes answers with their pages. Headers go first, so that no header is left without its body. */
export async function eraseKept(folder: string, files: readonly string[] | 'all'): Promise<void> {
  if (files !== 'all') {
    for (const file of files) {
      await removeFile(headerPath(folder, file));
      await removePages(await pagePaths(folder, file));
      await removeFile(bodyPath(folder, file));
    }
    return;
  }
  const names = await namesIn(folder);
  // Skip files that this module did not write.
  const own = names.filter((name) => /^\d{15}-[0-9a-f]{8}/.test(name));
  for (const ending of [headerEnding, bodyEnding, partEnding])
    for (const name of own) if (name.endsWith(ending)) await removeFile(join(folder, name));
}

/** Removes stale partial files, then the oldest unpinned answers until the rest fits in `maxBytes`. */
export async function trimKept(folder: string, maxBytes: number, task: LongTask): Promise<void> {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const name of await namesIn(folder)) {
    if (task.due) await task.pause(0, 0);
    const found = /^(\d{15}-[0-9a-f]{8})(.*)$/.exec(name);
    if (found === null) continue;
    const [, file = '', ending = ''] = found;
    const info = await stat(join(folder, name)).catch(() => undefined);
    if (info === undefined) continue;
    if (ending.endsWith(partEnding)) {
      if (Date.now() - info.mtimeMs > staleMilliseconds) await removeFile(join(folder, name));
      continue;
    }
    total += info.size;
    sizes.set(file, (sizes.get(file) ?? 0) + info.size);
  }
  for (const [file, size] of [...sizes].sort(([left], [right]) => (left < right ? -1 : 1))) {
    if (total <= maxBytes) return;
    if (task.due) await task.pause(0, 0);
    const kept = await keptAnswer(folder, file);
    // Keep unreadable answers, because a later version may have written them.
    if (kept === undefined || kept.pinned) continue;
    await eraseKept(folder, [file]);
    total -= size;
  }
}
