// Creates code lenses, problems, quick fixes, completion items and tabs. No other module may create them, because VS
// Code draws links or icons in their text.
import * as vscode from 'vscode';
import { guarded, lineRule } from './guarded.ts';
import { type Label, labelText, plain, plainLine } from './plain.ts';

type LensCommand = Omit<vscode.Command, 'title'> & { readonly title: Label };

export function codeLens(range: vscode.Range, { title, ...command }: LensCommand): vscode.CodeLens {
  return new vscode.CodeLens(range, { ...command, title: labelText(title) });
}

export function diagnostic(
  range: vscode.Range,
  message: string,
  severity = vscode.DiagnosticSeverity.Error,
): vscode.Diagnostic {
  return new vscode.Diagnostic(range, plain(message), severity);
}

export function quickFix(title: string): vscode.CodeAction {
  return new vscode.CodeAction(plainLine(title), vscode.CodeActionKind.QuickFix);
}

export function registerQuickFixes(
  selector: vscode.DocumentSelector,
  provideCodeActions: vscode.CodeActionProvider['provideCodeActions'],
): vscode.Disposable {
  const providedCodeActionKinds = [vscode.CodeActionKind.QuickFix];
  const provider = { provideCodeActions };
  return vscode.languages.registerCodeActionsProvider(selector, provider, {
    providedCodeActionKinds,
  });
}

export function replacingFix(
  title: string,
  { uri }: vscode.TextDocument,
  range: vscode.Range,
  text: string,
): vscode.CodeAction {
  const action = quickFix(title);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(uri, range, text);
  return action;
}

/** Returns a completion item that shows a plain label and inserts the original one. */
export function completionItem(
  label: string,
  kind: vscode.CompletionItemKind,
  detail: string,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(plainLine(label), kind);
  item.insertText = label;
  item.filterText = label;
  item.detail = plainLine(detail);
  return item;
}

/**
 * Returns an error output for a notebook cell. Makes the message plain, because VS Code would otherwise render links
 * and terminal colors in it.
 */
export function errorOutput(message: string): vscode.NotebookCellOutputItem {
  return vscode.NotebookCellOutputItem.error({ name: '', message: plain(message) });
}

/** Returns a file system error. Makes the message plain, because VS Code would otherwise render links in it. */
export function unavailable(message: string): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(plain(message));
}

export function createWebviewPanel(
  viewType: string,
  title: string,
  place: Parameters<typeof vscode.window.createWebviewPanel>[2],
  options?: vscode.WebviewPanelOptions & vscode.WebviewOptions,
): vscode.WebviewPanel {
  return plainPanel(vscode.window.createWebviewPanel(viewType, plainLine(title), place, options));
}

/** Restores the tabs of a page after a reload of the window. */
export function registerPanelSerializer(
  viewType: string,
  restore: (panel: vscode.WebviewPanel, kept: unknown) => unknown,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: async (panel, kept) => void (await restore(plainPanel(panel), kept)),
  });
}

function plainPanel(panel: vscode.WebviewPanel): vscode.WebviewPanel {
  return guarded(panel, { title: lineRule });
}
