// Quick fixes in the editor: by the key for the preferred one, for all on request, and by the menu.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openApl, problem, until } from '../editing.ts';

/** Waits until the document reads so. */
const reads = (document: vscode.TextDocument, text: string) =>
  until(`The text ${text}`, () => document.getText() === text || undefined);

/**
 * Waits until an action is offered. The mark may be there a moment before it is, when the server has been notified
 * of another change.
 */
const offered = (document: vscode.TextDocument, range: vscode.Range, title: RegExp) =>
  until(`The action ${title}`, async () => {
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );
    return actions.find((action) => title.test(action.title));
  });

/** Fixes by a command, which does nothing while the editor does not know the problem yet. */
async function fixes(
  command: string,
  document: vscode.TextDocument,
  expected: string,
): Promise<void> {
  await until(`The text ${expected}`, async () => {
    if (document.getText() !== expected) await vscode.commands.executeCommand(command);
    return document.getText() === expected || undefined;
  });
}

describe('quick fixes', () => {
  it('mend a misspelt function, and one undo brings it back', async () => {
    const broken = 'orders\n| summarize coutn() by status\n';
    const { document } = await openApl('orders\n| summarize co$0utn() by status\n');
    const { range } = await problem(document, /count\(\)/);
    await offered(document, range, /count/);
    await fixes('editor.action.autoFix', document, 'orders\n| summarize count() by status\n');
    await vscode.commands.executeCommand('undo');
    await reads(document, broken);
  });

  it('mend in the whole file what is certain, as on saving', async () => {
    const { document } = await openApl(
      'orders\n| where status = 200$0\n\norders\n| where a > 1 && b < 2\n',
    );
    const { range } = await problem(document, /Use '==' to compare/);
    await offered(document, range, /==/);
    await fixes(
      'editor.action.fixAll',
      document,
      'orders\n| where status == 200\n\norders\n| where a > 1 and b < 2\n',
    );
  });

  it('suppress a warning with a comment', async () => {
    const { document } = await openApl('orders\n| sample 10$00\n');
    const found = await problem(document, /ratio between 0 and 1/);
    const suppressing = await offered(
      document,
      found.range,
      /^Suppress sample-ratio for this line$/,
    );
    assert.ok(suppressing.edit && (await vscode.workspace.applyEdit(suppressing.edit)));
    const silent = () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .every(({ message }) => message !== found.message);
    await until('Suppress', () => silent() || undefined);
    assert.equal(
      document.getText(),
      'orders\n// aplomb-disable-next-line sample-ratio\n| sample 100\n',
    );
  });
});
