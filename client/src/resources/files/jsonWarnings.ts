// Shows warnings about resource JSON shortly after a change, with quick fixes.
import * as vscode from 'vscode';
import { diagnostic, registerQuickFixes, replacingFix } from '../../ui/editorParts.ts';
import { jsonSelector, registerJsonProblems } from './jsonProblems.ts';

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
  return vscode.Disposable.from(
    registerJsonProblems(name, async (document) =>
      (await find(document)).map(({ range, words, severity }) => {
        const problem = diagnostic(range, words, severity);
        problem.source = 'apl';
        return problem;
      }),
    ),
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
