// Returns the key for values that are stored per file. Cells use their notebook's key, because their own URIs change
// when it is reopened.
import * as vscode from 'vscode';

export function fileKey(uri: vscode.Uri): string {
  const key = uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find((open) =>
    open.getCells().some(({ document }) => document.uri.toString() === key),
  );
  return (notebook?.uri ?? uri).toString();
}
