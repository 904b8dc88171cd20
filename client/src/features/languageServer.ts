// Starts the language server with the first APL document, restarts it on command, sends it result values for
// completion, and opens the rename box after a refactoring.
import * as vscode from 'vscode';
import type { WirePosition } from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { languageId } from '../host/languageId.ts';
import { showWithActions } from '../host/notify.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate({ language, answers, runner, log }: Context): vscode.Disposable {
  const startFor = (document: vscode.TextDocument): void => {
    if (document.languageId !== languageId) return;
    language.start().catch((error) => {
      log.error('The language server did not start', error);
      const message =
        'The APL language server did not start. Completion and diagnostics are missing until it does.';
      showWithActions(message, [
        { label: 'Restart Language Server', command: 'aplomb.restartLanguageServer' },
        { label: 'Show Log', command: 'aplomb.showLog' },
      ]);
    });
  };
  vscode.workspace.textDocuments.forEach(startFor);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(startFor),
    // Send the result's values, which completion offers. The server only holds them in memory.
    runner.onDidFinish(async ({ query, end, deployment }) => {
      if (end.kind !== 'result') return;
      try {
        const columns = [...(await answers.valuesToOffer(end.answer))];
        if (columns.length > 0) language.tellValuesSeen({ deployment, query: query.text, columns });
      } catch (error) {
        log.error('Collecting the values of a result', error);
      }
    }),
    registerCommand('aplomb.restartLanguageServer', () => language.restart()),
    registerCommand('aplomb.renameAt', async (uri: string, at: WirePosition) => {
      const address = vscode.Uri.parse(uri);
      const position = new vscode.Position(at.line, at.character);
      await vscode.commands.executeCommand('editor.action.rename', [address, position]);
    }),
  );
}
