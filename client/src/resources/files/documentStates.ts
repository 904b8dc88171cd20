// The state of each resource document between its saves, by the query of its URI.
import type { Members } from '../../../../resources/src/value.ts';
import type { Profile } from '../../deployments/profiles.ts';

interface DocumentState {
  /** The modification time, in milliseconds since 1970. */
  time?: number;
  /** The record that was fetched to open the document, until its editor reads it. */
  fetched?: Members;
  /** The record to show after the save. During the save, VS Code would not read it. */
  afterSave?: Members;
  /** The saved record, until VS Code has finished the save and tabs can be renamed. */
  stored?: { readonly profile: Profile; readonly record: Members };
  /** Whether the document is a stored draft, whose editor will be replaced. */
  isCreated?: boolean;
  /** Whether another document has received the changes. */
  isMoved?: boolean;
  /** Whether VS Code is saving the document automatically. */
  isAutomatic?: boolean;
  /** The error of the last save, and whether VS Code has received it. */
  failure?: { readonly error: unknown; isReported: boolean };
  /** The records that the editor may show, with their texts, latest first. */
  reads?: readonly { readonly text: string; readonly record: Members }[];
  /** The record that the text is based on. */
  base?: Members;
  /** The record that another document of this window stored after the base. */
  own?: Members;
  /** The text and base before a merge. Undo restores both, because the person then doesn't see the other change. */
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

  /** Returns a value and removes it. */
  take<Name extends keyof DocumentState>(key: string, name: Name): DocumentState[Name] {
    const state = this.of(key);
    const value = state[name];
    delete state[name];
    return value;
  }

  /** Increases a document's modification time, and returns it. */
  touch(key: string): number {
    const state = this.of(key);
    state.time = Math.max(Date.now(), (state.time ?? 0) + 1);
    return state.time;
  }
}
