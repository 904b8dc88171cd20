// Running a query: rows in the results view as the screen shows them, and errors of the service where
// they belong in the text.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { focusEditor, readResults } from '../../../scripts/host/driver.ts';
import { openApl, problem, until } from '../editing.ts';
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

  it('marks an unknown dataset inside a join, as the service reports it', async () => {
    const apl =
      '// aplomb-disable-file unknown-dataset\n\norders\n| join kind=inner (no_such_data) on customer\n';
    const { document } = await openApl(apl.replace('orders', 'orders$0'));
    await vscode.commands.executeCommand('aplomb.runQuery');
    const found = await problem(document, /no_such_data/);
    assert.equal(found.source, 'APL service');
    assert.equal(found.range.start.line, 3);
    assert.equal(document.getText(found.range), 'no_such_data');
  });

  it('lists an error once that the language server and the service both find', async () => {
    const { document } = await openApl('print a = 1\n| where b$0 > 1\n');
    await problem(document, /Unknown column 'b'/);
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow((page) => readResults(page, ({ message }) => message.includes('b')));
    assert.deepEqual(
      vscode.languages.getDiagnostics(document.uri).map(({ source }) => source),
      ['APL'],
    );
    // Once the language server has nothing against the line, what the service said of it is of use.
    const settings = vscode.workspace.getConfiguration('aplomb.diagnostics');
    await settings.update('disabled', ['unknown-column'], vscode.ConfigurationTarget.Global);
    try {
      await until('The error of the service', () => {
        const [found, another] = vscode.languages.getDiagnostics(document.uri);
        return (found?.source === 'APL service' && !another) || undefined;
      });
    } finally {
      await settings.update('disabled', undefined, vscode.ConfigurationTarget.Global);
    }
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
