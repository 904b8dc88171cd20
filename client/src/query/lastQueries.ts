// The latest command's queries, which survive a window reload. They are stored as lossless JSON, because parameters may
// be integers beyond 2^53.
import type { Memento } from 'vscode';
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { TabQuery } from '../answers/tabs.ts';
import { type Query, queryOf, tabQuery } from './query.ts';

const KEY = 'lastQueries';

/** The maximum length of stored queries, because VS Code reads the workspace's storage at every start. */
const STORED_CHARACTERS_MAX = 200_000;

export class LastQueries {
  readonly #memory: Memento;
  #value: readonly Query[];

  constructor(memory: Memento) {
    this.#memory = memory;
    this.#value = restored(memory.get<unknown>(KEY));
  }

  get value(): readonly Query[] {
    return this.#value;
  }

  set(queries: readonly Query[]): void {
    this.#value = queries;
    const text = stringifyJson(queries.map(tabQuery));
    void this.#memory.update(KEY, text.length > STORED_CHARACTERS_MAX ? undefined : text);
  }
}

function restored(stored: unknown): readonly Query[] {
  if (typeof stored !== 'string') return [];
  try {
    return (parseJson(stored) as TabQuery[]).map(queryOf);
  } catch {
    // Ignore invalid text, which another version or a user may have written.
    return [];
  }
}
