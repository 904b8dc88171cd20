// Notebooks in the window: opened, run, and the page of their outputs.
import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { until, workspaceFile } from './editing.ts';

export const fileText = (cells: unknown) => `${JSON.stringify({ version: 1, cells }, null, 2)}\n`;

let count = 0;

export async function openNotebook(text: string): Promise<vscode.NotebookDocument> {
  count += 1;
  const uri = await workspaceFile(`notebook-${count}.aplnb`, text);
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  await vscode.window.showNotebookDocument(notebook);
  return notebook;
}

export async function runAll(notebook: vscode.NotebookDocument): Promise<void> {
  await vscode.commands.executeCommand('notebook.execute', notebook.uri);
  await until('The end of all cells', () => {
    const cells = notebook.getCells().filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
    return cells.every((cell) => cell.executionSummary?.success !== undefined) || undefined;
  });
}

/** The text of an output in one of its forms. */
export function outputText(cell: vscode.NotebookCell, mime: string): string {
  const items = cell.outputs.flatMap(({ items }) => items.filter((item) => item.mime === mime));
  return items.map(({ data }) => new TextDecoder().decode(data)).join('\n');
}

export const errorMime = 'application/vnd.code.notebook.error';

/** The page of the outputs of the notebook that is open, once it has something that matches. */
export function outputFrame(page: Page, selector: string): Promise<Frame> {
  return until('The output', async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (found > 0) return frame;
    }
    return undefined;
  });
}

/** The rows that the outputs of the notebook draw, once there are as many. */
export async function drawnRows(page: Page, least: number): Promise<string[][]> {
  const frame = await outputFrame(page, '.aplomb-output .slick-row');
  return until('The rows of the outputs', async () => {
    // Rows are there before their cells are drawn.
    if ((await frame.locator('.aplomb-output .pending').count()) > 0) return undefined;
    const rows = await cellsOf(frame);
    return rows.length >= least ? rows : undefined;
  });
}

function cellsOf(frame: Frame): Promise<string[][]> {
  return frame
    .locator('.aplomb-output .slick-pane-right .slick-row')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('.slick-cell')].map((cell) => cell.textContent ?? ''),
      ),
    );
}

export async function edit(cell: vscode.NotebookCell, text: string): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  const { document } = cell;
  change.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(change));
}

/** Saves what the window shows, where pictures are wanted, in several themes. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.APLOMB_PICTURES;
  if (folder === undefined) return;
  const settings = vscode.workspace.getConfiguration('workbench');
  for (const theme of ['Default Light Modern', 'Default Dark Modern', 'Default High Contrast']) {
    await settings.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
    await page.waitForTimeout(1_500);
    await page.screenshot({ path: `${folder}/${name}-${theme.replaceAll(' ', '-')}.png` });
  }
  await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
}

/** Scrolls a cell into view: only what is in view is drawn. */
export function reveal(index: number): void {
  const range = new vscode.NotebookRange(index, index + 1);
  vscode.window.activeNotebookEditor?.revealRange(range, vscode.NotebookEditorRevealType.AtTop);
}
