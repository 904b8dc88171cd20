// Reads and writes editor metadata of notebooks and cells. Other extensions may change it, so values are unchecked.
import * as vscode from 'vscode';
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { QuerySettings } from '../deployments/querySettings.ts';
import type { KeptOutput, OtherMembers } from './file.ts';

type Metadata = Readonly<Record<string, unknown>>;

export function keepsOutputs({ keepOutputs }: Metadata): boolean {
  return keepOutputs === true;
}

/** Returns the rows saved with a cell. Doesn't validate them, because only this extension writes them. */
export function keptOutputs({ kept }: Metadata): readonly KeptOutput[] {
  return Array.isArray(kept) ? (kept as readonly KeptOutput[]) : [];
}

/** Returns a file's unknown members as JSON text, because the editor would round long integers. */
export function othersText(others: OtherMembers): Metadata {
  return Object.keys(others).length === 0 ? {} : { others: stringifyJson(others) };
}

export function othersOf({ others }: Metadata): OtherMembers {
  return typeof others === 'string' ? (parseJson(others) as OtherMembers) : {};
}

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
