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
  /** Records as other documents of this window stored them after the base. */
  readonly #own = new Map<string, Members>();
  /** Texts that a merge replaced. A person who takes the merge back has not seen what it was to bring. */
  readonly #unmerged = new Map<
    string,
    { readonly text: string; readonly base: Members | undefined }
  >();

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
    this.#own.delete(key);
  }

  /** The record as another document of this window stored it after the base; undefined if none did. */
  own(key: string): Members | undefined {
    return this.#own.get(key);
  }

  /** Another document of this window has stored the record while the editor has changes. */
  storedHere(key: string, record: Members): void {
    this.#own.set(key, record);
  }

  /** A merge replaces `text` by one that is a change of `record`. */
  merged(key: string, text: string, record: Members): void {
    this.#unmerged.set(key, { text, base: this.get(key) });
    this.set(key, record);
  }

  /** Undo has brought back `text`. If a merge had replaced it, it is a change of the former record again. */
  undone(key: string, text: string): void {
    const unmerged = this.#unmerged.get(key);
    if (unmerged?.text !== text) return;
    this.#unmerged.delete(key);
    if (unmerged.base) this.set(key, unmerged.base);
    else this.#bases.delete(key);
    this.#keep(key, unmerged.base && stringifyJson(unmerged.base));
  }

  /** The editor has no changes, and this text. */
  clean(key: string, text: string): void {
    this.#unmerged.delete(key);
    const read = this.#reads.get(key)?.find((one) => one.text === text);
    if (read) this.set(key, read.record);
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
    this.#own.delete(key);
    this.#unmerged.delete(key);
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
