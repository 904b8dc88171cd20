// The name under which something is kept for a file. The cells of a notebook have URIs of their own, which are
// others when it is opened again; they share what is kept for the notebook.
import * as vscode from 'vscode';

export function fileKey(uri: vscode.Uri): string {
  const key = uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find((open) =>
    open.getCells().some(({ document }) => document.uri.toString() === key),
  );
  return (notebook?.uri ?? uri).toString();
}
