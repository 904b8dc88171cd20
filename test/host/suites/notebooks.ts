// Notebooks in the window: cells run with one that fails in the middle, rows as the output draws them, the file
// that is saved, opened again and compared, and the language server inside cells.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { formInResults } from '../../../scripts/host/driver.ts';
import { problem, until, workspaceFile } from '../editing.ts';
import {
  drawnRows,
  edit,
  errorMime,
  fileText,
  openNotebook,
  outputFrame,
  outputText,
  picture,
  reveal,
  runAll,
} from '../notebookPages.ts';
import { withWindow } from '../window.ts';

const cities = `let cities = datatable (city: string, n: long)
  ["Lisbon", 3, "Kraków", 9007199254740993];
cities`;

const sources = [
  { kind: 'markdown', source: ['# Cities', '', 'Counted by *hand*.'] },
  { kind: 'apl', source: cities.split('\n') },
  { kind: 'apl', source: ['let most = 5;'] },
  {
    kind: 'apl',
    source: ['// aplomb-disable-file unknown-dataset', '', 'no_such_data', '| count'],
  },
  { kind: 'apl', range: 'last 7 days', source: ['cities | where n <= most | project city, n'] },
];

describe('a notebook', () => {
  before(() => vscode.commands.executeCommand('workbench.action.closePanel'));
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('runs all cells although one in the middle fails, and draws their rows', async () => {
    const notebook = await openNotebook(fileText(sources));
    await runAll(notebook);
    const results = notebook
      .getCells()
      .map(({ executionSummary }) => executionSummary?.success ?? null);
    assert.deepEqual(results, [null, true, true, false, true]);
    const failure = outputText(notebook.cellAt(3), errorMime);
    assert.match(failure, /no_such_data/);
    assert.match(failure, /Line 3 of this cell/);
    const found = await problem(notebook.cellAt(3).document, /no_such_data/);
    assert.equal(found.source, 'APL service');
    assert.equal(notebook.cellAt(3).document.getText(found.range), 'no_such_data');
    assert.equal(outputText(notebook.cellAt(4), 'text/plain'), '1 row');
    await withWindow(async (page) => {
      assert.deepEqual((await drawnRows(page, 2)).slice(0, 2), [
        ['Lisbon', '3'],
        ['Kraków', '9007199254740993'],
      ]);
      await picture(page, 'notebook');
      reveal(4);
      assert.deepEqual((await drawnRows(page, 3)).at(-1), ['Lisbon', '3']);
    });
    assert.equal(notebook.isDirty, false);
  });

  it('marks an error of a let in the cell that declares it', async () => {
    const disabled = '// aplomb-disable-file unknown-dataset\n\n';
    const notebook = await openNotebook(
      fileText([
        { kind: 'apl', source: `${disabled}let bad = no_such_table | count;`.split('\n') },
        { kind: 'apl', source: ['bad | take 1'] },
      ]),
    );
    await runAll(notebook);
    assert.match(outputText(notebook.cellAt(1), errorMime), /Line 3 of cell 1, in the let bad/);
    const found = await problem(notebook.cellAt(0).document, /no_such_table/);
    assert.equal(notebook.cellAt(0).document.getText(found.range), 'no_such_table');
  });

  it('is saved as it was opened, and a change of a cell changes its line alone', async () => {
    const text = fileText(sources);
    const notebook = await openNotebook(text);
    await edit(notebook.cellAt(2), 'let most = 7;');
    assert.ok(await notebook.save());
    const saved = await readFile(notebook.uri.fsPath, 'utf8');
    assert.equal(saved, text.replace('let most = 5;', 'let most = 7;'));
    await runAll(notebook);
    assert.ok(await notebook.save());
    assert.equal(await readFile(notebook.uri.fsPath, 'utf8'), saved);
  });

  it('saves rows when asked, shows them after it is opened again, and removes them', async () => {
    const text = fileText([{ kind: 'apl', source: ['range_rows'] }]).replace(
      'range_rows',
      'print city = \\"Lisbon\\", none = int(null)',
    );
    const notebook = await openNotebook(text);
    await vscode.commands.executeCommand('aplomb.notebook.keepOutputs');
    await runAll(notebook);
    await until('The saved rows', () => notebook.cellAt(0).metadata['kept'] as unknown);
    assert.ok(await notebook.save());
    const saved = await readFile(notebook.uri.fsPath, 'utf8');
    assert.match(saved, /"keepOutputs": true/);
    assert.match(saved, /\n {12}\["Lisbon",null\]\n/);
    // Another file, since a notebook that is closed stays in memory for a while.
    const again = await openNotebook(saved);
    assert.equal(again.cellAt(0).outputs.length, 1);
    await withWindow(async (page) => {
      const frame = await outputFrame(page, '.saved td');
      assert.deepEqual(await frame.locator('.saved td').allTextContents(), ['Lisbon', '∅']);
    });
    // Rows of cells that have not run since are kept.
    await vscode.commands.executeCommand('aplomb.notebook.keepOutputs');
    assert.ok(await again.save());
    assert.equal(await readFile(again.uri.fsPath, 'utf8'), saved);
    await vscode.commands.executeCommand('aplomb.notebook.dropOutputs');
    assert.ok(await again.save());
    assert.equal(await readFile(again.uri.fsPath, 'utf8'), text);
  });

  it('of another version is not opened, and its file stays', async () => {
    const text = '{ "version": 9, "cells": "of another kind" }';
    const uri = await workspaceFile('newer.aplnb', text);
    await assert.rejects(async () => vscode.workspace.openNotebookDocument(uri), /version 9/);
    assert.equal(await readFile(uri.fsPath, 'utf8'), text);
  });

  it('has a time range and a deployment that its cells follow', async () => {
    const notebook = await openNotebook(fileText(sources.slice(1)));
    await vscode.commands.executeCommand('aplomb.notebook.setTimeRange', notebook.uri, '2d');
    await vscode.commands.executeCommand(
      'aplomb.notebook.setCellTimeRange',
      notebook.cellAt(1),
      '3h',
    );
    assert.equal(notebook.metadata['range'], 'last 2 days');
    await withWindow((page) =>
      until('The ranges in the status bars', async () => {
        const texts = await page.locator('.cell-statusbar-container').allTextContents();
        const all = texts.join(' ');
        return (
          ['last 2 days', 'last 3 hours', 'last 7 days', 'Local'].every((text) =>
            all.includes(text),
          ) || undefined
        );
      }),
    );
    assert.ok(await notebook.save());
    const saved = JSON.parse(await readFile(notebook.uri.fsPath, 'utf8'));
    assert.equal(saved.range, 'last 2 days');
    assert.equal(saved.cells[1].range, 'last 3 hours');
    await assert.rejects(
      async () =>
        vscode.commands.executeCommand('aplomb.notebook.setDeployment', notebook.uri, 'Nowhere'),
      /no deployment 'Nowhere'/,
    );
  });

  it('has completion, problems, definitions and rename in its cells', async () => {
    const notebook = await openNotebook(
      fileText([
        { kind: 'apl', source: cities.split('\n') },
        { kind: 'apl', source: ['cities | extend twice = n * 2 | where twice > 4 and '] },
        { kind: 'apl', source: ['cities | where m > 1'] },
      ]),
    );
    const { document } = notebook.cellAt(1);
    const end = new vscode.Position(0, document.lineAt(0).text.length);
    const list = await until('The columns of a let of another cell', async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        end,
      );
      const labels = found.items.map(({ label }) =>
        typeof label === 'string' ? label : label.label,
      );
      return labels.includes('twice') ? labels : undefined;
    });
    assert.ok(list.includes('city'), list.slice(0, 10).join());
    const found = await problem(notebook.cellAt(2).document, /Unknown column 'm'/);
    assert.equal(found.source, 'APL');
    assert.deepEqual(vscode.languages.getDiagnostics(notebook.cellAt(0).document.uri), []);
    const [definition] = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      new vscode.Position(0, 2),
    );
    assert.equal(definition?.uri.toString(), notebook.cellAt(0).document.uri.toString());
    const at = new vscode.Position(0, document.lineAt(0).text.indexOf('twice') + 1);
    const change = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      at,
      'doubled',
    );
    assert.ok(await vscode.workspace.applyEdit(change));
    assert.equal(document.getText(), 'cities | extend doubled = n * 2 | where doubled > 4 and ');
    await edit(notebook.cellAt(2), 'cities | where n > 1');
    await until('The problem to go', () => {
      const left = vscode.languages.getDiagnostics(notebook.cellAt(2).document.uri);
      return left.length === 0 || undefined;
    });
    await edit(notebook.cellAt(0), 'let towns = datatable (city: string) ["Lisbon"];');
    await problem(notebook.cellAt(2).document, /cities/);
  });

  it('shows the answer of a cell as a chart and as a table', async () => {
    const series =
      'range_of = datatable (at: datetime, n: long) [datetime(2026-01-01), 1, datetime(2026-01-02), 5, datetime(2026-01-03), 2];';
    const notebook = await openNotebook(
      fileText([
        { kind: 'apl', source: [`let ${series}`] },
        {
          kind: 'apl',
          source: ['range_of | summarize total = sum(n) by bin(at, 1d) | sort by total asc'],
        },
      ]),
    );
    await runAll(notebook);
    await withWindow(async (page) => {
      const frame = await outputFrame(page, '.aplomb-output .answer');
      await frame.getByRole('button', { name: 'Chart' }).click();
      await frame
        .locator('.aplomb-output .chart-pane svg, .aplomb-output .chart-pane canvas')
        .first()
        .waitFor();
      await picture(page, 'notebook-chart');
      await frame.getByRole('button', { name: 'Table' }).click();
      const rows = await drawnRows(page, 3);
      assert.deepEqual(
        rows.map((row) => row.at(-1)),
        ['1', '2', '5'],
      );
    });
  });

  it('asks for the value of a parameter once for all its cells, also when it is opened again', async () => {
    const text = fileText([
      { kind: 'apl', source: ['declare query_parameters (least: long);', 'print first = least'] },
      { kind: 'apl', source: ['declare query_parameters (least: long);', 'print second = least'] },
    ]);
    const notebook = await openNotebook(text);
    const running = runAll(notebook);
    await withWindow(async (page) => {
      const form = await formInResults(page, 'least');
      await form.getByLabel('least').fill('7');
      await form.getByLabel('least').press('Enter');
      await running;
      assert.deepEqual(await drawnRows(page, 2), [['7'], ['7']]);
      const again = vscode.commands.executeCommand(
        'aplomb.notebook.runWithParameters',
        notebook.cellAt(1),
      );
      const second = await formInResults(page, 'least');
      assert.equal(await second.getByLabel('least').inputValue(), '7');
      await second.getByLabel('least').fill('8');
      await second.getByLabel('least').press('Enter');
      await again;
      assert.deepEqual(await drawnRows(page, 2), [['7'], ['8']]);
    });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const again = await vscode.workspace.openNotebookDocument(notebook.uri);
    await vscode.window.showNotebookDocument(again);
    await runAll(again);
    assert.equal(outputText(again.cellAt(1), 'text/plain'), '1 row');
  });

  it('is created by a command, with a cell to type in that Shift+Enter runs', async () => {
    await vscode.commands.executeCommand('aplomb.newNotebook');
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    assert.ok(notebook);
    assert.equal(notebook.notebookType, 'aplomb-notebook');
    assert.equal(notebook.cellAt(0).document.languageId, 'axiom-apl');
    await withWindow(async (page) => {
      await page.locator('.notebookOverlay .cell-editor-container .view-lines').last().click();
      await page.keyboard.type('print typed = 1 + 1');
      const { document } = notebook.cellAt(0);
      await until('The text', () => document.getText() === 'print typed = 1 + 1' || undefined);
      await page.keyboard.press('Shift+Enter');
      assert.deepEqual(await drawnRows(page, 1), [['2']]);
    });
  });
});
