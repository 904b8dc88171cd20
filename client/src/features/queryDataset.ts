// Query Dataset: writes a query on a dataset into an untitled document and runs it. The same document takes
// the queries on all datasets, so that looking at ten datasets does not leave ten unsaved documents.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../languageClient.ts';

export function activate(context: Context): vscode.Disposable {
  let document: vscode.TextDocument | undefined;
  return vscode.commands.registerCommand('aplomb.queryDataset', async (target: unknown) => {
    const name = datasetName(target);
    if (name === undefined) return undefined;
    const first = await context.language.quoteName(name);
    const query = `${first}\n| take 100\n`;
    if (document === undefined || document.isClosed) {
      document = await vscode.workspace.openTextDocument({ language: languageId, content: query });
    }
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const line = lineOf(document, first) ?? (await append(editor, query));
    const start = new vscode.Position(line, 0);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start));
    await vscode.commands.executeCommand('aplomb.runQuery', document.uri);
    return editor;
  });
}

/** The name of a dataset given as such or as an item of the tree. */
function datasetName(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  const { dataset } = (target ?? {}) as { dataset?: { name?: unknown } };
  return typeof dataset?.name === 'string' ? dataset.name : undefined;
}

/** The line that starts the query on a dataset; whatever was added to the query runs with it. */
function lineOf(document: vscode.TextDocument, first: string): number | undefined {
  const lines = document.getText().split(/\r?\n/);
  const found = lines.findIndex(
    (line, index) => line.trimEnd() === first && (lines[index - 1] ?? '').trim() === '',
  );
  return found < 0 ? undefined : found;
}

/** Adds a query after a blank line at the end and returns its first line. */
async function append(editor: vscode.TextEditor, query: string): Promise<number> {
  const { document } = editor;
  const before = document.getText().trimEnd();
  const end = document.positionAt(before.length);
  const rest = new vscode.Range(end, document.lineAt(document.lineCount - 1).range.end);
  await editor.edit((edit) => edit.replace(rest, before === '' ? query : `\n\n${query}`));
  return before === '' ? 0 : end.line + 2;
}
