// Runs queries from the dataset tree in one untitled document, which is reused to avoid many unsaved documents. Top
// values run without a document.

import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { type DatasetTarget, datasetTarget } from '../host/commandTargets.ts';
import { languageId } from '../host/languageId.ts';
import { topValuesOfField } from '../query/topValues.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInputBox } from '../ui/inputs.ts';

const queries: readonly {
  readonly command: string;
  /** Returns the stages of the query for a dataset; undefined if the user cancels. */
  readonly stages: (target: DatasetTarget) => Promise<string | undefined>;
}[] = [
  { command: 'aplomb.queryDataset', stages: async () => '| take 100' },
  { command: 'aplomb.describeDataset', stages: async () => '| getschema' },
  { command: 'aplomb.searchDataset', stages: ({ dataset }) => searchStages(dataset) },
];

export function activate(context: Context): vscode.Disposable {
  let document: vscode.TextDocument | undefined;
  const run = async (target: DatasetTarget, stages: string): Promise<vscode.TextEditor> => {
    const first = await context.language.quoteName(target.dataset);
    const query = `${first}\n${stages}\n`;
    if (document === undefined || document.isClosed) {
      document = await vscode.workspace.openTextDocument({ language: languageId, content: query });
    }
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    // For `take 100`, reuse a dataset's query even if the user added stages. Reuse other queries only if they match
    // completely.
    const isPlain = stages === '| take 100';
    const line = lineOf(document, isPlain ? first : query) ?? (await append(editor, query));
    // Put the cursor at the end, so that the user can add a stage or insert a name.
    const end = endOf(document, line);
    editor.selection = new vscode.Selection(end, end);
    editor.revealRange(new vscode.Range(new vscode.Position(line, 0), end));
    await vscode.commands.executeCommand('aplomb.runQuery', document.uri);
    return editor;
  };
  return vscode.Disposable.from(
    ...queries.map(({ command, stages }) =>
      registerCommand(command, async (given: unknown) => {
        const target = datasetTarget(given);
        const added = target && (await stages(target));
        return added === undefined ? undefined : run(target as DatasetTarget, added);
      }),
    ),
    registerCommand('aplomb.topValues', async (given: unknown) => {
      const { dataset, field } = datasetTarget(given) ?? {};
      if (dataset !== undefined && field !== undefined)
        await topValuesOfField(context, dataset, field);
    }),
  );
}

async function searchStages(dataset: string): Promise<string | undefined> {
  const text = await showInputBox({
    title: `Search ${dataset}`,
    prompt: 'Text to search for in all fields.',
  });
  return text ? `| search ${JSON.stringify(text)}\n| take 100` : undefined;
}

/** Returns the line at which a paragraph starts with the query's lines; undefined if there is none. */
function lineOf(document: vscode.TextDocument, query: string): number | undefined {
  const lines = document.getText().split(/\r?\n/);
  const wanted = query.trimEnd().split('\n');
  const found = lines.findIndex(
    (_, index) =>
      (lines[index - 1] ?? '').trim() === '' &&
      wanted.every((line, below) => lines[index + below]?.trimEnd() === line),
  );
  return found < 0 ? undefined : found;
}

/** Returns the end of the paragraph that starts at a line. */
function endOf(document: vscode.TextDocument, first: number): vscode.Position {
  let last = first;
  while (last + 1 < document.lineCount && !document.lineAt(last + 1).isEmptyOrWhitespace) last += 1;
  return document.lineAt(last).range.end;
}

/** Appends a query after a blank line, and returns the number of its first line. */
async function append(editor: vscode.TextEditor, query: string): Promise<number> {
  const { document } = editor;
  const before = document.getText().trimEnd();
  const end = document.positionAt(before.length);
  const rest = new vscode.Range(end, document.lineAt(document.lineCount - 1).range.end);
  await editor.edit((edit) => edit.replace(rest, before === '' ? query : `\n\n${query}`));
  return before === '' ? 0 : end.line + 2;
}
