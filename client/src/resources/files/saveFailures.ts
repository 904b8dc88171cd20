// Errors of saves, until VS Code has shown them. When a write fails, VS Code shows the address of the document with
// the error. It asks for the state of the file right after a write, and shows the error alone if that fails instead.

import * as vscode from 'vscode';
import { showErrorMessage } from '../../ui/notifications.ts';
import { errorMessage } from '../../words/errors.ts';
import type { DocumentStates } from './documentStates.ts';
import { keepChanged } from './editors.ts';

/** The person answered Cancel: the document stays changed, and nothing is reported. */
export class SaveCancelled extends Error {
  constructor() {
    super('The save was cancelled.');
  }
}

export class SaveFailures {
  readonly #states: DocumentStates;

  constructor(states: DocumentStates) {
    this.#states = states;
  }

  /**
   * Runs a write. The error is kept for the request that follows if this is the save of an editor. Other callers make
   * no such request, so they get the error at once.
   */
  async writing(uri: vscode.Uri, content: Uint8Array, write: () => Promise<void>): Promise<void> {
    const isOfEditor = isTextOfEditor(uri.toString(), content);
    const state = this.#states.of(uri.query);
    delete state.failure;
    try {
      await write();
    } catch (error) {
      if (!isOfEditor) throw error;
      state.failure = { error, isReported: false };
    }
  }

  /** Throws the error of the last save of a document, once: a revert asks for the state as well. */
  throwOnce({ query }: vscode.Uri): void {
    const { failure } = this.#states.of(query);
    if (failure === undefined || failure.isReported || failure.error instanceof SaveCancelled) {
      return;
    }
    failure.isReported = true;
    throw failure.error;
  }

  /**
   * Called when VS Code takes a document for saved. If its save failed, keeps its changes, and shows the error unless
   * a person has cancelled.
   */
  async saved(document: vscode.TextDocument): Promise<void> {
    const failure = this.#states.take(document.uri.query, 'failure');
    if (failure === undefined) return;
    const { error } = failure;
    if (!(error instanceof SaveCancelled)) {
      void showErrorMessage(errorMessage(error));
    }
    await keepChanged(document);
  }
}

function isTextOfEditor(key: string, content: Uint8Array): boolean {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
  return document !== undefined && document.getText() === new TextDecoder().decode(content);
}
