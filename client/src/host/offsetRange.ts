// Converts offsets in a document to a range.
import * as vscode from 'vscode';

export function offsetRange(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
