/**
 * Answers on disk: for each one the body as it came, those of the pages that were loaded later, and a small header, in
 * a folder that only this user can read. A header is written last and by rename, so an answer with a header is
 * complete. Names begin with the time, so the oldest are removed first without reading headers.
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
/** Headers are small; a larger file is not one. */
const headerBytesMax = 4 * 1024 * 1024;
/** A part of this age belongs to a process that has ended. */
const staleMilliseconds = 24 * 60 * 60 * 1000;
/** The pattern of file names, which cannot lead out of the folder. */
const namePattern = /^\d{15}-[0-9a-f]{8}$/;

/** The name of an answer's files; later answers have greater names. */
function fileName(askedAt: number): string {
  const time = String(Math.max(0, Math.trunc(askedAt)))
    .padStart(15, '0')
    .slice(-15);
  return `${time}-${randomUUID().slice(0, 8)}`;
}

export function bodyPath(folder: string, file: string): string {
  return join(folder, checked(file) + bodyEnding);
}

/** The name of the body of a page; the first one that was loaded later has the number 1. */
function pageName(file: string, page: number): string {
  return `${checked(file)}-p${page}${bodyEnding}`;
}

/** The bodies of the pages that were loaded later, in their order. */
export async function pagePaths(folder: string, file: string): Promise<string[]> {
  const names = new Set(await namesIn(folder));
  const paths: string[] = [];
  while (names.has(pageName(file, paths.length + 1)))
    paths.push(join(folder, pageName(file, paths.length + 1)));
  return paths;
}

/** Removes pages, the last one first, so that none is missing between others. */
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
  /** The path of the complete body, and the path until then. */
  readonly path: string;
  readonly part: string;
  /** Bytes that the answer takes already, where the body is a further page of it. */
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
   * For a page of a kept answer, from 1. Fails where the answer has been removed, and where the pages on disk are not
   * those ahead of it, such as after another window has loaded more rows of the same answer.
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

  /** Gives the body its name, and then writes the header. */
  async finish(header: KeptHeader): Promise<void> {
    await this.#handle.close();
    await this.#name();
    await writeHeader(this.body.folder, this.body.file, header);
  }

  /** Gives the body of a page its name. Fails where the answer was removed, or the page written by another, meanwhile. */
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
    // A page of that name may be another window's.
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

/** The header of an answer; undefined where there is none that this version can read. */
export async function keptAnswer(folder: string, file: string): Promise<KeptAnswer | undefined> {
  try {
    const path = headerPath(folder, file);
    const [{ size }, body] = await Promise.all([stat(path), stat(bodyPath(folder, file))]);
    if (size > headerBytesMax) return undefined;
    const header = readHeader(parseJson(await readFile(path, 'utf8')));
    // A body of another length is what was left of a full disk.
    if (header === undefined || header.bodyBytes !== body.size) return undefined;
    const { version: _version, bodyBytes: _bodyBytes, ...rest } = header;
    return { ...rest, file, bytes: size + body.size };
  } catch {
    return undefined;
  }
}

let updating: Promise<unknown> = Promise.resolve();

/** Changes a header, after changes that are under way; fails where there is none. */
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

/** Removes answers with their pages; the header first, so that none is left without its body. */
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
  // Nothing but what this module writes.
  const own = names.filter((name) => /^\d{15}-[0-9a-f]{8}/.test(name));
  for (const ending of [headerEnding, bodyEnding, partEnding])
    for (const name of own) if (name.endsWith(ending)) await removeFile(join(folder, name));
}

/** Removes the oldest answers that are not pinned until the rest takes at most `maxBytes`, and stale parts. */
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
    // What this version cannot read may be of a later one.
    if (kept === undefined || kept.pinned) continue;
    await eraseKept(folder, [file]);
    total -= size;
  }
}
