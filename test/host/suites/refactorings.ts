// Refactorings from the editor's own menu: a value to a let and back, each undone in one step.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openApl, until } from '../editing.ts';

/** Runs the action whose title begins so, as the menu of refactorings does. */
async function refactor(editor: vscode.TextEditor, title: string): Promise<void> {
  const { document, selection } = editor;
  const action = await until(title, async () => {
    const offered = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      selection,
      vscode.CodeActionKind.Refactor.value,
    );
    return offered.find((one) => one.title.startsWith(title));
  });
  assert.ok(action.edit !== undefined);
  await vscode.workspace.applyEdit(action.edit);
}

describe('refactoring', () => {
  const query = 'print taken = 500\n| where taken >= 4$000\n';

  it('extracts a value to a let, and undo brings the query back', async () => {
    const editor = await openApl(query);
    await refactor(editor, 'Extract value');
    const extracted = 'let number = 400;\nprint taken = 500\n| where taken >= number\n';
    assert.equal(editor.document.getText(), extracted);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), query.replace('$0', ''));
  });

  it('inlines a let, and undo brings it back', async () => {
    const text = 'let least = 1 + 2;\nprint taken = 500\n| where taken >= 2 * lea$0st\n';
    const editor = await openApl(text);
    await refactor(editor, 'Inline let least');
    assert.equal(editor.document.getText(), 'print taken = 500\n| where taken >= 2 * (1 + 2)\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), text.replace('$0', ''));
  });
});
