/** Restricts `externaldata` to allowed paths and URLs. Otherwise, any token could read all of the user's files. */
import type { BigIntStats } from 'node:fs';
import {
  constants,
  type FileHandle,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
} from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXTERNAL_BYTES_MAX, EXTERNAL_FETCH_MS_MAX } from './limits.ts';

/** Folders that expose devices and the process's own data. */
const NEVER_ALLOWED = ['/proc', '/sys', '/dev'];

const HOW_TO_ALLOW =
  'Allow a folder or a loopback address with --allow-external, or in the setting aplomb.local.allowExternal.';

export function canBeAllowed(entry: string): boolean {
  const url = parseUrl(entry);
  return isAbsolute(entry) || (url !== undefined && isWeb(url));
}

export class ExternalAccess {
  readonly #folders: readonly string[];
  readonly #addresses: readonly URL[];
  readonly #dataFolder: string;

  /** `allowed` has folders, files and URL prefixes. Files in the data folder are never read. */
  constructor(dataFolder: string, allowed: readonly string[] = []) {
    this.#folders = allowed.filter((entry) => isAbsolute(entry)).map((path) => resolve(path));
    this.#addresses = allowed.filter((entry) => !isAbsolute(entry)).map((entry) => new URL(entry));
    this.#dataFolder = dataFolder;
  }

  /** Reads a file or URL. Throws a system error, or an Error with a clause such as `it has more than 5 MB.` */
  async read(address: string, signal: AbortSignal): Promise<Uint8Array> {
    if (this.#folders.length + this.#addresses.length === 0) {
      throw new Error(`externaldata is off. ${HOW_TO_ALLOW}`);
    }
    const path = pathOf(address);
    if (path !== undefined) return this.#readFile(resolve(path));
    const url = parseUrl(address);
    if (url === undefined || !isWeb(url) || !isLoopback(url.hostname)) {
      throw new Error('it is neither an absolute path nor a loopback address.');
    }
    if (!this.#addresses.some((allowed) => covers(allowed, url))) throw notAllowedError();
    return fetchAddress(url, signal);
  }

  async #readFile(path: string): Promise<Uint8Array> {
    const inside = this.#folders.some((folder) => isWithin(path, folder));
    // On Windows, accessing a network path would send the user's credentials to that host.
    if (!inside && path.startsWith('\\\\')) throw notAllowedError();
    const real = await realpath(path).catch((error: unknown) => {
      // Use the same error for nonexistent paths, so that it doesn't reveal which paths exist.
      throw inside && !NEVER_ALLOWED.some((folder) => isWithin(path, folder))
        ? error
        : notAllowedError();
    });
    if (!(await this.#allows(real))) throw notAllowedError();
    // A blocking open of a named pipe would wait for a writer.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(real, flags);
    try {
      await checkOpened(handle, real);
      if (await this.#isOwn(handle)) throw notAllowedError();
      return await readAll(
        handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES }),
      );
    } finally {
      await handle.close();
    }
  }

  /** Whether a file is in the data folder. A hard link outside the folder may refer to a file inside it. */
  async #isOwn(handle: FileHandle): Promise<boolean> {
    const { dev, ino } = await handle.stat({ bigint: true });
    const names = await readdir(this.#dataFolder, { recursive: true });
    const own = await Promise.all(
      names.map((name) => lstat(join(this.#dataFolder, name), { bigint: true }).catch(() => null)),
    );
    return own.some((stats) => stats?.dev === dev && stats.ino === ino);
  }

  /** Whether `real` may be read. The configured folders may contain symbolic links, but `real` must not. */
  async #allows(real: string): Promise<boolean> {
    if (NEVER_ALLOWED.some((folder) => isWithin(real, folder))) return false;
    if (isWithin(real, await realpath(this.#dataFolder))) return false;
    for (const folder of this.#folders) {
      const allowed = await realpath(folder).catch(() => undefined);
      if (allowed !== undefined && isWithin(real, allowed)) return true;
    }
    return false;
  }
}

function notAllowedError(): Error {
  return new Error(`it is not allowed. ${HOW_TO_ALLOW}`);
}

async function checkOpened(handle: FileHandle, real: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  if (opened.isDirectory()) throw new Error('it is a folder.');
  if (!opened.isFile()) throw new Error('it is not a plain file.');
  // A parent folder may have been replaced with a symbolic link after the check.
  if (!(await isStillAt(real, handle, opened))) throw new Error('it changed while it was read.');
}

async function isStillAt(real: string, handle: FileHandle, opened: BigIntStats): Promise<boolean> {
  const known = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (known !== undefined) return known === real;
  // Only Linux reports the path of an open file. On other systems, check several times, because an attacker who keeps
  // swapping folders is unlikely to pass every check.
  for (let round = 0; round < CHECK_ROUNDS; round += 1) {
    const found = await lstat(real, { bigint: true });
    const same = found.dev === opened.dev && found.ino === opened.ino;
    if (!same || (await realpath(real)) !== real) return false;
  }
  return true;
}

const CHECK_ROUNDS = 8;

/** Joins the chunks. Throws an error for more than `EXTERNAL_BYTES_MAX` bytes. */
async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > EXTERNAL_BYTES_MAX) {
      throw new Error(`it has more than ${EXTERNAL_BYTES_MAX / 1_000_000} MB.`);
    }
    read.push(chunk);
  }
  return Buffer.concat(read);
}

const CHUNK_BYTES = 262_144;

/** Returns the path of a local file, or undefined for a web URL. */
function pathOf(address: string): string | undefined {
  if (isAbsolute(address)) return withoutNul(address);
  const url = parseUrl(address);
  return url?.protocol === 'file:' ? withoutNul(fileURLToPath(url)) : undefined;
}

function withoutNul(path: string): string {
  if (path.includes('\0')) throw new Error('a path has no NUL.');
  return path;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Whether `path` is `folder` or inside it. Both paths must be absolute and normalized. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function covers(allowed: URL, url: URL): boolean {
  if (allowed.origin !== url.origin || url.username !== '' || url.password !== '') return false;
  // A server may decode encoded slashes, so `..` between them could lead out of the allowed folder.
  if (/%2f|%5c/i.test(url.pathname)) return false;
  const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
  return url.pathname === allowed.pathname || url.pathname.startsWith(folder);
}

async function fetchAddress(address: URL, signal: AbortSignal): Promise<Uint8Array> {
  const late = AbortSignal.timeout(EXTERNAL_FETCH_MS_MAX);
  const response = await fetch(address, {
    // A redirect could lead to a forbidden URL.
    redirect: 'error',
    signal: AbortSignal.any([signal, late]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answers with status ${response.status}.`);
  }
  return response.body === null ? new Uint8Array() : readAll(response.body);
}
