// Changes the metadata of a notebook or of one of its cells.
import * as vscode from 'vscode';
import type { QuerySettings } from '../deployments/querySettings.ts';

/** Sets a setting, or removes it so that it is inherited. Returns false if the notebook could not be changed. */
export async function writeSetting(
  place: vscode.NotebookDocument | vscode.NotebookCell,
  key: keyof QuerySettings,
  value: string | undefined,
): Promise<boolean> {
  const { [key]: _, ...others } = place.metadata;
  const metadata = value === undefined ? others : { ...others, [key]: value };
  if ('notebook' in place) {
    const edit = vscode.NotebookEdit.updateCellMetadata(place.index, metadata);
    return editNotebook(place.notebook, [edit]);
  }
  return editNotebook(place, [vscode.NotebookEdit.updateNotebookMetadata(metadata)]);
}

export function editNotebook(
  { uri }: vscode.NotebookDocument,
  edits: vscode.NotebookEdit[],
): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, edits);
  return vscode.workspace.applyEdit(edit);
}
