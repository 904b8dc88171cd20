// Enter on an empty `| ` leaves the pipeline: the pipe goes and the cursor stays on its line, as an empty
// item ends a list. The rules of the language configuration continue a pipeline and can take nothing away.
import * as vscode from 'vscode';
import type { Feature } from '../context.ts';
import { languageId } from '../languageClient.ts';

const emptyStage = /^\s*\|\s*$/;
const lineBreak = /^\r?\n[ \t]*$/;

export const activate: Feature = () =>
  vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
    const [change, another] = contentChanges;
    const editor = vscode.window.activeTextEditor;
    if (change === undefined || another !== undefined || reason !== undefined) return;
    if (document.languageId !== languageId || editor?.document !== document) return;
    if (!lineBreak.test(change.text) || !change.range.isEmpty) return;
    const left = document.lineAt(change.range.start.line);
    const below = document.lineAt(left.lineNumber + 1);
    // Only behind the pipe: a break before it makes room for a stage, and the pipe is wanted.
    if (!emptyStage.test(left.text) || !below.isEmptyOrWhitespace) return;
    const indent = left.text.slice(0, left.firstNonWhitespaceCharacterIndex);
    const both = new vscode.Range(left.range.start, below.range.end);
    void editor.edit((builder) => builder.replace(both, indent), {
      undoStopBefore: false,
      undoStopAfter: false,
    });
  });
