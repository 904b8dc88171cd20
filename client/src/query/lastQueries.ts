// The queries of the latest command, kept over a reload of the window. They are stored as lossless JSON, since
// the values of parameters may be integers beyond 2^53.
import type { Memento } from 'vscode';
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { TabQuery } from '../answers/tabs.ts';
import { type Query, queryOf, tabQuery } from './query.ts';

const KEY = 'lastQueries';

/** Longer ones are forgotten with the window: the storage of a workspace is read at every start. */
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
    // Written by another version, or by hand.
    return [];
  }
}
