// Opens untitled APL documents.
import * as vscode from 'vscode';
import { languageId } from './languageId.ts';

export async function openApl(content = ''): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument({ language: languageId, content });
  return vscode.window.showTextDocument(document, { preview: false });
}

/** Opens a document, and runs its last query with the cursor at the end of the query. */
export async function runApl(content: string): Promise<void> {
  const editor = await openApl(content);
  const end = editor.document.positionAt(content.trimEnd().length);
  editor.selection = new vscode.Selection(end, end);
  await vscode.commands.executeCommand('aplomb.runQuery', editor.document.uri);
}
