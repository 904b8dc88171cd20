/**
 * The queries that were run, newest first, bounded in number and kept over windows. Nothing here needs a view.
 * With a size of 0 nothing is recorded; what was recorded before stays until it is erased.
 */
import type { HistoryEntry } from './entry.ts';
import type { HistoryFile } from './historyFile.ts';

/** A query longer than this is not recorded: the file is read at once. */
const QUERY_CHARACTERS_MAX = 100_000;

export class History {
  readonly #file: HistoryFile;
  readonly #size: () => number;
  readonly #listeners = new Set<() => void>();
  /** Entries appended since the file was last cut to its size. */
  #appended = Number.POSITIVE_INFINITY;

  /** `size` is how many entries are kept. */
  constructor(file: HistoryFile, size: () => number) {
    this.#file = file;
    this.#size = size;
  }

  /** The entries, newest first, with those of other windows. */
  async entries(): Promise<readonly HistoryEntry[]> {
    const entries = await this.#file.read();
    return entries.slice(-Math.max(1, this.#size())).reverse();
  }

  /** Records a run, unless the history is off. */
  async add(entry: HistoryEntry): Promise<void> {
    const size = this.#size();
    if (size === 0 || entry.query.length > QUERY_CHARACTERS_MAX) return;
    await this.#file.append(entry);
    this.#appended += 1;
    // Rewritten now and then, not for every query.
    if (this.#appended > size / 4) {
      await this.#file.rewrite((entries) => entries.slice(-size));
      this.#appended = 0;
    }
    this.#changed();
  }

  async remove(id: string): Promise<void> {
    await this.#file.rewrite((entries) => entries.filter((entry) => entry.id !== id));
    this.#changed();
  }

  async erase(): Promise<void> {
    await this.#file.erase();
    this.#changed();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
