// Changes the lines of a file that state its time range and its deployment.
import * as vscode from 'vscode';
import type { FileLine } from './fileLines.ts';

/** Replaces what the line states. False where the document could not be changed. */
export async function writeFileLine(
  document: vscode.TextDocument,
  line: FileLine,
  text: string,
): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, rangeOf(document, line), text);
  return vscode.workspace.applyEdit(edit);
}

/** Adds a line above all others. */
export async function addFileLine(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), `${text}\n`);
  return vscode.workspace.applyEdit(edit);
}

export async function removeFileLine(
  document: vscode.TextDocument,
  line: FileLine,
): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  const { start } = rangeOf(document, line);
  edit.delete(document.uri, document.lineAt(start.line).rangeIncludingLineBreak);
  return vscode.workspace.applyEdit(edit);
}

export function rangeOf(
  document: vscode.TextDocument,
  { start, end }: Pick<FileLine, 'start' | 'end'>,
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
