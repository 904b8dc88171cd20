// Charts in the results view of the window: what is drawn, and the pointer over it.
import { readFile } from 'node:fs/promises';
import type { ConsoleMessage, Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { readResults } from '../../scripts/host/driver.ts';
import { context, openApl, until, workspaceFile } from './editing.ts';

/** Loads the sample data, whose events are of the hour before now, and asks for the last two. */
export async function loadSamples(): Promise<void> {
  await vscode.commands.executeCommand('aplomb.loadSampleData', { open: false, existing: 'keep' });
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await openApl('print 1');
  await vscode.commands.executeCommand('aplomb.setTimeRange', 'last 2h');
}

/** Shows the chart of a result that begins as a table, once the table has this column. */
export async function showChart(page: Page, column: string): Promise<void> {
  await readResults(page, ({ columns }) => columns.includes(column));
  await vscode.commands.executeCommand('aplomb.results.showChart');
}

/** Waits for the frame with a chart whose description matches, drawn. */
export function chartFrame(page: Page, description: RegExp): Promise<Frame> {
  return until(`A chart that matches ${description}`, async () => {
    const active = context().tabs.active?.id;
    for (const frame of page.frames()) {
      const found = await frame
        .evaluate((tab) => {
          const drawn = document.querySelector('#content:not(.dimmed, [aria-busy]) .chart-view');
          // The page may still show the tab of an earlier run. Other pages have no tabs.
          const shown = document.querySelector<HTMLElement>('.tab-holder.selected')?.dataset.tab;
          if (drawn === null || (shown !== undefined && shown !== tab)) return '';
          const lines = document.querySelectorAll('.log-line').length;
          if (lines > 0) return `Log stream of ${lines} lines`;
          const plot = document.querySelector('.plot[aria-label]');
          return plot?.querySelector('canvas') ? (plot.getAttribute('aria-label') ?? '') : '';
        }, active)
        .catch(() => '');
      if (found !== '' && description.test(found)) return frame;
    }
    return undefined;
  });
}

/** How many pixels of the chart are painted. */
export function paintedPixels(frame: Frame): Promise<number> {
  return frame.evaluate(() => {
    let painted = 0;
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.plot canvas')) {
      const { width, height } = canvas;
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) painted += 1;
    }
    return painted;
  });
}

/** The colors of the legend by series, in its order. */
export function seriesColors(frame: Frame): Promise<Record<string, string>> {
  return frame.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('.series')].map((series) => [
        series.querySelector('.series-name')?.textContent ?? '',
        series.querySelector<HTMLElement>('.swatch')?.style.getPropertyValue('--swatch') ?? '',
      ]),
    ),
  );
}

/** Drags over the plot between two shares of its width. */
export async function drag(page: Page, frame: Frame, from: number, to: number): Promise<void> {
  const { x, y, width, height } = await plotBox(frame);
  await page.mouse.move(x + width * from, y + height / 3);
  await page.mouse.down();
  await page.mouse.move(x + width * to, y + height / 3, { steps: 5 });
  await page.mouse.up();
}

/** Where the plot is in the window. */
export async function plotBox(frame: Frame) {
  // The plot of a former answer may still be replaced.
  return until('The plot', async () => (await frame.locator('.plot').boundingBox()) ?? undefined);
}

export const choose = (frame: Frame, tool: string, value: string) =>
  frame.locator(`[data-tool="${tool}"]`).selectOption(value);

/** Saves the chart as a picture by the menu and the dialog, to a path in the workspace. */
export async function savePicture(
  page: Page,
  frame: Frame,
  choice: string,
  path: string,
): Promise<void> {
  await frame.click('[data-tool="Picture"]');
  await frame.getByRole('button', { name: choice, exact: true }).click();
  const field = page
    .locator('.quick-input-widget', { hasText: 'Save Picture' })
    .locator('input:visible')
    .first();
  // The dialog first fills in a name of its own.
  await until('The name', async () => /\/[^/]+\.\w+$/.test(await field.inputValue()) || undefined);
  await field.fill(path);
  await page.keyboard.press('Enter');
}

/** The text of the chart as it is drawn. */
export async function drawnText(page: Page, frame: Frame): Promise<string> {
  const file = await workspaceFile('drawn.svg', '');
  await vscode.workspace.fs.delete(file);
  await savePicture(page, frame, 'Save as SVG…', file.fsPath);
  return until('The picture', () => readFile(file.fsPath, 'utf8').catch(() => undefined));
}

/** Records what the pages of the extension complain of while `body` runs. */
export async function complaintsDuring(page: Page, body: () => Promise<void>): Promise<string[]> {
  const complaints: string[] = [];
  const record = (message: ConsoleMessage) => {
    const isOurs = /results\.js|charts\.js|Content Security Policy/i.test(
      `${message.location().url} ${message.text()}`,
    );
    if (isOurs && ['error', 'warning'].includes(message.type())) complaints.push(message.text());
  };
  const fail = (error: Error) => complaints.push(String(error));
  page.on('console', record);
  page.on('pageerror', fail);
  try {
    await body();
  } finally {
    page.off('console', record);
    page.off('pageerror', fail);
  }
  return complaints;
}
