/**
 * Manages the only folder from which statements may read files. Later files overwrite released files, because
 * allocating new pages for each file took two fifths of the kernel's time during a large ingest. The leftovers of a
 * crash are deleted once the database is open, because no other process can then be using the folder.
 */
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  unlink,
} from 'node:fs/promises';
import { join } from 'node:path';

export class Spool {
  readonly folder: string;
  #count = 0;
  readonly #released: string[] = [];
  #lent = 0;
  #idle: NodeJS.Timeout | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(folder: string): Promise<Spool> {
    const found = await lstat(folder).catch(() => undefined);
    // Replace a file or link with a folder. A link's target isn't part of the deployment, so it must not be emptied.
    if (found?.isDirectory() === false) await rm(folder);
    await makeFolder(folder);
    return new Spool(folder);
  }

  /** Deletes the leftovers of a crash. Call this when the database is open, but before any file is lent. */
  async removeLeftovers(): Promise<void> {
    const names = await readdir(this.folder);
    const remove = (name: string) => rm(join(this.folder, name), { recursive: true, force: true });
    await Promise.all(names.map(remove));
  }

  /** Writes each of `parts` to a file, passes the file paths to `work`, and releases the files afterwards. */
  async withFiles<T>(
    parts: readonly Uint8Array[],
    work: (paths: string[]) => Promise<T>,
  ): Promise<T> {
    const files: SpoolFile[] = [];
    try {
      for (const part of parts) {
        const file = await this.file();
        files.push(file);
        await file.append([part]);
        await file.end();
      }
      return await work(files.map(({ path }) => path));
    } finally {
      await Promise.all(files.map((file) => file.release()));
    }
  }

  /** Returns an empty file, which the caller must release. */
  async file(): Promise<SpoolFile> {
    clearTimeout(this.#idle);
    this.#lent += 1;
    try {
      const { path, handle } = await this.#open();
      return new SpoolFile(path, handle, (length) => this.#reclaim(path, length));
    } catch (error) {
      this.#lent -= 1;
      throw error;
    }
  }

  async #open() {
    const released = this.#released.pop();
    if (released !== undefined) {
      try {
        return { path: released, handle: await open(released, 'r+') };
      } catch {
        // Create a new file, because another program, such as a virus scanner, has opened or removed this one.
        await unlink(released).catch(() => undefined);
      }
    }
    const path = join(this.folder, `${this.#count++}.part`);
    const create = () => open(path, 'wx+', 0o600);
    const handle = await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      // Recreate the folder if another program, such as a cleanup tool, has removed it.
      await makeFolder(this.folder);
      return create();
    });
    return { path, handle };
  }

  async clear(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all(this.#released.splice(0).map((path) => unlink(path).catch(() => undefined)));
  }

  async #reclaim(path: string, length: number): Promise<void> {
    this.#lent -= 1;
    if (length > REUSED_BYTES_MAX) await unlink(path).catch(() => undefined);
    else this.#released.push(path);
    if (this.#lent > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.clear(), UNUSED_MS_MAX);
    this.#idle.unref();
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** The maximum size of a file to reuse. Larger files are rare, so they are deleted. */
const REUSED_BYTES_MAX = 16 * 1_048_576;

const UNUSED_MS_MAX = 2_000;

export class SpoolFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #reclaim: (length: number) => Promise<void>;
  #length = 0;
  #open = true;

  constructor(path: string, handle: FileHandle, reclaim: (length: number) => Promise<void>) {
    this.path = path;
    this.#handle = handle;
    this.#reclaim = reclaim;
  }

  async append(pieces: readonly Uint8Array[]): Promise<void> {
    for (let at = 0; at < pieces.length; at += WRITEV_PIECES_MAX) {
      let remaining: readonly Uint8Array[] = pieces.slice(at, at + WRITEV_PIECES_MAX);
      while (remaining.length > 0) {
        const { bytesWritten } = await this.#handle.writev(remaining, this.#length);
        this.#length += bytesWritten;
        remaining = skipWritten(remaining, bytesWritten);
      }
    }
  }

  /** Ends writing and closes the file, so that it can be read. */
  async end(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      // Truncate the file, because a reused file may have had longer contents.
      await this.#handle.truncate(this.#length);
    } finally {
      await this.#handle.close();
    }
  }

  async read(): Promise<Buffer> {
    await this.end();
    return readFile(this.path);
  }

  /** Releases the file. Afterwards it must not be read, because it will be overwritten or deleted. */
  async release(): Promise<void> {
    await this.end().catch(() => undefined);
    await this.#reclaim(this.#length);
  }
}

function skipWritten(pieces: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let skipped = 0;
  for (const [index, piece] of pieces.entries()) {
    if (skipped + piece.length > written) {
      return [piece.subarray(written - skipped), ...pieces.slice(index + 1)];
    }
    skipped += piece.length;
  }
  return [];
}

/** The maximum number of buffers per writev call on any system. */
const WRITEV_PIECES_MAX = 1_024;
