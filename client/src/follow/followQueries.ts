// Tells the tabs of the results where edits move their queries, so that the next run finds its tab.
import * as vscode from 'vscode';
import type { AnswerSlots } from '../answers/slots.ts';

export function followQueries(tabs: AnswerSlots): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const uri = document.uri.toString();
      // VS Code lists the changes of one edit from the end of the document to its start, so that each is
      // where the text before it is still as it was.
      for (const { range, text } of contentChanges) tabs.edited(uri, { range, text });
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
      if (isUntitled) tabs.documentGone(uri.toString());
    }),
  );
}
