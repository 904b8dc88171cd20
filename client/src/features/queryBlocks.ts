// Queries in fenced Markdown blocks: starts the language server, and sets the context key for Run Query.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { markdownId } from '../languageServer/languageClient.ts';
import { isInQuery } from '../query/inEditor.ts';

const inBlockKey = 'aplomb.inQueryBlock';
const settleMs = 50;

export function activate({ language, log }: Context): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let inBlock = false;
  const look = async (): Promise<void> => {
    const editor = vscode.window.activeTextEditor;
    const found =
      editor !== undefined &&
      isMarkdown(editor.document) &&
      (await isInQuery(language, editor.document, editor.selection.active));
    if (found === inBlock) return;
    inBlock = found;
    await vscode.commands.executeCommand('setContext', inBlockKey, found);
  };
  const lookSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      look().catch((error) => log.error('Looking for a query in Markdown', error));
    }, settleMs);
  };
  lookSoon();
  return vscode.Disposable.from(
    new vscode.Disposable(() => clearTimeout(timer)),
    language.onDidOpen(lookSoon),
    vscode.window.onDidChangeActiveTextEditor(lookSoon),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (isMarkdown(textEditor.document)) lookSoon();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isMarkdown(document)) lookSoon();
    }),
  );
}

function isMarkdown({ languageId }: vscode.TextDocument): boolean {
  return languageId === markdownId;
}
