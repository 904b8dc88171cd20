// Finds and runs cells of open notebooks.
import * as vscode from 'vscode';

/** Returns the cell whose document has this URI, if its notebook is open. */
export function cellAt(uri: string | undefined): vscode.NotebookCell | undefined {
  for (const notebook of vscode.workspace.notebookDocuments) {
    const found = notebook.getCells().find(({ document }) => document.uri.toString() === uri);
    if (found) return found;
  }
  return undefined;
}

export async function runCell({ index, notebook }: vscode.NotebookCell): Promise<void> {
  await vscode.commands.executeCommand('notebook.cell.execute', {
    ranges: [{ start: index, end: index + 1 }],
    document: notebook.uri,
  });
}

export function runCellCommand(uri: string) {
  return { command: 'aplomb.notebook.runCell', arguments: [uri] } as const;
}
