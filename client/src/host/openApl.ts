// Opens untitled APL documents.
import * as vscode from 'vscode';
import { languageId } from './languageId.ts';

export async function openApl(content = ''): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument({ language: languageId, content });
  return vscode.window.showTextDocument(document, { preview: false });
}
