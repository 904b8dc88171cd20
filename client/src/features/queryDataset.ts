// Queries from the tree of datasets: written into an untitled document and run. The same document takes the
// queries on all datasets, so that looking at ten datasets does not leave ten unsaved documents. Top values need no
// document, since nobody edits their query.

import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { type DatasetTarget, datasetTarget } from '../host/commandTargets.ts';
import { languageId } from '../languageServer/languageClient.ts';
import { topValuesOfField } from '../query/topValues.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInputBox } from '../ui/inputs.ts';

/** The stages that each command appends to the dataset's name. */
const queries: readonly {
  readonly command: string;
  /** Undefined where nothing is asked after all. */
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
    // Whatever was added to a plain query runs with it; the others are distinguished by their stages.
    const isPlain = stages === '| take 100';
    const line = lineOf(document, isPlain ? first : query) ?? (await append(editor, query));
    // At the end, where the next stage or an inserted name goes.
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

/** The first line of the query that begins with these lines. */
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

/** The end of the query that begins on this line: the last before a blank one. */
function endOf(document: vscode.TextDocument, first: number): vscode.Position {
  let last = first;
  while (last + 1 < document.lineCount && !document.lineAt(last + 1).isEmptyOrWhitespace) last += 1;
  return document.lineAt(last).range.end;
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
