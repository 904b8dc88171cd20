/**
 * The history's file: one entry per line, oldest first. All windows append to the same file. A line that cannot
 * be read is passed over when the file is read, and kept out when it is written again.
 */
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { entryLine, type HistoryEntry, readEntry } from './entry.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export class HistoryFile {
  readonly #path: string;
  #writes: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** All entries, oldest first; none where there is no file. Rejects where the file cannot be read. */
  async read(): Promise<HistoryEntry[]> {
    await this.#writes;
    return this.#read();
  }

  append(entry: HistoryEntry): Promise<void> {
    return this.#inTurn(async () => {
      await mkdir(dirname(this.#path), { recursive: true, mode: FOLDER_MODE });
      await appendFile(this.#path, entryLine(entry), { mode: FILE_MODE });
    });
  }

  /** Rewrites the file with the entries that `keep` returns, which gets those of other windows too. */
  rewrite(keep: (entries: HistoryEntry[]) => readonly HistoryEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      const text = keep(await this.#read())
        .map(entryLine)
        .join('');
      const temporary = `${this.#path}.${process.pid}.tmp`;
      try {
        await mkdir(dirname(this.#path), { recursive: true, mode: FOLDER_MODE });
        await writeFile(temporary, text, { mode: FILE_MODE });
        await rename(temporary, this.#path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    });
  }

  erase(): Promise<void> {
    return this.#inTurn(() => rm(this.#path, { force: true }));
  }

  async #read(): Promise<HistoryEntry[]> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return text.split('\n').flatMap((line) => (line === '' ? [] : (readEntry(line) ?? [])));
  }

  /** Runs after what was asked before, whether or not that failed. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writes.then(work, work);
    this.#writes = done.catch(() => undefined);
    return done;
  }
}
