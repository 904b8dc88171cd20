// What was typed for the parameters of queries, by file and by name, kept with the workspace.
import type { Memento } from 'vscode';

const KEY = 'queryParameters';
const FILES_MAX = 200;
const FILE_CHARACTERS_MAX = 20_000;

/** What was typed, by the name of the parameter; null for the default that the query declares. */
type TypedTexts = Readonly<Record<string, string | null>>;

export class ParameterMemory {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  get(file: string): ReadonlyMap<string, string | null> {
    const texts = this.#files.find(([name]) => name === file)?.[1] ?? {};
    return new Map(Object.entries(texts));
  }

  /** Keeps texts in addition to those of other parameters of the file. */
  async set(file: string, texts: ReadonlyMap<string, string | null>): Promise<void> {
    const kept = new Map([...this.get(file), ...texts]);
    const entry = [file, Object.fromEntries(kept)] as const;
    const others = this.#files.filter(([name]) => name !== file);
    const small = JSON.stringify(entry).length <= FILE_CHARACTERS_MAX;
    await this.#memory.update(KEY, small ? [entry, ...others].slice(0, FILES_MAX) : others);
  }

  async forget(file: string): Promise<void> {
    const others = this.#files.filter(([name]) => name !== file);
    if (others.length < this.#files.length) await this.#memory.update(KEY, others);
  }

  get #files(): readonly (readonly [string, TypedTexts])[] {
    const stored = this.#memory.get<unknown>(KEY);
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  }
}

function isEntry(stored: unknown): stored is readonly [string, TypedTexts] {
  if (!Array.isArray(stored)) return false;
  const [file, texts] = stored;
  if (typeof file !== 'string' || typeof texts !== 'object' || texts === null) return false;
  return Object.values(texts).every((text) => text === null || typeof text === 'string');
}
