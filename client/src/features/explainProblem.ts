// Explain Problem: opens the documentation of the problem at the cursor.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../host/languageId.ts';
import { codeOf, pageOf, servePages } from '../languageServer/problemPages.ts';
import { registerCommand } from '../ui/commands.ts';
import { quickFix, registerQuickFixes } from '../ui/editorParts.ts';
import { showInformationMessage } from '../ui/notifications.ts';

export function activate({ extension }: Context): vscode.Disposable {
  return vscode.Disposable.from(
    servePages(extension.extensionUri),
    registerCommand('aplomb.explainProblem', async (given?: unknown) => {
      const code = typeof given === 'string' ? given : codeAtCursor();
      if (code === undefined)
        return void showInformationMessage(
          'No problem at the cursor. Place the cursor in an underlined part of a query.',
        );
      const beside = { viewColumn: vscode.ViewColumn.Beside, preview: true };
      await vscode.commands.executeCommand('vscode.open', pageOf(code), beside);
    }),
    registerQuickFixes({ language: languageId }, (_document, _range, { diagnostics }) =>
      explanations(diagnostics),
    ),
  );
}

function explanations(diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
  const actions = new Map<string, vscode.CodeAction>();
  for (const diagnostic of diagnostics) {
    const code = codeOf(diagnostic);
    if (code === undefined || actions.has(code)) continue;
    const action = quickFix(`Explain ${code}`);
    action.diagnostics = [diagnostic];
    action.command = {
      command: 'aplomb.explainProblem',
      title: action.title,
      arguments: [code],
    };
    actions.set(code, action);
  }
  return [...actions.values()];
}

/** Returns the code of the most severe problem at the cursor. */
function codeAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const [worst] = vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter(({ range }) => range.contains(editor.selection.active))
    .filter((diagnostic) => codeOf(diagnostic) !== undefined)
    .sort((a, b) => a.severity - b.severity);
  return worst && codeOf(worst);
}
