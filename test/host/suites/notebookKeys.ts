// The keys that run a cell, typed in its editor and pressed on the cell itself.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import { until } from '../editing.ts';
import { fileText, openNotebook } from '../notebookPages.ts';
import { withWindow } from '../window.ts';

const sources = [
  { kind: 'apl', source: ['print first = 1'] },
  { kind: 'apl', source: ['print second = 2'] },
];

const ran = (cell: vscode.NotebookCell) =>
  until('The end of the run', () => cell.executionSummary?.success);

/** The cell that is selected. */
const selected = () => vscode.window.activeNotebookEditor?.selection.start;

const moves = (to: number) => until(`Cell ${to}`, () => selected() === to || undefined);

const editorOf = (page: Page, text: string) =>
  page.locator('.notebookOverlay .cell-editor-container .view-lines', { hasText: text });

/** Puts the cursor at the end of the first cell. */
async function enterFirstCell(page: Page): Promise<void> {
  await editorOf(page, 'first').click();
  await page.keyboard.press('End');
}

describe('the keys of a notebook', () => {
  let notebook: vscode.NotebookDocument;

  beforeEach(async () => {
    notebook = await openNotebook(fileText(sources));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('run a cell with Ctrl+Enter, and leave the cursor and the text as they are', async () => {
    await withWindow(async (page) => {
      await enterFirstCell(page);
      await page.keyboard.press('Control+Enter');
      assert.equal(await ran(notebook.cellAt(0)), true);
      await page.keyboard.type(' ');
      await until(
        'The cursor',
        () => notebook.cellAt(0).document.getText().endsWith(' ') || undefined,
      );
    });
    assert.equal(notebook.cellAt(0).document.getText(), 'print first = 1 ');
    assert.equal(notebook.cellCount, 2);
    assert.equal(selected(), 0);
    assert.equal(notebook.cellAt(1).executionSummary?.success, undefined);
  });

  it('run a cell that is selected with Ctrl+Enter', async () => {
    await withWindow(async (page) => {
      await enterFirstCell(page);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Enter');
      assert.equal(await ran(notebook.cellAt(0)), true);
    });
    assert.equal(notebook.cellAt(0).document.getText(), 'print first = 1');
    assert.equal(selected(), 0);
  });

  it('run a cell with Shift+Enter, and move to the next', async () => {
    await withWindow(async (page) => {
      await enterFirstCell(page);
      await page.keyboard.press('Shift+Enter');
      assert.equal(await ran(notebook.cellAt(0)), true);
      await moves(1);
    });
    assert.equal(notebook.cellCount, 2);
  });

  it('run a cell with Alt+Enter, and insert another below', async () => {
    await withWindow(async (page) => {
      await enterFirstCell(page);
      await page.keyboard.press('Alt+Enter');
      assert.equal(await ran(notebook.cellAt(0)), true);
      await until('The new cell', () => notebook.cellCount === 3 || undefined);
      await moves(1);
    });
    assert.deepEqual(
      notebook.getCells().map(({ document }) => document.getText()),
      ['print first = 1', '', 'print second = 2'],
    );
    assert.equal(notebook.cellAt(1).document.languageId, 'axiom-apl');
  });

  it('show the text of a Markdown cell with Ctrl+Enter', async () => {
    notebook = await openNotebook(fileText([{ kind: 'markdown', source: ['# Title'] }]));
    await withWindow(async (page) => {
      await vscode.commands.executeCommand('notebook.cell.edit');
      await editorOf(page, 'Title').click();
      await page.keyboard.press('End');
      await page.keyboard.press('Control+Enter');
      await editorOf(page, 'Title').waitFor({ state: 'hidden' });
    });
    assert.equal(notebook.cellAt(0).document.getText(), '# Title');
  });
});
