// Running a query: rows in the results view as the screen shows them, and errors of the service where
// they belong in the text.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { focusEditor, readResults } from '../../../scripts/host/driver.ts';
import { openApl, problem } from '../editing.ts';
import { withWindow } from '../window.ts';

describe('running a query', () => {
  it('shows its rows in the results view after Shift+Enter', async () => {
    await openApl('datatable (city: string, n: long) ["Lisbon", 3, "Kraków", 9007199254740993]\n');
    const shown = await withWindow(async (page) => {
      await focusEditor(page, 'Untitled');
      await page.keyboard.press('Shift+Enter');
      return readResults(page, (results) => results.rows.length === 2);
    });
    assert.deepEqual(shown.columns, ['city', 'n']);
    assert.deepEqual(shown.rows, [
      ['Lisbon', '3'],
      ['Kraków', '9007199254740993'],
    ]);
    assert.ok(
      shown.status.some((part) => part.startsWith('2 rows')),
      shown.status.join(' · '),
    );
  });

  it('marks an unknown dataset inside a join on the third line, as the service reports it', async () => {
    const apl = 'orders\n| where status >= 200\n| join kind=inner (no_such_data) on customer\n';
    const { document } = await openApl(`$0${apl}`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    const found = await problem(document, /no_such_data/);
    assert.equal(found.source, 'APL service');
    assert.equal(found.range.start.line, 2);
    assert.equal(document.getText(found.range), 'no_such_data');
  });

  it('shows the reason of a refused query in the results view', async () => {
    await openApl('no_such_data\n| count\n');
    await vscode.commands.executeCommand('aplomb.runQuery');
    const shown = await withWindow((page) =>
      readResults(page, (results) => results.message.includes('no_such_data')),
    );
    assert.deepEqual(shown.rows, []);
  });
});
