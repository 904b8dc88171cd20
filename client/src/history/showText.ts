// Shows a history entry's query in its document or notebook.
import * as vscode from 'vscode';

/** Puts the cursor at the text. Returns false if the document cannot be opened or lacks the text. */
export async function showText(uri: string, text: string): Promise<boolean> {
  const isNotebook = uri.endsWith('.aplnb');
  let documents: readonly vscode.TextDocument[];
  try {
    documents = await (isNotebook ? cellsOf(uri) : documentsOf(uri));
  } catch {
    return false;
  }
  const document = documents.find((one) => one.getText().includes(text));
  if (document === undefined) return false;
  const start = document.positionAt(document.getText().indexOf(text));
  const options = { selection: new vscode.Range(start, start), preview: false };
  if (isNotebook) await vscode.commands.executeCommand('vscode.open', document.uri, options);
  else await vscode.window.showTextDocument(document, options);
  return true;
}

async function documentsOf(uri: string): Promise<readonly vscode.TextDocument[]> {
  const { textDocuments } = vscode.workspace;
  const open = textDocuments.find((document) => document.uri.toString() === uri);
  if (open !== undefined || isUntitled(uri)) return open ? [open] : [];
  return [await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))];
}

async function cellsOf(uri: string): Promise<readonly vscode.TextDocument[]> {
  const { notebookDocuments } = vscode.workspace;
  const open = notebookDocuments.find((notebook) => notebook.uri.toString() === uri);
  if (open === undefined && isUntitled(uri)) return [];
  const notebook = open ?? (await vscode.workspace.openNotebookDocument(vscode.Uri.parse(uri)));
  return notebook.getCells().map(({ document }) => document);
}

/** Returns whether a document is untitled. Opening a closed untitled document would create an empty one. */
function isUntitled(uri: string): boolean {
  return uri.startsWith('untitled:');
}
