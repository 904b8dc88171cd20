// New APL Query: opens an untitled query document.
import * as vscode from 'vscode';
import { languageId } from '../host/languageId.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate(): vscode.Disposable {
  return registerCommand('aplomb.newQuery', async () => {
    const document = await vscode.workspace.openTextDocument({ language: languageId });
    return vscode.window.showTextDocument(document, { preview: false });
  });
}
