/** Writes a condition into the query that a result comes from, as an edit that can be undone. */
import * as vscode from 'vscode';
import type { LanguageServer } from '../languageClient.ts';
import type { FilterCondition } from './filterCondition.ts';
import type { ResultTab } from './tabs.ts';

export async function addFilterToQuery(
  language: LanguageServer,
  tab: ResultTab,
  condition: FilterCondition,
): Promise<void> {
  const { place } = tab.query;
  if (place?.range === undefined) {
    void vscode.window.showWarningMessage(
      'The query of this result is no longer in a document. Run it from an editor to add a filter.',
    );
    return;
  }
  const uri = vscode.Uri.parse(place.uri);
  const document = await vscode.workspace.openTextDocument(uri);
  const version = document.version;
  const { column, path, kind, text, exclude } = condition;
  const wire = { column, path, kind, text, exclude };
  const found = await language.addFilter(document, place.range.start, wire);
  if ('refusal' in found) {
    void vscode.window.showWarningMessage(found.refusal);
    return;
  }
  if (document.version !== version) {
    void vscode.window.showInformationMessage('The query changed in the meantime. Try again.');
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of found.edits) {
    const { start, end } = range;
    edit.replace(
      uri,
      new vscode.Range(start.line, start.character, end.line, end.character),
      newText,
    );
  }
  await vscode.workspace.applyEdit(edit);
  const [last] = found.edits.slice(-1);
  // A cell is in view above its rows, and is no editor by itself.
  if (last === undefined || uri.scheme === 'vscode-notebook-cell') return;
  const { line } = last.range.start;
  await vscode.window.showTextDocument(document, {
    preserveFocus: true,
    selection: new vscode.Range(line, 0, line, 0),
  });
}
