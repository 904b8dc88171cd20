// Reports changes of the active editor's text, for status bar items that depend on the file's content.
import * as vscode from 'vscode';

/** The delay between the last edit and the report. */
const AFTER_TYPING_MS = 300;

/** Calls `show` when another editor is active or a document opens, and shortly after edits of the active one. */
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
