// Changes a file's range comment and deployment comment.
import * as vscode from 'vscode';
import type { FileLine } from '../deployments/fileLines.ts';
import { offsetRange } from '../host/offsetRange.ts';

/** Replaces the value in a comment such as `// range: 1d`. Resolves to false if the document could not be changed. */
export function writeFileLine(
  document: vscode.TextDocument,
  line: FileLine,
  text: string,
): Thenable<boolean> {
  return changed((edit) => edit.replace(document.uri, offsetRange(document, line), text));
}

export function addFileLine({ uri }: vscode.TextDocument, text: string): Thenable<boolean> {
  return changed((edit) => edit.insert(uri, new vscode.Position(0, 0), `${text}\n`));
}

export function removeFileLine(document: vscode.TextDocument, line: FileLine): Thenable<boolean> {
  const { rangeIncludingLineBreak } = document.lineAt(offsetRange(document, line).start);
  return changed((edit) => edit.delete(document.uri, rangeIncludingLineBreak));
}

function changed(change: (edit: vscode.WorkspaceEdit) => void): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  change(edit);
  return vscode.workspace.applyEdit(edit);
}
