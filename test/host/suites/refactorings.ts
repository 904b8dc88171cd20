// Refactorings from the editor's own menu: a value to a let and back, each undone in one step.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { focusEditor } from '../../../scripts/host/driver.ts';
import { openApl, until } from '../editing.ts';
import { withWindow } from '../window.ts';

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

  it('asks for the name of the let that it makes', async () => {
    const editor = await openApl(query);
    const { selection } = editor;
    await withWindow(async (page) => {
      await focusEditor(page, 'Untitled');
      // The click that brings the focus also moves the cursor.
      editor.selection = selection;
      await vscode.commands.executeCommand('editor.action.codeAction', {
        kind: 'refactor.extract',
        apply: 'first',
      });
      const name = page.locator('.rename-box input.rename-input');
      await name.fill('least');
      await name.press('Enter');
    });
    const renamed = 'let least = 400;\nprint taken = 500\n| where taken >= least\n';
    await until(renamed, () => (editor.document.getText() === renamed ? true : undefined));
  });
});
