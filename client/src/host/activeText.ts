// Changes of the text in the active editor, for items of the status bar that show what a file states.
import * as vscode from 'vscode';

/** The delay after the last edit until the text is read again. */
const AFTER_TYPING_MS = 300;

/** Calls `show` when another editor is active, and shortly after edits of the active one. */
export function onActiveTextChanged(show: () => void): vscode.Disposable {
  let waiting: NodeJS.Timeout | undefined;
  return vscode.Disposable.from(
    new vscode.Disposable(() => clearTimeout(waiting)),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.workspace.onDidOpenTextDocument(show),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document !== vscode.window.activeTextEditor?.document) return;
      clearTimeout(waiting);
      waiting = setTimeout(show, AFTER_TYPING_MS);
    }),
  );
}
