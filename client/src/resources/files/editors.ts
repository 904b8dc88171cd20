// The open editors and tabs of resource documents.
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
  return openDocuments().filter(({ uri }) => isOf(uri, address));
}

/** Whether a URI is that of a document of the address's resource. */
export function isOf({ query }: vscode.Uri, address: DocumentAddress): boolean {
  const own = readAddress(query);
  return own !== undefined && identityOf(own) === identityOf(address);
}

/** Returns the open document with this address, even if the resource was renamed. */
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

export function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

export function tabsOf(document: vscode.Uri): vscode.Tab[] {
  const key = document.toString();
  return allTabs().filter(({ input }) => urisIn(input).some((uri) => uri.toString() === key));
}

export function urisIn(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
}

export function isShown(document: vscode.TextDocument): boolean {
  return !document.isClosed && tabsOf(document.uri).length > 0;
}

/**
 * Reports documents that are closed or whose last tab was closed. VS Code keeps a document for minutes if an extension
 * opened it.
 */
export function onDidLeave(report: (document: vscode.TextDocument) => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidCloseTextDocument(report),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      const left = new Set(closed.flatMap(({ input }) => urisIn(input)).map(String));
      for (const document of openDocuments()) {
        if (left.has(document.uri.toString()) && !isShown(document)) report(document);
      }
    }),
  );
}

export async function replaceText(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
}

/** Marks a document as changed although VS Code considers it saved. */
export async function keepChanged(document: vscode.TextDocument): Promise<void> {
  // Change the text and change it back, because VS Code ignores an edit without effect.
  const text = document.getText();
  await replaceText(document.uri, `${text}\n`);
  await replaceText(document.uri, text);
}

/** Returns whether auto save is on, and whether it applies to resources, which are outside workspace folders. */
export function autoSave(document: vscode.TextDocument): {
  isOn: boolean;
  savesResources: boolean;
} {
  const files = vscode.workspace.getConfiguration('files', document);
  const isOn = files.get('autoSave') !== 'off';
  return { isOn, savesResources: isOn && files.get('autoSaveWorkspaceFilesOnly') !== true };
}
