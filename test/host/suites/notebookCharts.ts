// Charts below the cells of a notebook as a way back: to the range of the cell, to annotations, to earlier spans.
import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { fillInput } from '../../../scripts/host/driver.ts';
import { choose, drag, drawnText, loadSamples } from '../chartFrames.ts';
import { until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { fileText, openNotebook, outputFrame, picture, runAll } from '../notebookPages.ts';
import { withWindow } from '../window.ts';

const overTime = [
  "['sample-http-logs']",
  '| summarize requests = count() by bin_auto(_time), method',
];

/** The page of the outputs once it shows a chart, which is drawn. */
async function chartOf(page: Page): Promise<Frame> {
  const frame = await outputFrame(page, '.aplomb-output .chart-view .plot[aria-label]');
  await frame.locator('.aplomb-output .plot canvas').first().waitFor();
  return frame;
}

/** The range of the result that is shown, once it matches. */
async function rangeShown(frame: Frame, wanted: RegExp): Promise<string> {
  return until(`A result of the range ${wanted}`, async () => {
    const texts = await frame.locator('.aplomb-output .summary').allInnerTexts();
    return texts.find((text) => wanted.test(text));
  });
}

const lastTwoHours = /last 2 hours/;
const chosen = /\d{4}-\d\d-\d\d \d\d:\d\d\S* to /;

async function runWithChart(...source: string[]): Promise<vscode.NotebookDocument> {
  const notebook = await openNotebook(
    fileText([
      { kind: 'apl', source: ['let unused = 1;'] },
      { kind: 'apl', source },
    ]),
  );
  await runAll(notebook);
  return notebook;
}

describe('a chart below a cell', () => {
  before(async () => {
    await loadSamples();
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('sets the range of the cell by a drag, and goes back by the button and by Alt+Left', async () => {
    const notebook = await runWithChart(...overTime);
    const cell = notebook.cellAt(1);
    const { timeRange } = vscode.extensions.getExtension('aplomb.aplomb')?.exports ?? {};
    await withWindow(async (page) => {
      for (const back of ['button', 'Alt+Left']) {
        const frame = await chartOf(page);
        await rangeShown(frame, lastTwoHours);
        assert.equal(await frame.locator('.back').count(), 0);
        await drag(page, frame, 0.55, 0.9);
        await rangeShown(frame, chosen);
        assert.match(String(cell.metadata['range']), chosen);
        await page.locator('.cell-statusbar-container', { hasText: chosen }).waitFor();
        await frame.locator('.back').waitFor();
        if (back === 'button') {
          await picture(page, 'notebook-chart-range');
          await frame.click('.back');
        } else {
          await frame.locator('.plot').focus();
          await page.keyboard.press('Alt+ArrowLeft');
        }
        await rangeShown(frame, lastTwoHours);
        assert.equal(cell.metadata['range'], undefined);
        await frame.locator('.back').waitFor({ state: 'detached' });
      }
    });
    assert.equal(timeRange.value.start.kind, 'ago');
    assert.equal(notebook.cellAt(0).metadata['range'], undefined);
  });

  it('goes back through several ranges, in their order', async () => {
    const notebook = await runWithChart(...overTime);
    const cell = notebook.cellAt(1);
    await withWindow(async (page) => {
      const frame = await chartOf(page);
      await rangeShown(frame, lastTwoHours);
      const ranges: unknown[] = [cell.metadata['range']];
      for (const _ of [1, 2]) {
        await drag(page, await chartOf(page), 0.3, 0.9);
        await until('Another range', () => cell.metadata['range'] !== ranges.at(-1) || undefined);
        await rangeShown(frame, new RegExp(String(cell.metadata['range'])));
        await frame.locator('.back').waitFor();
        ranges.push(cell.metadata['range']);
      }
      assert.equal(new Set(ranges).size, 3);
      for (const former of ranges.slice(0, -1).reverse()) {
        await frame.click('.back');
        await until('The former range', () => cell.metadata['range'] === former || undefined);
        await rangeShown(frame, former === undefined ? lastTwoHours : new RegExp(String(former)));
      }
    });
  });

  it('changes the line of the cell that states its range, which can be undone', async () => {
    const notebook = await runWithChart('// range: 2h', '', ...overTime);
    const { document, metadata } = notebook.cellAt(1);
    const before = document.getText();
    await withWindow(async (page) => {
      const frame = await chartOf(page);
      await drag(page, frame, 0.9, 0.55);
      await rangeShown(frame, chosen);
      assert.match(document.getText(), /^\/\/ range: \d{4}-\d\d-\d\d .* to .*\n\n/);
      assert.equal(metadata['range'], undefined);
      await frame.click('.back');
      await until('The former line', () => document.getText() === before || undefined);
      await rangeShown(frame, lastTwoHours);
      await drag(page, frame, 0.9, 0.55);
      await until('The line', () => document.getText() !== before || undefined);
      await page.locator('.notebookOverlay .view-lines', { hasText: 'sample' }).click();
      await page.keyboard.press('ControlOrMeta+z');
      await until('The line as it was', () => document.getText() === before || undefined);
    });
  });

  it('does not go back to a range once the cell states its own, until that line is removed', async () => {
    const notebook = await runWithChart(...overTime);
    const cell = notebook.cellAt(1);
    const before = cell.document.getText();
    const write = async (text: string) => {
      const edit = new vscode.WorkspaceEdit();
      const lines = new vscode.Range(0, 0, cell.document.lineCount, 0);
      edit.replace(cell.document.uri, lines, text);
      await vscode.workspace.applyEdit(edit);
      await runAll(notebook);
    };
    await withWindow(async (page) => {
      const frame = await chartOf(page);
      await drag(page, frame, 0.55, 0.9);
      await rangeShown(frame, chosen);
      await frame.locator('.back').waitFor();
      await write(`// range: 1h\n\n${before}`);
      await rangeShown(frame, /last 1 hour/);
      assert.equal(await frame.locator('.back').count(), 0);
      await write(before);
      await rangeShown(frame, chosen);
      await frame.click('.back');
      await rangeShown(frame, lastTwoHours);
      assert.equal(cell.metadata['range'], undefined);
    });
  });

  it('has a range that can be undone in the notebook', async () => {
    const notebook = await runWithChart(...overTime);
    await withWindow(async (page) => {
      const frame = await chartOf(page);
      await drag(page, frame, 0.55, 0.9);
      await rangeShown(frame, chosen);
      await page.locator('.notebookOverlay .view-lines', { hasText: 'sample' }).click();
      const typing = page.locator('.notebookOverlay .cell-editor-container .monaco-editor.focused');
      await typing.waitFor();
      await page.keyboard.press('Escape');
      await typing.waitFor({ state: 'detached' });
      // The notebook takes the keyboard a moment after the editor has left it.
      await until('The range as it was', async () => {
        await page.keyboard.press('ControlOrMeta+z');
        await page.waitForTimeout(300);
        return notebook.cellAt(1).metadata['range'] === undefined || undefined;
      });
    });
  });

  it('has the colors of the theme, whose background the page of outputs does not have', async () => {
    await runWithChart(...overTime);
    await withWindow(async (page) => {
      const frame = await chartOf(page);
      // Grid lines are drawn over the background of the theme, and are hardly darker than a light one.
      const longest = await frame.evaluate(() => {
        const canvas = document.querySelector('.plot canvas') as HTMLCanvasElement;
        const { width, height } = canvas;
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
        let [longest, run] = [0, 0];
        for (let at = 0; at < pixels.length; at += 4) {
          const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.slice(at, at + 4);
          const isDark = alpha > 200 && Math.max(red, green, blue) < 0x60;
          run = isDark && at % (4 * width) !== 0 ? run + 1 : 0;
          longest = Math.max(longest, run);
        }
        return { longest, width };
      });
      assert.ok(longest.longest < longest.width / 4, JSON.stringify(longest));
    });
  });

  it('stores an annotation of a span, and draws it', async () => {
    await runWithChart(...overTime);
    try {
      await withWindow(async (page) => {
        const frame = await chartOf(page);
        await page.keyboard.down('Shift');
        await drag(page, frame, 0.6, 0.8);
        await page.keyboard.up('Shift');
        await fillInput(page, 'Add Annotation to sample-http-logs', 'Below a cell');
        const stored = await until('The annotation', async () => {
          const listed = (await askLocal('GET', '/v2/annotations')) as Record<string, unknown>[];
          return listed.find(({ title }) => title === 'Below a cell');
        });
        assert.deepEqual(stored['datasets'], ['sample-http-logs']);
        await picture(page, 'notebook-annotation');
        await until('The annotation in the chart', async () => {
          const drawn = await drawnText(page, frame);
          return drawn.includes('Below a cell') || undefined;
        });
      });
    } finally {
      const listed = (await askLocal('GET', '/v2/annotations')) as Record<string, string>[];
      for (const { title, id } of listed)
        if (title === 'Below a cell') await askLocal('DELETE', `/v2/annotations/${id}`);
    }
  });

  it('draws the same query over an earlier span, also after the cell runs again', async () => {
    const notebook = await runWithChart('// range: 30m', '', ...overTime);
    await withWindow(async (page) => {
      const frame = await chartOf(page);
      await choose(frame, 'Compare', '60');
      const difference = frame.getByRole('columnheader', { name: 'Difference' });
      await difference.waitFor();
      await picture(page, 'notebook-compare');
      await runAll(notebook);
      await chartOf(page);
      await difference.waitFor();
      await choose(frame, 'Compare', '');
      await difference.waitFor({ state: 'detached' });
    });
  });
});
