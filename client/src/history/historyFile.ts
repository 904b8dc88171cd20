// The history file: one entry per line, oldest first. Windows write under a lock. Invalid lines are skipped.
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readText, removeFile, writeAtomically } from '../../../system/src/replace.ts';
import { type IsHeld, withLock } from '../host/fileLock.ts';
import { entryLine, type HistoryEntry, readEntry } from './entry.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const NEWLINE = 10;

export class HistoryFile {
  readonly #path: string;
  #writes: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<HistoryEntry[]> {
    await this.#writes;
    return this.#read();
  }

  append(entry: HistoryEntry): Promise<void> {
    return this.#inTurn(() => this.#append(entry));
  }

  /** Rewrites the file with the entries returned by `keep`, which also receives other windows' entries. */
  rewrite(keep: (entries: HistoryEntry[]) => readonly HistoryEntry[]): Promise<void> {
    return this.#inTurn(async (isHeld) => {
      const text = keep(await this.#read())
        .map(entryLine)
        .join('');
      // Check whether the lock is still held: another process may have taken it over while the computer slept.
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

  /** Appends an entry. Starts a new line if a killed process left an incomplete one. */
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

  /** Runs work under the lock, after this window's earlier work has settled. */
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
