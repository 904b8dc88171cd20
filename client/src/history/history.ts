// The history of runs, newest first, shared by all windows. A size of 0 stops recording, but keeps earlier entries.

import { Emitter } from '../host/emitter.ts';
import type { HistoryEntry } from './entry.ts';
import type { HistoryFile } from './historyFile.ts';

/** The maximum length of recorded queries, because the whole history file is read into memory. */
const QUERY_CHARACTERS_MAX = 100_000;

export class History {
  readonly #file: HistoryFile;
  readonly #size: () => number;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;
  /** The number of entries appended since the last trim. Initially infinite, so that the first entry trims the file. */
  #appended = Number.POSITIVE_INFINITY;

  constructor(file: HistoryFile, size: () => number) {
    this.#file = file;
    this.#size = size;
  }

  async entries(): Promise<readonly HistoryEntry[]> {
    const entries = await this.#file.read();
    return entries.slice(-Math.max(1, this.#size())).reverse();
  }

  async add(entry: HistoryEntry): Promise<void> {
    const size = this.#size();
    if (size === 0 || entry.query.length > QUERY_CHARACTERS_MAX) return;
    await this.#file.append(entry);
    this.#appended += 1;
    // Trim the file only occasionally, because a trim rewrites it.
    if (this.#appended > size / 4) {
      await this.#file.rewrite((entries) => entries.slice(-size));
      this.#appended = 0;
    }
    this.#changed.fire();
  }

  async remove(id: string): Promise<void> {
    await this.#file.rewrite((entries) => entries.filter((entry) => entry.id !== id));
    this.#changed.fire();
  }

  async erase(): Promise<void> {
    await this.#file.erase();
    this.#changed.fire();
  }
}
