// Creates cell outputs. An output names the tab with the rows, and contains text that is shown if the tab is gone.
import * as vscode from 'vscode';
import { counted } from '../../../formats/src/counts.ts';
import type { AnswerHead } from '../../../table/src/answer.ts';
import type { FailedTabState, TabId } from '../answers/tabs.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { errorOutput } from '../ui/editorParts.ts';
import type { KeptOutput } from './file.ts';
import { savedRows } from './savedRows.ts';
import { outputMime, type ShownOutput } from './shownOutput.ts';

export function resultOutput(tab: TabId, head: AnswerHead): vscode.NotebookCellOutput {
  const text = counted(head.tables[0]?.rowCount ?? 0, 'row');
  return output({ tab }, vscode.NotebookCellOutputItem.text(text));
}

export function keptOutput(kept: KeptOutput): vscode.NotebookCellOutput {
  const { columns, rows, rowCount } = kept;
  const lines = [
    columns.map(({ name }) => name),
    ...rows.map((row) => row.map((cell) => cell ?? '')),
  ];
  const table = lines.map((line) => line.join('\t')).join('\n');
  const saved = savedRows(kept, resultsTimeZone());
  const text = `${[counted(rowCount, 'row'), ...saved.run].join(' · ')}\n${table}`;
  return output({ saved }, vscode.NotebookCellOutputItem.text(text));
}

export function failureOutput(
  tab: TabId,
  { message }: FailedTabState,
  place?: string,
): vscode.NotebookCellOutput {
  const text = place === undefined ? message : `${message}\n${place}`;
  const item = errorOutput(text);
  return output({ tab, failure: text }, item);
}

function output(
  shown: ShownOutput,
  plain: vscode.NotebookCellOutputItem,
): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([
    vscode.NotebookCellOutputItem.json(shown, outputMime),
    plain,
  ]);
}
