// The line of a file that names its deployment, `// deployment: Staging`: completion of the names, a warning for a
// name that is not in the settings, and ways out of it.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../languageClient.ts';
import { deploymentLineOf } from '../query/fileDeployment.ts';
import { rangeOf } from '../query/writeFileLine.ts';

const typed = /^[ \t]*\/\/[ \t]*deployment:[ \t]*(.*)$/;

const CODE = 'unknown-deployment';
const SUGGESTED_MAX = 3;

export function activate({ deployments }: Context): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection('aplomb.deployment');

  const check = (document: vscode.TextDocument): void => {
    if (document.languageId !== languageId) return;
    const line = deploymentLineOf(document);
    if (line === undefined || deployments.find(line.text)) return problems.delete(document.uri);
    const problem = new vscode.Diagnostic(
      rangeOf(document, line),
      `The settings have no deployment "${line.text}". The queries of this file cannot run.`,
      vscode.DiagnosticSeverity.Error,
    );
    problem.source = 'apl';
    problem.code = CODE;
    problems.set(document.uri, [problem]);
  };
  const checkAll = (): void => vscode.workspace.textDocuments.forEach(check);

  checkAll();
  return vscode.Disposable.from(
    problems,
    deployments.onDidChange(checkAll),
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)),
    vscode.languages.registerCompletionItemProvider(
      languageId,
      {
        provideCompletionItems(document, position) {
          const before = document.lineAt(position.line).text.slice(0, position.character);
          const [, name] = typed.exec(before) ?? [];
          if (name === undefined) return undefined;
          const range = new vscode.Range(
            position.translate(0, -name.length),
            document.lineAt(position.line).range.end,
          );
          return deployments.profiles.map((profile) => {
            const item = new vscode.CompletionItem(profile.name, vscode.CompletionItemKind.Value);
            item.range = { inserting: range.with({ end: position }), replacing: range };
            item.detail = profile.kind === 'local' ? 'on this machine' : new URL(profile.edge).host;
            return item;
          });
        },
      },
      ':',
      ' ',
    ),
    vscode.languages.registerCodeActionsProvider(
      languageId,
      {
        provideCodeActions(document, _range, { diagnostics }) {
          const [problem] = diagnostics.filter(({ code }) => code === CODE);
          const line = deploymentLineOf(document);
          if (problem === undefined || line === undefined) return [];
          const names = deployments.profiles.map(({ name }) => name);
          const written = line.text.toLowerCase();
          const isLike = (name: string) => name.toLowerCase().startsWith(written);
          const ordered = [...names].sort((a, b) => Number(isLike(b)) - Number(isLike(a)));
          const changes = ordered.slice(0, SUGGESTED_MAX).map((name) => {
            const title = `Change to "${name}"`;
            const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
            action.edit = new vscode.WorkspaceEdit();
            action.edit.replace(document.uri, problem.range, name);
            action.diagnostics = [problem];
            action.isPreferred = isLike(name);
            return action;
          });
          const add = new vscode.CodeAction('Add Deployment…', vscode.CodeActionKind.QuickFix);
          add.command = { title: 'Add Deployment…', command: 'aplomb.addDeployment' };
          return [...changes, add];
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}
