/**
 * The folder through which bytes reach DuckDB: the only one whose files statements may read. A file that
 * is done with is written over by the next: new pages for each were two fifths of what the kernel did in a
 * large ingest. What a crash left is deleted once the database is open, so that no other process uses the folder.
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
  /** Files that nobody reads any more, to be written over. */
  readonly #done: string[] = [];
  #lent = 0;
  #idle: NodeJS.Timeout | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(folder: string): Promise<Spool> {
    const found = await lstat(folder).catch(() => undefined);
    // What a link leads to is not the deployment's to empty.
    if (found?.isDirectory() === false) await rm(folder);
    await makeFolder(folder);
    return new Spool(folder);
  }

  /** Removes what is in the folder; only for whoever has the database open, before any file is lent. */
  async removeLeftovers(): Promise<void> {
    const names = await readdir(this.folder);
    const remove = (name: string) => rm(join(this.folder, name), { recursive: true, force: true });
    await Promise.all(names.map(remove));
  }

  /** Writes `parts` to files, lends their paths to `work`, and takes them back. */
  async lend<T>(parts: readonly Uint8Array[], work: (paths: string[]) => Promise<T>): Promise<T> {
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

  /** An empty file to write to; whoever asks releases it. */
  async file(): Promise<SpoolFile> {
    clearTimeout(this.#idle);
    this.#lent += 1;
    try {
      const { path, handle } = await this.#open();
      return new SpoolFile(path, handle, (length) => this.#takeBack(path, length));
    } catch (error) {
      this.#lent -= 1;
      throw error;
    }
  }

  async #open() {
    const done = this.#done.pop();
    if (done !== undefined) {
      try {
        return { path: done, handle: await open(done, 'r+') };
      } catch {
        // Somebody else has it, such as a scanner for viruses, or took it away: then it is a new one.
        await unlink(done).catch(() => undefined);
      }
    }
    const path = join(this.folder, `${this.#count++}.part`);
    const create = () => open(path, 'wx+', 0o600);
    const handle = await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      // Somebody removed the folder, such as a program that cleans up.
      await makeFolder(this.folder);
      return create();
    });
    return { path, handle };
  }

  /** Takes away the files that nobody reads. */
  async clear(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all(this.#done.splice(0).map((path) => unlink(path).catch(() => undefined)));
  }

  async #takeBack(path: string, length: number): Promise<void> {
    this.#lent -= 1;
    if (length > KEPT_BYTES_MAX) await unlink(path).catch(() => undefined);
    else this.#done.push(path);
    if (this.#lent > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.clear(), KEPT_MS);
    this.#idle.unref();
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Larger files are rare, and are not kept to be written over. */
const KEPT_BYTES_MAX = 16 * 1_048_576;

/** How long files are kept that nobody asks for. */
const KEPT_MS = 2_000;

export class SpoolFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #takeBack: (length: number) => Promise<void>;
  #length = 0;
  #open = true;

  constructor(path: string, handle: FileHandle, takeBack: (length: number) => Promise<void>) {
    this.path = path;
    this.#handle = handle;
    this.#takeBack = takeBack;
  }

  async append(pieces: readonly Uint8Array[]): Promise<void> {
    for (let at = 0; at < pieces.length; at += WRITTEN_AT_ONCE) {
      let left: readonly Uint8Array[] = pieces.slice(at, at + WRITTEN_AT_ONCE);
      while (left.length > 0) {
        const { bytesWritten } = await this.#handle.writev(left, this.#length);
        this.#length += bytesWritten;
        left = after(left, bytesWritten);
      }
    }
  }

  /** Nothing more comes: the file can be read. */
  async end(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      // What it held before may have been longer.
      await this.#handle.truncate(this.#length);
    } finally {
      await this.#handle.close();
    }
  }

  /** Ends the file and reads it: before its end, it may still have what it held before. */
  async read(): Promise<Buffer> {
    await this.end();
    return readFile(this.path);
  }

  /** Gives the file back. Nobody may read it any more, since it is written over. */
  async release(): Promise<void> {
    await this.end().catch(() => undefined);
    await this.#takeBack(this.#length);
  }
}

// What is left of `pieces` when the system took no more than `written` bytes of them.
function after(pieces: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let skipped = 0;
  for (const [index, piece] of pieces.entries()) {
    if (skipped + piece.length > written) {
      return [piece.subarray(written - skipped), ...pieces.slice(index + 1)];
    }
    skipped += piece.length;
  }
  return [];
}

/** Systems take no more pieces in one call. */
const WRITTEN_AT_ONCE = 1_024;
