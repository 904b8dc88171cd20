// Changes the line of a file that states its time range.
import * as vscode from 'vscode';
import type { RangeLine } from './rangeLine.ts';

/** False where the document could not be changed. */
export async function writeRangeLine(
  document: vscode.TextDocument,
  line: RangeLine,
  text: string,
): Promise<boolean> {
  const range = new vscode.Range(document.positionAt(line.start), document.positionAt(line.end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text);
  return vscode.workspace.applyEdit(edit);
}
