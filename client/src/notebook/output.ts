// The outputs of cells. Rows are not among them: an output names its answer in the results store, and carries
// what to show once the answer is gone.
import * as vscode from 'vscode';
import type { AnswerHead } from '../results/store/answer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import type { KeptOutput } from './file.ts';
import { resultMime, type ShownResult } from './shownResult.ts';

/** A result whose rows are in the store. */
export function resultOutput(answer: AnswerId, head: AnswerHead): vscode.NotebookCellOutput {
  const rowCount = head.tables[0]?.rowCount ?? 0;
  return output({ answer, rowCount }, rowsInWords(rowCount));
}

/** The first rows of a result, as they were saved. */
export function keptOutput(kept: KeptOutput): vscode.NotebookCellOutput {
  const { columns, rows, rowCount } = kept;
  const lines = [
    columns.map(({ name }) => name),
    ...rows.map((row) => row.map((cell) => cell ?? '')),
  ];
  const table = lines.map((line) => line.join('\t')).join('\n');
  return output({ kept, rowCount }, `${rowsInWords(rowCount)}\n${table}`);
}

/** What went wrong, where it is in the notebook, and what to do. */
export function failureOutput(message: string): vscode.NotebookCellOutput {
  const item = vscode.NotebookCellOutputItem.error({ name: '', message });
  return new vscode.NotebookCellOutput([item]);
}

function output(shown: ShownResult, text: string): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([
    vscode.NotebookCellOutputItem.json(shown, resultMime),
    vscode.NotebookCellOutputItem.text(text),
  ]);
}

export function rowsInWords(rowCount: number): string {
  return `${rowCount.toLocaleString('en-US')} ${rowCount === 1 ? 'row' : 'rows'}`;
}
