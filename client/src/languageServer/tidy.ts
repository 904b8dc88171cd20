// Edits that follow typing, such as removing a pipe. VS Code rejects an edit of text that has changed, which happens at
// every keystroke over a slow connection, so the edit is retried.
import * as vscode from 'vscode';

/** Returns the edit for the current text; undefined if there is none. */
export type Tidying = (document: vscode.TextDocument) => Replacement | undefined;

export interface Replacement {
  readonly range: vscode.Range;
  readonly text: string;
}

const maxTries = 50;
const changeWaitMs = 1_000;

/** Makes an edit that one Undo reverts together with the typed text. Returns whether the edit was made. */
export async function tidy(editor: vscode.TextEditor, find: Tidying): Promise<boolean> {
  const { document } = editor;
  const undone = { undoStopBefore: false, undoStopAfter: false };
  for (let tries = 0; tries < maxTries && !document.isClosed; tries++) {
    const { version } = document;
    const found = find(document);
    if (found === undefined) return false;
    const made = await editor.edit((builder) => builder.replace(found.range, found.text), undone);
    if (made) return true;
    if (document.version === version) await changed(document);
  }
  return false;
}

/** Waits until this process has received a change of the document, but at most for `changeWaitMs`. */
function changed(document: vscode.TextDocument): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(done, changeWaitMs);
    const listening = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) done();
    });
  });
}
