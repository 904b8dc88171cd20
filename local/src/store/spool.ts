/**
 * The folder through which bytes reach DuckDB: the only one whose files statements may read. Files
 * live as long as one request; what a crash left behind goes when the folder is next opened.
 */
import { mkdir, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
  async lend<T>(parts: readonly Uint8Array[], work: (paths: string[]) => Promise<T>): Promise<T> {
    const paths = parts.map(() => join(this.folder, `${this.#count++}.part`));
    try {
      await Promise.all(
        paths.map((path, index) => writeFile(path, parts[index]!, { mode: 0o600 })),
      );
      return await work(paths);
    } finally {
      await Promise.all(paths.map((path) => unlink(path).catch(() => undefined)));
    }
  }
}
