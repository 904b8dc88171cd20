// Keeps a save's error until VS Code requests the file's state, which it does right after a write. If the write itself
// failed, VS Code would add the document's URI to the message.

import * as vscode from 'vscode';
import { showErrorMessage } from '../../ui/notifications.ts';
import { errorMessage } from '../../words/errors.ts';
import type { DocumentStates } from './documentStates.ts';
import { keepChanged } from './editors.ts';

/** Thrown if the user cancelled the save. The document stays changed, and no error is shown. */
export class SaveCancelled extends Error {
  constructor() {
    super('The save was cancelled.');
  }
}

/**
 * Runs a write. If an editor is saved, stores the error for the state request that follows. Otherwise throws it at
 * once, because other callers don't make that request.
 */
export async function writing(
  states: DocumentStates,
  uri: vscode.Uri,
  content: Uint8Array,
  write: () => Promise<void>,
): Promise<void> {
  const isOfEditor = isTextOfEditor(uri.toString(), content);
  const state = states.of(uri.query);
  delete state.failure;
  try {
    await write();
  } catch (error) {
    if (!isOfEditor) throw error;
    state.failure = { error, isReported: false };
  }
}

/** Throws the error of a document's last save, but only once, because a revert also requests the state. */
export function throwOnce(states: DocumentStates, { query }: vscode.Uri): void {
  const { failure } = states.of(query);
  if (failure === undefined || failure.isReported || failure.error instanceof SaveCancelled) return;
  failure.isReported = true;
  throw failure.error;
}

/**
 * Called when VS Code considers a document saved. If its save failed, marks it as changed again, and shows the error
 * unless the user has cancelled.
 */
export async function saved(states: DocumentStates, document: vscode.TextDocument): Promise<void> {
  const failure = states.take(document.uri.query, 'failure');
  if (failure === undefined) return;
  const { error } = failure;
  if (!(error instanceof SaveCancelled)) void showErrorMessage(errorMessage(error));
  await keepChanged(document);
}

function isTextOfEditor(key: string, content: Uint8Array): boolean {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
  return document !== undefined && document.getText() === new TextDecoder().decode(content);
}
