// Reports document edits to the result tabs, so that each tab updates its query's position and the next run finds the
// tab.
import * as vscode from 'vscode';
import type { AnswerSlots } from '../answers/slots.ts';

export function followQueries(tabs: AnswerSlots): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const uri = document.uri.toString();
      // VS Code lists an edit's changes from the end of the document, so each change leaves the later ranges valid.
      for (const { range, text } of contentChanges) tabs.edited(uri, { range, text });
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
      if (isUntitled) tabs.documentGone(uri.toString());
    }),
  );
}
