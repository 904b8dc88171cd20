// Runs that ended early without anybody having seen their report: the window was closed or reloaded meanwhile.
import type { Memento } from 'vscode';

const KEY = 'ingest.seenRuns';

/** The runs whose report was shown, by their journals. */
export class SeenRuns {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  has(path: string): boolean {
    return this.#paths.includes(path);
  }

  /** Only runs that exist are remembered. */
  async add(path: string, existing: readonly string[]): Promise<void> {
    const kept = this.#paths.filter((one) => existing.includes(one));
    await this.#memory.update(KEY, [...new Set([...kept, path])]);
  }

  get #paths(): readonly string[] {
    const stored = this.#memory.get<unknown>(KEY);
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : [];
  }
}
