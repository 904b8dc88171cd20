// Switch between Editor and Results.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate({ results }: Context): vscode.Disposable {
  return registerCommand('aplomb.switchFocus', async () => {
    if (!results.hasKeyboard) return results.focus();
    const [editor] = vscode.window.visibleTextEditors;
    if (results.isEditor && editor)
      return vscode.window.showTextDocument(editor.document, editor.viewColumn);
    if (results.isEditor)
      return vscode.commands.executeCommand('workbench.action.openPreviousRecentlyUsedEditor');
    return vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  });
}
