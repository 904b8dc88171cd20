// Warnings about the JSON of resources that are found a moment after a change, with their quick fixes.
import * as vscode from 'vscode';
import { diagnostic, quickFix } from '../../ui/editorParts.ts';
import { documentScheme } from '../documents.ts';
import { isShown, onDidHide } from './editors.ts';

const CHECK_AFTER_MS = 300;
const selector: vscode.DocumentSelector = { scheme: documentScheme, language: 'json' };

export interface JsonWarning {
  readonly range: vscode.Range;
  readonly words: string;
  readonly severity: vscode.DiagnosticSeverity;
  /** Quick fixes, each of which replaces the range with text. */
  readonly fixes: readonly { readonly title: string; readonly text: string }[];
}

/** `find` returns all warnings about a document; `name` identifies them among the problems of the window. */
export function registerJsonWarnings(
  name: string,
  find: (document: vscode.TextDocument) => Promise<readonly JsonWarning[]>,
): vscode.Disposable {
  const warnings = vscode.languages.createDiagnosticCollection(name);
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const { version } = document;
    const found = await find(document);
    if (document.version !== version || !isShown(document)) return;
    const shown = found.map(({ range, words, severity }) => {
      const problem = diagnostic(range, words, severity);
      problem.source = 'apl';
      return problem;
    });
    warnings.set(document.uri, shown);
  };
  const checkLater = (document: vscode.TextDocument): void => {
    if (vscode.languages.match(selector, document) === 0) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    waiting.set(
      key,
      setTimeout(() => {
        waiting.delete(key);
        void check(document);
      }, CHECK_AFTER_MS),
    );
  };
  vscode.workspace.textDocuments.forEach(checkLater);

  return vscode.Disposable.from(
    warnings,
    new vscode.Disposable(() => {
      for (const timer of waiting.values()) clearTimeout(timer);
    }),
    vscode.workspace.onDidOpenTextDocument(checkLater),
    vscode.workspace.onDidChangeTextDocument(({ document }) => checkLater(document)),
    onDidHide(({ uri }) => warnings.delete(uri)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => warnings.delete(uri)),
    vscode.languages.registerCodeActionsProvider(
      selector,
      {
        async provideCodeActions(document, range, { diagnostics }) {
          const found = await find(document);
          return found.flatMap(({ fixes, range: at }) => {
            if (!at.intersection(range)) return [];
            return fixes.map(({ title, text }) => {
              const action = quickFix(title);
              action.edit = new vscode.WorkspaceEdit();
              action.edit.replace(document.uri, at, text);
              action.diagnostics = diagnostics.filter((one) => one.range.isEqual(at));
              action.isPreferred = fixes.length === 1;
              return action;
            });
          });
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}
