// The comment `// deployment: Staging` in a file: completion, hover, and an error with fixes for an unknown name.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { deploymentLineOf } from '../deployments/fileDeployment.ts';
import { isProduction, type Profile, whereRuns } from '../deployments/profiles.ts';
import { languageId } from '../host/languageId.ts';
import { offsetRange } from '../host/offsetRange.ts';
import { schemaDetail, schemaText } from '../schema/freshness.ts';
import {
  completionItem,
  diagnostic,
  quickFix,
  registerQuickFixes,
  replacingFix,
} from '../ui/editorParts.ts';
import { plainHover } from '../ui/hovers.ts';

const typed = /^[ \t]*\/\/[ \t]*deployment:[ \t]*(.*)$/;

const CODE = 'unknown-deployment';
const SUGGESTED_MAX = 3;
const NAMED_MAX = 10;

export function activate({ deployments, schema }: Context): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection('aplomb.deployment');

  const check = (document: vscode.TextDocument): void => {
    if (document.languageId !== languageId) return;
    const line = deploymentLineOf(document);
    if (line === undefined || deployments.find(line.text)) return problems.delete(document.uri);
    const problem = diagnostic(
      offsetRange(document, line),
      `The settings have no deployment '${line.text}', so the queries of this file cannot run. ${knownNames(deployments.profiles)}`,
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
            const item = completionItem(
              profile.name,
              vscode.CompletionItemKind.Value,
              whereRuns(profile),
            );
            item.range = { inserting: range.with({ end: position }), replacing: range };
            return item;
          });
        },
      },
      ':',
      ' ',
    ),
    vscode.languages.registerHoverProvider(languageId, {
      provideHover(document, position) {
        const line = deploymentLineOf(document);
        const profile = line && deployments.find(line.text);
        if (line === undefined || profile === undefined) return undefined;
        const range = offsetRange(document, line);
        if (range.start.line !== position.line) return undefined;
        const lines = [`Queries of this file run on ${profile.name} (${whereRuns(profile)}).`];
        if (isProduction(profile)) lines.push('Marked as production.');
        const state = schema.stateOf(profile.name);
        lines.push(`${schemaText(profile.name, state)}. ${schemaDetail(state)}`.trim());
        return plainHover(lines, document.lineAt(position.line).range);
      },
    }),
    registerQuickFixes(languageId, (document, _range, { diagnostics }) => {
      const [problem] = diagnostics.filter(({ code }) => code === CODE);
      const line = deploymentLineOf(document);
      if (problem === undefined || line === undefined) return [];
      const names = deployments.profiles.map(({ name }) => name);
      const written = line.text.toLowerCase();
      const isLike = (name: string) => name.toLowerCase().startsWith(written);
      const ordered = [...names].sort((a, b) => Number(isLike(b)) - Number(isLike(a)));
      const changes = ordered.slice(0, SUGGESTED_MAX).map((name) => {
        const action = replacingFix(`Change to '${name}'`, document, problem.range, name);
        action.diagnostics = [problem];
        action.isPreferred = isLike(name);
        return action;
      });
      const add = quickFix('Add Deployment…');
      add.command = { title: 'Add Deployment…', command: 'aplomb.addDeployment' };
      return [...changes, add];
    }),
  );
}

function knownNames(profiles: readonly Profile[]): string {
  const names = profiles.slice(0, NAMED_MAX).map(({ name }) => `'${name}'`);
  const others = profiles.length - names.length;
  const more = others > 0 ? ` and ${others} more` : '';
  return `Known deployments: ${names.join(', ')}${more}.`;
}
