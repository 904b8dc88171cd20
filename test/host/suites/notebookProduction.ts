// A notebook that keeps outputs, over a deployment whose results are not kept: no row reaches the file, and the cell
// says so, whatever the notebook, its cells and the settings of the folder say.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { describeDeployments, startAnother } from '../describeDeployments.ts';
import { until } from '../editing.ts';
import { fileText, openNotebook, outputText, picture, runAll } from '../notebookPages.ts';
import type { OtherDeployment } from '../otherDeployment.ts';
import { withWindow } from '../window.ts';

const NOT_SAVED = 'Output not saved';

/** The cells of a notebook from elsewhere, which keeps outputs. */
const foreign = (deployment: string) =>
  fileText([
    { kind: 'apl', deployment, source: ['print secret = "4111-1111"'] },
    { kind: 'apl', source: [`// deployment: ${deployment}`, 'print secret = "4222-2222"'] },
    { kind: 'apl', source: ['print open = "of this machine"'] },
  ]).replace('"version": 1,', '"version": 1,\n  "keepOutputs": true,');

/** Saves a notebook and reads its file. A save that an edit of the extension overtakes is repeated. */
async function savedText(notebook: vscode.NotebookDocument): Promise<string> {
  await until('The saved notebook', async () => (await notebook.save()) || undefined);
  return readFile(notebook.uri.fsPath, 'utf8');
}

describe('a notebook that keeps outputs', () => {
  let live: OtherDeployment;

  before(async () => {
    await vscode.commands.executeCommand('aplomb.startLocal');
    live = await startAnother();
    const { url, token } = live;
    await describeDeployments([
      { name: 'Live', url, token, production: true },
      { name: 'Private', url, token, keepResults: false },
    ]);
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await describeDeployments([]);
    await live.stop();
  });

  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  for (const deployment of ['Live', 'Private']) {
    it(`saves no row of ${deployment}, and says so at the cells`, async () => {
      const notebook = await openNotebook(foreign(deployment));
      await runAll(notebook);
      for (const cell of notebook.getCells()) {
        assert.equal(cell.executionSummary?.success, true);
        assert.equal(outputText(cell, 'text/plain'), '1 row');
      }
      // The cells are saved one after another, so the last one's rows come after those of the others.
      await until(
        'The rows of the last cell',
        () => notebook.cellAt(2).metadata['kept'] as unknown,
      );
      const saved = await savedText(notebook);
      assert.match(saved, /\["of this machine"\]/);
      assert.doesNotMatch(saved, /\["4\d{3}-\d{4}"\]/);
      assert.equal(saved.match(/"outputs"/g)?.length, 1);
      await withWindow(async (page) => {
        const bars = page.locator('.cell-statusbar-container');
        const found = await until('The status bars of the cells', async () => {
          const texts = await bars.allTextContents();
          const shown = texts.filter((text) => text.trim() !== '');
          return shown.length >= 3 ? shown : undefined;
        });
        assert.equal(found.filter((text) => text.includes(NOT_SAVED)).length, 2, found.join('\n'));
        await picture(page, `notebook-${deployment.toLowerCase()}`);
      });
    });
  }

  it('saves none when asked after the cells have run, and says nothing where it keeps none', async () => {
    const text = foreign('Live').replace('\n  "keepOutputs": true,', '');
    const notebook = await openNotebook(text);
    await runAll(notebook);
    await withWindow(async (page) => {
      const bars = await page.locator('.cell-statusbar-container').allTextContents();
      assert.doesNotMatch(bars.join('\n'), new RegExp(NOT_SAVED));
    });
    await vscode.commands.executeCommand('aplomb.notebook.keepOutputs');
    await until('The rows of the last cell', () => notebook.cellAt(2).metadata['kept'] as unknown);
    const saved = await savedText(notebook);
    assert.match(saved, /\["of this machine"\]/);
    assert.doesNotMatch(saved, /\["4\d{3}-\d{4}"\]/);
  });
});
