// Finds problems in resource JSON with a delay after it was opened or changed, instead of at every keystroke.
import * as vscode from 'vscode';
import { documentScheme } from '../../deployments/resourceAddress.ts';
import { isShown, onDidLeave } from './editors.ts';

const CHECK_AFTER_MS = 300;

export const jsonSelector: vscode.DocumentSelector = { scheme: documentScheme, language: 'json' };

interface JsonProblems extends vscode.Disposable {
  /** Checks all open documents again, for example after a schema change. */
  checkAll(): void;
}

/** Shows the problems that `find` returns for a document. `name` identifies the collection of diagnostics. */
export function registerJsonProblems(
  name: string,
  find: (document: vscode.TextDocument) => Promise<readonly vscode.Diagnostic[]>,
): JsonProblems {
  const problems = vscode.languages.createDiagnosticCollection(name);
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = async (document: vscode.TextDocument): Promise<void> => {
    waiting.delete(document.uri.toString());
    const { version } = document;
    const found = await find(document);
    if (document.version === version && isShown(document)) problems.set(document.uri, found);
  };
  const checkLater = (document: vscode.TextDocument): void => {
    if (vscode.languages.match(jsonSelector, document) === 0) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    waiting.set(
      key,
      setTimeout(() => void check(document), CHECK_AFTER_MS),
    );
  };
  const checkAll = (): void => vscode.workspace.textDocuments.forEach(checkLater);
  const subscriptions = vscode.Disposable.from(
    problems,
    vscode.workspace.onDidOpenTextDocument(checkLater),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) checkLater(document);
    }),
    onDidLeave(({ uri }) => problems.delete(uri)),
    new vscode.Disposable(() => {
      for (const timer of waiting.values()) clearTimeout(timer);
    }),
  );
  checkAll();
  return { checkAll, dispose: () => subscriptions.dispose() };
}
