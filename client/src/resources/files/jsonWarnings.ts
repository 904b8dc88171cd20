// Shows warnings about resource JSON shortly after a change, with quick fixes.
import * as vscode from 'vscode';
import { diagnostic, registerQuickFixes, replacingFix } from '../../ui/editorParts.ts';
import { isShown, onDidHide } from './editors.ts';
import { jsonSelector, LaterChecks } from './laterChecks.ts';

export interface JsonWarning {
  readonly range: vscode.Range;
  readonly words: string;
  readonly severity: vscode.DiagnosticSeverity;
  /** Quick fixes that replace the range. */
  readonly fixes: readonly { readonly title: string; readonly text: string }[];
}

/** Registers warnings. `find` returns a document's warnings. `name` identifies the collection of diagnostics. */
export function registerJsonWarnings(
  name: string,
  find: (document: vscode.TextDocument) => Promise<readonly JsonWarning[]>,
): vscode.Disposable {
  const warnings = vscode.languages.createDiagnosticCollection(name);
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
  return vscode.Disposable.from(
    warnings,
    new LaterChecks((document) => void check(document)),
    onDidHide(({ uri }) => warnings.delete(uri)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => warnings.delete(uri)),
    registerQuickFixes(jsonSelector, async (document, range, { diagnostics }) => {
      const found = await find(document);
      return found.flatMap(({ fixes, range: at }) => {
        if (!at.intersection(range)) return [];
        return fixes.map(({ title, text }) => {
          const action = replacingFix(title, document, at, text);
          action.diagnostics = diagnostics.filter((one) => one.range.isEqual(at));
          action.isPreferred = fixes.length === 1;
          return action;
        });
      });
    }),
  );
}
