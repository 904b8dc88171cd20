// The text typed for query parameters, by file and parameter name, stored in the workspace.
import type { Memento } from 'vscode';

const KEY = 'queryParameters';
const FILES_MAX = 200;
const FILE_CHARACTERS_MAX = 20_000;

/** Typed text by parameter name; null if the declared default is used. */
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

  /** Adds texts to the stored texts of the file's other parameters. */
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
