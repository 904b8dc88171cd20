// One record per document of a resource, by the query of its address: what happens to it between its saves.
import type { Members } from '../../../../resources/src/value.ts';
import type { Profile } from '../../deployments/profiles.ts';

interface DocumentState {
  /** When it last changed, in milliseconds since 1970. */
  time?: number;
  /** The record that was fetched to open it, until its editor reads it. */
  fetched?: Members;
  /** The record to show once VS Code has finished the save; before, VS Code would not read it. */
  afterSave?: Members;
  /** The saved record, until VS Code has finished the save and tabs can be renamed. */
  stored?: { readonly profile: Profile; readonly record: Members };
  /** A draft that was stored, and whose editor is about to be replaced. */
  isCreated?: boolean;
  /** Another document has taken over its changes. */
  isMoved?: boolean;
  /** VS Code is about to save it by itself. */
  isAutomatic?: boolean;
  /** The error of its last save, and whether VS Code has been given it. */
  failure?: { readonly error: unknown; isReported: boolean };
  /** The records that its editor may show, with the texts that it was given for them, the last one first. */
  reads?: readonly { readonly text: string; readonly record: Members }[];
  /** The record that its text is a change of. */
  base?: Members;
  /** The record as another document of this window stored it after the base. */
  own?: Members;
  /** The text and base that a merge replaced: a person who undoes the merge has not seen the other change. */
  unmerged?: { readonly text: string; readonly base: Members | undefined };
}

export class DocumentStates {
  readonly #states = new Map<string, DocumentState>();

  of(key: string): DocumentState {
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state: DocumentState = {};
    this.#states.set(key, state);
    return state;
  }

  /** Takes a value, so that the next call returns undefined. */
  take<Name extends keyof DocumentState>(key: string, name: Name): DocumentState[Name] {
    const state = this.of(key);
    const value = state[name];
    delete state[name];
    return value;
  }

  /** Gives a document a later modification time, and returns it. */
  touch(key: string): number {
    const state = this.of(key);
    state.time = Math.max(Date.now(), (state.time ?? 0) + 1);
    return state.time;
  }
}
