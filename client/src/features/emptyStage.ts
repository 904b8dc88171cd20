// Tidies the empty `| ` that Enter inserts, because the language configuration cannot remove text. A second Enter
// removes the pipe. It leaves a blank line, which ends the query, or puts the cursor ahead of the closing bracket. A
// pipe that the user types replaces the inserted one.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { editing } from '../languageServer/pendingEdits.ts';
import { type Replacement, tidy } from '../languageServer/tidy.ts';
import { isInQuery, mayHaveQueries } from '../query/inEditor.ts';

const emptyStage = /^\s*\|\s*$/;
const secondPipe = /^(\s*)\| +\|/;
const lineBreak = /^\r?\n[ \t]*$/;
const closing = /^\s*[)\]}]/;

export function activate({ language, log }: Context): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
    const [change, another] = contentChanges;
    const editor = vscode.window.activeTextEditor;
    if (change === undefined || another !== undefined || reason !== undefined) return;
    if (editor?.document !== document || !change.range.isEmpty) return;
    const { line } = change.range.start;
    const find = tidyingFor(document, line, change.text);
    if (find === undefined || !mayHaveQueries(document)) return;
    const tidied = isInQuery(language, document, document.lineAt(line).range.end).then(
      (isIn) => isIn && tidy(editor, (now) => find(now, line)),
    );
    editing(document, tidied).catch((error) => log.error('Tidying a stage', error));
  });
}

/** Returns the edit to apply after text was typed in a line, if any. */
function tidyingFor(
  document: vscode.TextDocument,
  line: number,
  typed: string,
): typeof onePipe | undefined {
  const { text } = document.lineAt(line);
  // Check only the start, because the text may be an entire pasted stage.
  if (typed.startsWith('|')) return secondPipe.test(text) ? onePipe : undefined;
  if (!lineBreak.test(typed) || !emptyStage.test(text)) return undefined;
  // Keep the pipe, because a line break before it makes room for a stage.
  return document.lineAt(line + 1).isEmptyOrWhitespace ? noPipe : undefined;
}

function onePipe(document: vscode.TextDocument, line: number): Replacement | undefined {
  if (line >= document.lineCount) return undefined;
  const [both, indent] = secondPipe.exec(document.lineAt(line).text) ?? [];
  if (both === undefined || indent === undefined) return undefined;
  return { range: new vscode.Range(line, indent.length, line, both.length - 1), text: '' };
}

function noPipe(document: vscode.TextDocument, line: number): Replacement | undefined {
  if (line + 1 >= document.lineCount) return undefined;
  const stage = document.lineAt(line);
  const below = document.lineAt(line + 1);
  if (!emptyStage.test(stage.text)) return undefined;
  if (below.isEmptyOrWhitespace && isInBrackets(document, line + 2)) {
    const indent = stage.text.slice(0, stage.firstNonWhitespaceCharacterIndex);
    return { range: new vscode.Range(stage.range.start, below.range.end), text: indent };
  }
  const end = new vscode.Position(line + 1, below.firstNonWhitespaceCharacterIndex);
  return { range: new vscode.Range(stage.range.start, end), text: '\n' };
}

function isInBrackets(document: vscode.TextDocument, line: number): boolean {
  for (let at = line; at < document.lineCount; at++) {
    const { text, isEmptyOrWhitespace } = document.lineAt(at);
    if (!isEmptyOrWhitespace) return closing.test(text);
  }
  return false;
}
