// Edits that follow what was typed, such as taking away a pipe that Enter has put. The window drops an edit
// of a text that has changed meanwhile, which over a slow connection is every edit while somebody types on,
// so such an edit is made again from the text as it is then.
import * as vscode from 'vscode';

/** What is to be replaced in the text as it is now; undefined once there is nothing to tidy. */
export type Tidying = (document: vscode.TextDocument) => Replacement | undefined;

export interface Replacement {
  readonly range: vscode.Range;
  readonly text: string;
}

const maxTries = 50;
const changeWaitMs = 1_000;

/** Makes the edit, which is undone together with what was typed. Returns whether it was made. */
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

/** Waits for the change that the window has and this process has not seen. */
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
