// The state of each resource document, kept between saves, by the query of its URI.
import type { Members } from '../../../../resources/src/value.ts';
import type { Profile } from '../../deployments/profiles.ts';

interface DocumentState {
  /** The document's modification time in milliseconds since 1970. */
  time?: number;
  /** The record that was fetched to open the document, until its editor reads it. */
  fetched?: Members;
  /** The record to show after the save. VS Code doesn't read it during the save. */
  afterSave?: Members;
  /** The saved record, until VS Code has finished the save and tabs can be renamed. */
  stored?: { readonly profile: Profile; readonly record: Members };
  /** Whether the document is a draft that was stored, so that its editor is about to be replaced. */
  isCreated?: boolean;
  /** Whether another document has taken over the changes. */
  isMoved?: boolean;
  /** Whether VS Code is saving the document automatically. */
  isAutomatic?: boolean;
  /** The last save's error, and whether VS Code has received the error. */
  failure?: { readonly error: unknown; isReported: boolean };
  /** The records that the editor may show, each with its document text, latest first. */
  reads?: readonly { readonly text: string; readonly record: Members }[];
  /** The merge base: the record that the text is based on. */
  base?: Members;
  /** The record that another document in this window stored after the merge base. */
  own?: Members;
  /** The text and the base before a merge. Undo restores both, because the text then lacks the other user's change. */
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

  take<Name extends keyof DocumentState>(key: string, name: Name): DocumentState[Name] {
    const state = this.of(key);
    const value = state[name];
    delete state[name];
    return value;
  }

  touch(key: string): number {
    const state = this.of(key);
    state.time = Math.max(Date.now(), (state.time ?? 0) + 1);
    return state.time;
  }
}
