// The results view in the window: menus as VS Code draws them, filters written into the query and undone,
// tabs, find by the keyboard, and what is shown again after the view was hidden.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { focusEditor } from '../../../scripts/host/driver.ts';
import { chartFrame } from '../chartFrames.ts';
import { context, openApl, until } from '../editing.ts';
import { withWindow } from '../window.ts';

const rows =
  'datatable (level: string, status: long, note: string, n: long)' +
  ' ["info", 200, "a", 1, "error", 500, "b", 9007199254740993, "error", 404, "c", 3, "warn", 200, "d", 4]';

/** The frame of the page that shows the grid with so many rows. */
function gridFrame(page: Page, wanted = 4): Promise<Frame> {
  return until('The grid', async () => {
    for (const frame of page.frames()) {
      const drawn = frame.locator(
        '#content:not(.dimmed) .slick-pane-right .slick-cell:not(:has(.pending)).l1',
      );
      if ((await drawn.count().catch(() => 0)) === wanted) return frame;
    }
    return undefined;
  });
}

const cell = (frame: Frame, row: number, column: number) =>
  frame.locator(`.slick-row[data-row="${row}"] .slick-cell.l${column}`);

async function choose(page: Page, ...labels: string[]): Promise<void> {
  for (const [index, label] of labels.entries()) {
    const item = page.locator('.monaco-menu .action-item', { hasText: label }).first();
    await item.waitFor();
    await item.hover();
    // A menu takes a click that comes with its opening for the one that opened it.
    await page.waitForTimeout(300);
    if (index === labels.length - 1) await item.click();
  }
}

async function shown(frame: Frame, column: number): Promise<string[]> {
  return frame.locator(`.slick-pane-right .slick-cell.l${column}`).allTextContents();
}

describe('the results view', () => {
  it('does what a command means with the result of the run before it', async () => {
    for (const name of ['former', 'latest']) {
      await openApl(
        `datatable (${name}: string, n: long) ["a", 1, "b", 2] | summarize sum(n) by ${name}\n`,
      );
      await vscode.commands.executeCommand('aplomb.runQuery');
      await vscode.commands.executeCommand('aplomb.results.showChart');
      const { active, tabs } = context().tabs;
      const viewOf = (tab: typeof active) =>
        tab?.state.kind === 'result' ? context().store.get(tab.state.answer)?.viewState : undefined;
      await until(
        `The chart of ${name}`,
        () => viewOf(active)?.tables[0]?.shown === 'chart' || undefined,
      );
      if (name === 'former') await vscode.commands.executeCommand('aplomb.results.showTable');
      else assert.notEqual(viewOf(tabs.at(-2))?.tables[0]?.shown, 'chart');
    }
  });

  it('has menus of cells that order, filter and copy', async () => {
    await openApl(`${rows}\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow(async (page) => {
      const frame = await gridFrame(page);
      await cell(frame, 1, 1).click({ button: 'right' });
      await choose(page, 'Show Only This Value');
      const filtered = await gridFrame(page, 2);
      assert.deepEqual(await shown(filtered, 1), ['error', 'error']);
      await filtered
        .locator('.slick-header-column', { hasText: 'status' })
        .click({ button: 'right' });
      await choose(page, 'Sort Ascending');
      await until('The order', async () =>
        (await shown(filtered, 2)).join() === '404,500' ? true : undefined,
      );
      await cell(filtered, 1, 4).click({ button: 'right' });
      await choose(page, 'Copy');
      const copied = await until('The copy', async () => {
        const text = await vscode.env.clipboard.readText();
        return text === '9007199254740993' ? text : undefined;
      });
      assert.equal(copied, '9007199254740993');
      await filtered.getByRole('button', { name: 'Clear Filters' }).click();
      await gridFrame(page, 4);
    });
  });

  it('counts the values of a column, from the menu of a cell', async () => {
    await openApl(`${rows}\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow(async (page) => {
      const frame = await gridFrame(page);
      await cell(frame, 0, 1).click({ button: 'right' });
      await choose(page, 'Top Values');
      await chartFrame(page, /level.*Top list/s);
      const { active } = context().tabs;
      assert.match(active?.query.text ?? '', /\n\| summarize .*count\(\) by level\n\| top 20 by/);
      await vscode.commands.executeCommand('aplomb.results.showTable');
      assert.deepEqual((await shown(await gridFrame(page, 3), 1)).sort(), [
        'error',
        'info',
        'warn',
      ]);
    });
  });

  it('writes a value into the query as a filter, which can be undone', async () => {
    const editor = await openApl(`${rows}\n| sort by n asc\n`);
    const before = editor.document.getText();
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow(async (page) => {
      const frame = await gridFrame(page);
      await cell(frame, 3, 4).click();
      await page.keyboard.press('Space');
      await frame.locator('.detail [role="treeitem"]', { hasText: '9007199254740993' }).click();
      await frame.getByRole('button', { name: 'Add as Filter' }).click();
      await until('The filter', () =>
        editor.document.getText() === `${rows}\n| where n == 9007199254740993\n| sort by n asc\n`
          ? true
          : undefined,
      );
      const filtered = await gridFrame(page, 1);
      await filtered.locator('.status', { hasText: 'Filtered by n == 9007199254740993' }).waitFor();
      await cell(filtered, 0, 4).click();
      await page.keyboard.press('Space');
      await filtered.locator('.detail [role="treeitem"]', { hasText: 'error' }).click();
      await filtered.getByRole('button', { name: 'Exclude' }).click();
      await until('The exclusion', () =>
        editor.document.getText().includes("| where level != 'error'\n") ? true : undefined,
      );
      await filtered.locator('.message', { hasText: 'No rows' }).waitFor();
    });
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    await until('The query as it was', () =>
      editor.document.getText() === before ? true : undefined,
    );
  });

  it('finds with Ctrl+F while it has the keyboard, and shows the same again after it was hidden', async () => {
    await openApl(`${rows}\n| extend again = level\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow(async (page) => {
      const frame = await gridFrame(page);
      await frame.locator('.slick-header-column', { hasText: 'status' }).click();
      await until('The order', async () =>
        (await shown(frame, 2)).join() === '200,200,404,500' ? true : undefined,
      );
      await cell(frame, 2, 3).click();
      // VS Code learns from the page that it has the keyboard, which takes a moment.
      await page.waitForTimeout(1_000);
      await page.keyboard.press('ControlOrMeta+f');
      await page.keyboard.type('error');
      await until('The count', async () =>
        (await frame.locator('.find-count').textContent())?.endsWith('of 4') ? true : undefined,
      );
      assert.equal(await frame.locator('.slick-cell .found').count(), 4);
      const active = await frame.locator('.slick-cell.active').textContent();
      await page.waitForTimeout(400);
      await vscode.commands.executeCommand('workbench.action.closePanel');
      await page.waitForTimeout(300);
      await vscode.commands.executeCommand('aplomb.results.focus');
      const again = await gridFrame(page);
      assert.deepEqual(await shown(again, 2), ['200', '200', '404', '500']);
      await until('The find', async () =>
        (await again.locator('.slick-cell .found').count()) === 4 ? true : undefined,
      );
      assert.equal(await again.locator('.slick-cell.active').textContent(), active);
    });
  });

  it('has the keyboard again after a command of the palette, if it had it before', async () => {
    const editor = await openApl(`${rows} | extend third = 3\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow(async (page) => {
      const frame = await gridFrame(page);
      const fitByPalette = async () => {
        await page.keyboard.press('F1');
        await page.locator('.quick-input-widget input').waitFor();
        await page.keyboard.type('Fit All Column Widths');
        await page
          .locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Fit All' })
          .waitFor();
        await page.keyboard.press('Enter');
        await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      };
      await cell(frame, 1, 2).click();
      // VS Code learns from the page that it has the keyboard, which takes a moment.
      await page.waitForTimeout(1_000);
      await fitByPalette();
      await until('The keyboard in the results', async () =>
        (await frame.evaluate(() => document.hasFocus())) ? true : undefined,
      );
      await page.keyboard.press('ArrowDown');
      await frame.locator('.slick-row[data-row="2"] .slick-cell.active').waitFor();
      await focusEditor(page, basename(editor.document.uri.path));
      await page.keyboard.press('Control+End');
      await page.waitForTimeout(500);
      await fitByPalette();
      await page.keyboard.type('// typed');
      await until('The text', () => editor.document.getText().endsWith('// typed') || undefined);
    });
  });

  it('keeps a tab for each query, and names, pins and closes them', async () => {
    const { tabs } = context();
    const editor = await openApl(`${rows} | take 1\n`);
    const uri = editor.document.uri.toString();
    const ofDocument = () => tabs.tabs.filter(({ query }) => query.place?.uri === uri);
    await vscode.commands.executeCommand('aplomb.runQuery');
    const { active } = tabs;
    assert.ok(active);
    assert.deepEqual(ofDocument(), [active]);
    await withWindow(async (page) => {
      const frame = await gridFrame(page, 1);
      const tab = frame.locator('[role="tab"][aria-selected="true"]');
      await tab.click({ button: 'right' });
      await choose(page, 'Rename Result');
      await until('The field', async () =>
        (await frame.evaluate(
          () => document.hasFocus() && document.activeElement?.classList.contains('tab-name'),
        ))
          ? true
          : undefined,
      );
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('mine');
      await page.keyboard.press('Enter');
      await until('The name', () => (tabs.active?.title === 'mine' ? true : undefined));
      await tab.click({ button: 'right' });
      await choose(page, 'Pin Result');
      await until('The pin', () => (tabs.active?.pinned ? true : undefined));
      await focusEditor(page, 'Untitled');
      await page.keyboard.press('Shift+Enter');
      await until('Another tab', () => ofDocument().length === 2 || undefined);
    });
    await vscode.commands.executeCommand('aplomb.results.closeTab', {
      aplombTab: active.id,
    });
    assert.equal(tabs.tab(active.id), undefined);
  });
});
