// Starts the language server with the first APL document, and restarts it on command.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../languageServer/languageClient.ts';
import { registerCommand } from '../ui/commands.ts';
import { showErrorMessage } from '../ui/messages.ts';

export function activate({ language, log }: Context): vscode.Disposable {
  const startFor = (document: vscode.TextDocument): void => {
    if (document.languageId !== languageId) return;
    language.start().catch(async (error) => {
      log.error('The language server did not start', error);
      const choice = await showErrorMessage(
        'The APL language server did not start. Completion and diagnostics are missing until it does.',
        'Restart Language Server',
        'Show Log',
      );
      if (choice === 'Show Log') log.show();
      else if (choice) await vscode.commands.executeCommand('aplomb.restartLanguageServer');
    });
  };
  vscode.workspace.textDocuments.forEach(startFor);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(startFor),
    registerCommand('aplomb.restartLanguageServer', () => language.restart()),
  );
}
