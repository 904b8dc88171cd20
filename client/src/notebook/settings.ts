// Writes a setting of a notebook or of one of its cells.
import * as vscode from 'vscode';

type Place = vscode.NotebookDocument | vscode.NotebookCell;

/** Without a value, the setting follows the level above. False where the notebook could not be changed. */
export async function writeSetting(
  place: Place,
  key: string,
  value: string | undefined,
): Promise<boolean> {
  const { [key]: _, ...others } = place.metadata;
  const metadata = value === undefined ? others : { ...others, [key]: value };
  const isCell = 'notebook' in place;
  const edit = new vscode.WorkspaceEdit();
  edit.set((isCell ? place.notebook : place).uri, [
    isCell
      ? vscode.NotebookEdit.updateCellMetadata(place.index, metadata)
      : vscode.NotebookEdit.updateNotebookMetadata(metadata),
  ]);
  return vscode.workspace.applyEdit(edit);
}
