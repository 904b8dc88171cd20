// One record per document of a resource: what happens to it between its saves.
import type * as vscode from 'vscode';
import type { Members } from '../../../../resources/src/value.ts';
import type { Profile } from '../../deployments/profiles.ts';

export interface DocumentState {
  /** When it last changed, in milliseconds since 1970. */
  time?: number;
  /** The record that was fetched to open it, until its editor reads it. */
  fetched?: Members | undefined;
  /** The record to show once VS Code has finished the save; before, VS Code would not read it. */
  afterSave?: Members | undefined;
  /** What its save has stored, until VS Code has finished the save and tabs can be renamed. */
  stored?: { readonly profile: Profile; readonly record: Members };
  /** A draft that was stored, and whose editor is about to be replaced. */
  isCreated?: boolean;
  /** Another document has taken over its changes. */
  isMoved?: boolean;
  /** VS Code is about to save it by itself. */
  isAutomatic?: boolean;
}

export class DocumentStates {
  readonly #states = new Map<string, DocumentState>();

  of({ query }: vscode.Uri): DocumentState {
    const known = this.#states.get(query);
    if (known !== undefined) return known;
    const state: DocumentState = {};
    this.#states.set(query, state);
    return state;
  }

  /** Takes a value, so that the next call gives undefined. */
  take<Name extends keyof DocumentState>(uri: vscode.Uri, name: Name): DocumentState[Name] {
    const state = this.of(uri);
    const value = state[name];
    delete state[name];
    return value;
  }
}
