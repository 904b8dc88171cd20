// Show Plan: the text next to the query, replacing the plan before it, with timings, with errors at
// their place in the query, and what is said where a hosted deployment is in use.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { focusEditor, runCommand } from '../../../scripts/host/driver.ts';
import { openApl, problem, until } from '../editing.ts';
import { withWindow } from '../window.ts';

/** The plan's document, once its text matches. */
function planText(pattern: RegExp): Promise<vscode.TextDocument> {
  return until(`A plan that matches ${pattern}`, () =>
    vscode.workspace.textDocuments.find(
      ({ uri, getText }) => uri.scheme === 'aplomb-plan' && pattern.test(getText()),
    ),
  );
}

/** Presses a button of a notification. They are listed first: a window under test shows none by itself. */
async function pressInNotification(text: string, button: string): Promise<void> {
  await vscode.commands.executeCommand('notifications.showList');
  await withWindow((page) =>
    page
      .locator('.notifications-center .notification-list-item', { hasText: text })
      .getByRole('button', { name: button })
      .click(),
  );
  await vscode.commands.executeCommand('notifications.hideList');
}

describe('the plan of a query', () => {
  it('opens next to the query from the palette, and leaves the cursor in the query', async () => {
    const { document } = await openApl(
      'print never = 1\n\ndatatable (n: long) [1, 2, 3]\n| where n$0 > 1\n| count\n',
    );
    await withWindow(async (page) => {
      await focusEditor(page, 'Untitled');
      await runCommand(page, 'APL: Show Plan');
    });
    const plan = await planText(/^-- SQL\n/m);
    assert.match(plan.getText(), /^-- {3}\| where n > 1\n-- {3}\| count\n/m);
    assert.match(plan.getText(), /^-- {3}3 constant rows of n\n-- {3}where \(?n > 1\)?\n/m);
    assert.doesNotMatch(plan.getText(), /never/);
    await until('The colors of SQL', () => plan.languageId === 'sql' || undefined);
    assert.match(plan.uri.path, /^\/Plan of datatable [^.]*$/);
    const beside = await until('The editor of the plan', () =>
      vscode.window.visibleTextEditors.find((editor) => editor.document === plan),
    );
    assert.equal(beside.viewColumn, vscode.ViewColumn.Two);
    assert.equal(vscode.window.activeTextEditor?.document, document);
    const text = plan.getText();
    await vscode.window.showTextDocument(plan, { viewColumn: vscode.ViewColumn.Two });
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(plan.getText(), text);
  });

  it('takes the place of the plan before it when the query has changed', async () => {
    const { document } = await openApl('print n = 1\n| extend m = $02\n');
    const first = await vscode.commands.executeCommand<vscode.Uri>('aplomb.showPlan');
    await planText(/compute m = 2/);
    const change = new vscode.WorkspaceEdit();
    const digit = document.positionAt(document.getText().indexOf('2'));
    change.replace(document.uri, new vscode.Range(digit, digit.translate(0, 1)), '3');
    await vscode.workspace.applyEdit(change);
    await vscode.window.showTextDocument(document);
    const second = await vscode.commands.executeCommand<vscode.Uri>('aplomb.showPlan');
    assert.equal(String(first), String(second));
    await planText(/compute m = 3/);
  });

  it('shows with timings what the engine measured', async () => {
    await openApl('print n$0 = 1\n| extend measured = n\n');
    await vscode.commands.executeCommand('aplomb.showPlanWithTimings');
    const plan = await planText(/Total Time: [\d.]+s/);
    assert.match(plan.getText(), /measured/);
  });

  it('is refused where a run is, at the place in the text', async () => {
    const { document } = await openApl(
      'print n = 1\n// aplomb-disable-next-line unknown-dataset\n| join (no_such_plan$0) on n\n',
    );
    assert.equal(await vscode.commands.executeCommand('aplomb.showPlan'), undefined);
    const found = await problem(document, /no_such_plan/);
    assert.equal(found.source, 'APL service');
    assert.equal(document.getText(found.range), 'no_such_plan');
    await pressInNotification('Cannot show the plan.', 'Go to Line 3');
    const start = document.getText().indexOf('no_such_plan');
    await until('The cursor at the error', () => {
      const { activeTextEditor: editor } = vscode.window;
      const at = editor?.document === document && document.offsetAt(editor.selection.active);
      return at === start || undefined;
    });
  });

  it('offers to switch to the local deployment where another is in use', async () => {
    const settings = vscode.workspace.getConfiguration('aplomb');
    const hosted = [{ name: 'Elsewhere', url: 'https://elsewhere.example' }];
    await settings.update('deployments', hosted, vscode.ConfigurationTarget.Global);
    try {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Elsewhere');
      await openApl('print hosted$0 = 1\n');
      const asked = vscode.commands.executeCommand('aplomb.showPlan');
      await pressInNotification(
        'Show Plan is available only for deployments on this machine.',
        'Switch to Local',
      );
      assert.ok(await asked);
      await planText(/hosted/);
    } finally {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
      await settings.update('deployments', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
