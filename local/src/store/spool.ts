/**
 * The folder through which bytes reach DuckDB: the only one whose files statements may read. Files
 * live as long as one request; what a crash left behind goes when the folder is next opened.
 */
import { mkdir, open, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chunks } from '../chunks.ts';

export class Spool {
  readonly folder: string;
  #count = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(folder: string): Promise<Spool> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new Spool(folder);
  }

  /** Writes `parts` to files, lends their paths to `work`, and removes them. */
  async lend<T>(
    parts: readonly (Uint8Array | Chunks)[],
    work: (paths: string[]) => Promise<T>,
  ): Promise<T> {
    const paths = parts.map(() => join(this.folder, `${this.#count++}.part`));
    try {
      await Promise.all(paths.map((path, index) => writeWhole(path, parts[index]!)));
      return await work(paths);
    } finally {
      await Promise.all(paths.map((path) => unlink(path).catch(() => undefined)));
    }
  }
}

async function writeWhole(path: string, part: Uint8Array | Chunks): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const left = part instanceof Uint8Array ? [part] : [...part.list];
    while (left.length > 0) {
      const next = left.splice(0, WRITTEN_AT_ONCE);
      const size = next.reduce((sum, chunk) => sum + chunk.length, 0);
      const { bytesWritten } = await file.writev(next);
      if (bytesWritten < size) left.unshift(Buffer.concat(next).subarray(bytesWritten));
    }
  } finally {
    await file.close();
  }
}

/** Systems take no more pieces in one call. */
const WRITTEN_AT_ONCE = 1_024;
