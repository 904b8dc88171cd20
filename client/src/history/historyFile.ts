/**
 * The history's file: one entry per line, oldest first. All windows write to the same file, under a lock, so that
 * none rewrites it without what another has just appended. A line that cannot be read is passed over when the
 * file is read, and left out when it is rewritten.
 */
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readText, removeFile, writeAtomically } from '../../../system/src/replace.ts';
import { entryLine, type HistoryEntry, readEntry } from './entry.ts';
import { type IsHeld, withLock } from './fileLock.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const NEWLINE = 10;

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
    return this.#inTurn(() => this.#append(entry));
  }

  /** Rewrites the file with the entries that `keep` returns, which gets those of other windows too. */
  rewrite(keep: (entries: HistoryEntry[]) => readonly HistoryEntry[]): Promise<void> {
    return this.#inTurn(async (isHeld) => {
      const text = keep(await this.#read())
        .map(entryLine)
        .join('');
      // A machine that slept in between has lost the lock, and with it the right to replace the file.
      const check = async () => {
        if (!(await isHeld())) throw new Error('The history was changed by another window.');
      };
      await writeAtomically(this.#path, text, { mode: FILE_MODE, check });
    });
  }

  erase(): Promise<void> {
    return this.#inTurn(() => removeFile(this.#path));
  }

  async #read(): Promise<HistoryEntry[]> {
    let text: string;
    try {
      text = await readText(this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return text.split('\n').flatMap((line) => (line === '' ? [] : (readEntry(line) ?? [])));
  }

  /** A line that another process has not ended, since it was killed, must not take this one with it. */
  async #append(entry: HistoryEntry): Promise<void> {
    const file = await open(this.#path, 'a+', FILE_MODE);
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
      const isEnded = size === 0 || buffer[0] === NEWLINE;
      await file.appendFile(`${isEnded ? '' : '\n'}${entryLine(entry)}`);
    } finally {
      await file.close();
    }
  }

  /** Runs under the lock, after what was asked before, whether or not that failed. */
  #inTurn<T>(work: (isHeld: IsHeld) => Promise<T>): Promise<T> {
    const locked = async () => {
      await mkdir(dirname(this.#path), { recursive: true, mode: FOLDER_MODE });
      return withLock(`${this.#path}.lock`, work);
    };
    const done = this.#writes.then(locked, locked);
    this.#writes = done.catch(() => undefined);
    return done;
  }
}
