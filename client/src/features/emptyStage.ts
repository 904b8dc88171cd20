// The empty `| ` that Enter has put. Enter on it leaves the pipeline: the pipe goes and the cursor stays
// on its line, as an empty item ends a list. No list opens there by itself, since it would take that Enter
// and put its first item. Who types a pipe there all the same has one, not two.
// The rules of the language configuration continue a pipeline and can take nothing away.
import * as vscode from 'vscode';
import type { Feature } from '../context.ts';
import { languageId } from '../languageClient.ts';

const emptyStage = /^\s*\|\s*$/;
const secondPipe = /^\s*\| +\|$/;
const lineBreak = /^\r?\n[ \t]*$/;

export const activate: Feature = () =>
  vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
    const [change, another] = contentChanges;
    const editor = vscode.window.activeTextEditor;
    if (change === undefined || another !== undefined || reason !== undefined) return;
    if (document.languageId !== languageId || editor?.document !== document) return;
    if (!change.range.isEmpty) return;
    const undone = { undoStopBefore: false, undoStopAfter: false };
    const line = document.lineAt(change.range.start.line);
    const indent = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
    if (change.text === '|' && secondPipe.test(line.text)) {
      void editor.edit((builder) => builder.replace(line.range, `${indent}|`), undone);
      return;
    }
    if (!lineBreak.test(change.text)) return;
    const below = document.lineAt(line.lineNumber + 1);
    // Only behind the pipe: a break before it makes room for a stage, and the pipe is wanted.
    if (!emptyStage.test(line.text) || !below.isEmptyOrWhitespace) return;
    const both = new vscode.Range(line.range.start, below.range.end);
    void editor.edit((builder) => builder.replace(both, indent), undone);
  });
