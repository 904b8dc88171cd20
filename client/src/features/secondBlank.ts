// Removes a space that the user types right after a completion that ends in a space. The completion inserts that space
// in order to suggest the next items at once.
import * as vscode from 'vscode';
import type { Feature } from '../context.ts';
import { languageId } from '../host/languageId.ts';
import { suggest } from '../host/suggest.ts';
import { editing } from '../languageServer/pendingEdits.ts';
import { tidy } from '../languageServer/tidy.ts';

const wordAndBlank = /^\S+ $/;

export const activate: Feature = () => {
  /** The end position of the last inserted completion, if it ends in a space. */
  let put: { document: vscode.TextDocument; version: number; end: number } | undefined;
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
    if (document.languageId !== languageId) return;
    const [change, another] = contentChanges;
    if (change === undefined) return;
    const last = put;
    put = undefined;
    if (another !== undefined || reason !== undefined) return;
    const { rangeOffset, rangeLength, text } = change;
    if (wordAndBlank.test(text)) {
      put = { document, version: document.version, end: rangeOffset + text.length };
      return;
    }
    const isNext = last?.document === document && last.version + 1 === document.version;
    if (text !== ' ' || rangeLength > 0 || !isNext || last.end !== rangeOffset) return;
    const editor = vscode.window.activeTextEditor;
    if (editor?.document !== document) return;
    const start = document.positionAt(rangeOffset);
    const blank = new vscode.Range(start, start.translate(0, 1));
    const both = new vscode.Range(start.translate(0, -1), blank.end);
    const find = (now: vscode.TextDocument) =>
      now.getText(both) === '  ' ? { range: blank, text: '' } : undefined;
    void editing(document, tidy(editor, find)).then((done) => done && suggest(document));
  });
};
