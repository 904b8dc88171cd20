// The open editors of resources' documents: finding them, changing their text, and whether a tab shows one.
import * as vscode from 'vscode';
import {
  type DocumentAddress,
  documentScheme,
  identityOf,
  readAddress,
} from '../../deployments/resourceAddress.ts';

export function openDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === documentScheme);
}

export function documentsOf(address: DocumentAddress): readonly vscode.TextDocument[] {
  const identity = identityOf(address);
  return openDocuments().filter(({ uri }) => {
    const open = readAddress(uri.query);
    return open !== undefined && identityOf(open) === identity;
  });
}

/** Returns the open document of an address, whatever its name was when it was opened. */
export function openDocument(address: DocumentAddress): vscode.TextDocument | undefined {
  const key = keyOf(address);
  return openDocuments().find(({ uri }) => {
    const open = readAddress(uri.query);
    return open !== undefined && keyOf(open) === key;
  });
}

function keyOf(address: DocumentAddress): string {
  return JSON.stringify([identityOf(address), address.form, address.place ?? '']);
}

export function rangeBetween(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

export function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

export function tabsOf(document: vscode.Uri): vscode.Tab[] {
  const key = document.toString();
  return allTabs().filter(({ input }) => urisIn(input).some((uri) => uri.toString() === key));
}

function urisIn(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
}

export function isShown(document: vscode.TextDocument): boolean {
  return !document.isClosed && tabsOf(document.uri).length > 0;
}

/** Reports documents without tabs. VS Code keeps a document for minutes if an extension has opened it. */
export function onDidHide(report: (document: vscode.TextDocument) => void): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    const uris = new Set(closed.flatMap(({ input }) => urisIn(input)).map(String));
    for (const document of openDocuments()) {
      if (uris.has(document.uri.toString()) && tabsOf(document.uri).length === 0) report(document);
    }
  });
}

export async function replaceText(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
}

/** Marks a document as changed that VS Code considers saved. */
export async function keepChanged(document: vscode.TextDocument): Promise<void> {
  // VS Code ignores an edit without effect.
  const text = document.getText();
  await replaceText(document.uri, `${text}\n`);
  await replaceText(document.uri, text);
}

/** Reports whether auto save is on, and whether it saves resources, which no workspace folder contains. */
export function autoSave(document: vscode.TextDocument): {
  isOn: boolean;
  savesResources: boolean;
} {
  const files = vscode.workspace.getConfiguration('files', document);
  const isOn = files.get('autoSave') !== 'off';
  return { isOn, savesResources: isOn && files.get('autoSaveWorkspaceFilesOnly') !== true };
}
