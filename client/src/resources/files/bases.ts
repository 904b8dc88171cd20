// What each open document was made of: the record whose text the editor had when it was last without changes. It
// outlives the window for documents with changes, since VS Code brings those back with their text alone.
import type * as vscode from 'vscode';
import { parseJson, stringifyJson } from '../../../../api/src/plain.ts';
import { isMembers, type Members } from '../../../../resources/src/value.ts';

const MEMORY_KEY = 'resourceBases';
/** Records that were read of one document lately. An editor shows one of them. */
const READS_MAX = 4;

interface Read {
  readonly text: string;
  readonly record: Members;
}

export class Bases {
  readonly #memory: vscode.Memento;
  readonly #reads = new Map<string, readonly Read[]>();
  readonly #bases = new Map<string, Members>();

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The text was made of the record, and given to an editor. */
  read(key: string, text: string, record: Members): void {
    const others = (this.#reads.get(key) ?? []).filter((read) => read.text !== text);
    this.#reads.set(key, [{ text, record }, ...others].slice(0, READS_MAX));
  }

  get(key: string): Members | undefined {
    const held = this.#bases.get(key);
    if (held) return held;
    const kept = this.#kept()[key];
    const record = kept === undefined ? undefined : parseJson(kept);
    return isMembers(record) ? record : undefined;
  }

  set(key: string, record: Members): void {
    this.#bases.set(key, record);
  }

  /** The editor has no changes, and this text. */
  clean(key: string, text: string): void {
    const read = this.#reads.get(key)?.find((one) => one.text === text);
    if (read) this.#bases.set(key, read.record);
    this.#keep(key, undefined);
  }

  /** The editor has changes. */
  dirty(key: string): void {
    const base = this.#bases.get(key);
    if (base) this.#keep(key, stringifyJson(base));
  }

  closed(key: string): void {
    this.#reads.delete(key);
    this.#bases.delete(key);
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
