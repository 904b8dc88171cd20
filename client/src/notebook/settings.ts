// Writes a setting of a notebook or of one of its cells.
import * as vscode from 'vscode';

type Place = vscode.NotebookDocument | vscode.NotebookCell;

/** Returns the value. */
export async function writeSetting(place: Place, key: string, value: string): Promise<string> {
  await apply(place, { ...place.metadata, [key]: value });
  return value;
}

/** Has the setting follow the level above. */
export async function clearSetting(place: Place, key: string): Promise<undefined> {
  const metadata = { ...place.metadata };
  delete metadata[key];
  await apply(place, metadata);
  return undefined;
}

async function apply(place: Place, metadata: Record<string, unknown>): Promise<void> {
  const isCell = 'notebook' in place;
  const edit = new vscode.WorkspaceEdit();
  edit.set((isCell ? place.notebook : place).uri, [
    isCell
      ? vscode.NotebookEdit.updateCellMetadata(place.index, metadata)
      : vscode.NotebookEdit.updateNotebookMetadata(metadata),
  ]);
  await vscode.workspace.applyEdit(edit);
}
