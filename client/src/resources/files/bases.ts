// The merge base of each open document: the record that its editor showed before the first unsaved change. Bases of
// changed documents are stored across reloads, because VS Code only restores their text.
import type * as vscode from 'vscode';
import { parseJson, stringifyJson } from '../../../../api/src/plain.ts';
import { isMembers, type Members } from '../../../../resources/src/value.ts';
import { DocumentStates } from './documentStates.ts';

const MEMORY_KEY = 'resourceBases';
/** The maximum number of records per document. The editor shows one of them. */
const READS_MAX = 4;

export class Bases {
  readonly #memory: vscode.Memento;
  readonly #states: DocumentStates;

  constructor(memory: vscode.Memento, states = new DocumentStates()) {
    this.#memory = memory;
    this.#states = states;
  }

  /** Stores the record whose text an editor receives. */
  read(key: string, text: string, record: Members): void {
    const state = this.#states.of(key);
    const others = (state.reads ?? []).filter((read) => read.text !== text);
    state.reads = [{ text, record }, ...others].slice(0, READS_MAX);
  }

  get(key: string): Members | undefined {
    const { base } = this.#states.of(key);
    if (base) return base;
    const kept = this.#kept()[key];
    const record = kept === undefined ? undefined : parseJson(kept);
    return isMembers(record) ? record : undefined;
  }

  set(key: string, record: Members): void {
    const state = this.#states.of(key);
    state.base = record;
    delete state.own;
  }

  /** Called when a merge replaced `text` with changes to `record`. */
  merged(key: string, text: string, record: Members): void {
    this.#states.of(key).unmerged = { text, base: this.get(key) };
    this.set(key, record);
  }

  /** Called when Undo restored `text`. If a merge had replaced it, restores the previous base. */
  undone(key: string, text: string): void {
    const state = this.#states.of(key);
    const { unmerged } = state;
    if (unmerged?.text !== text) return;
    delete state.unmerged;
    if (unmerged.base) this.set(key, unmerged.base);
    else delete state.base;
    this.#keep(key, unmerged.base && stringifyJson(unmerged.base));
  }

  /** Called when the editor shows `text` without changes. */
  clean(key: string, text: string): void {
    const state = this.#states.of(key);
    delete state.unmerged;
    const read = state.reads?.find((one) => one.text === text);
    if (read) this.set(key, read.record);
    this.#keep(key, undefined);
  }

  dirty(key: string): void {
    const { base } = this.#states.of(key);
    if (base) this.#keep(key, stringifyJson(base));
  }

  closed(key: string): void {
    const state = this.#states.of(key);
    delete state.reads;
    delete state.base;
    delete state.own;
    delete state.unmerged;
    this.#keep(key, undefined);
  }

  #kept(): Readonly<Record<string, string>> {
    return this.#memory.get<Readonly<Record<string, string>>>(MEMORY_KEY, {});
  }

  #keep(key: string, text: string | undefined): void {
    const { [key]: before, ...others } = this.#kept();
    if (before === text) return;
    const next = text === undefined ? others : { ...others, [key]: text };
    void this.#memory.update(MEMORY_KEY, next);
  }
}
