// The files whose queries run without a question about a missing limit, stored in the workspace.
import type { Memento } from 'vscode';

const KEY = 'runWithoutLimit';
const FILES_MAX = 200;

export class SilencedFiles {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  has(file: string): boolean {
    return this.#files.includes(file);
  }

  async add(files: readonly string[]): Promise<void> {
    const added = new Set(files);
    const others = this.#files.filter((file) => !added.has(file));
    await this.#memory.update(KEY, [...added, ...others].slice(0, FILES_MAX));
  }

  async forget(file: string): Promise<void> {
    if (!this.has(file)) return;
    await this.#memory.update(
      KEY,
      this.#files.filter((other) => other !== file),
    );
  }

  get #files(): readonly string[] {
    const stored = this.#memory.get<unknown>(KEY);
    return Array.isArray(stored) ? stored.filter((file) => typeof file === 'string') : [];
  }
}
