// Filters that are added from a result and ranges that a bar selects: written where they belong, run at once,
// and undone by going back.
import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { readResults } from '../../../scripts/host/driver.ts';
import { chartFrame, choose, drag, loadSamples, plotBox, showChart } from '../chartFrames.ts';
import { context, openApl, until } from '../editing.ts';
import { fileText, openNotebook, outputFrame, runAll } from '../notebookPages.ts';
import { withWindow } from '../window.ts';

const logs = "['sample-http-logs']";
const byHost = `${logs}\n| summarize by_host = count() by host`;

const runQuery = () => vscode.commands.executeCommand('aplomb.runQuery');
const becomes = (document: vscode.TextDocument, wanted: RegExp | string) =>
  until(`A text that matches ${wanted}`, () => {
    const text = document.getText();
    return (typeof wanted === 'string' ? text === wanted : wanted.test(text)) || undefined;
  });

/** The query and the number of rows of the result in view, when nothing runs. */
function shown() {
  const { active } = context().tabs;
  if (active?.state.kind !== 'result') return undefined;
  const held = context().store.get(active.state.answer);
  return held && { query: held.about.query, rows: held.head.tables[0]?.rowCount };
}

const shows = (document: vscode.TextDocument, rows: number) =>
  until(`A result of ${rows} rows of the text`, () => {
    const now = shown();
    return now?.query === document.getText().trim() && now.rows === rows ? now : undefined;
  });

/** Waits for the way back above the result, and takes it. */
async function goBack(page: Page, filter: RegExp): Promise<void> {
  const frame = await until('The way back', async () => {
    for (const one of page.frames()) {
      const text = await one
        .locator('.status:has(.back)')
        .innerText({ timeout: 100 })
        .catch(() => '');
      if (filter.test(text)) return one;
    }
    return undefined;
  });
  await frame.click('.back');
}

/** The page whose table is in view. */
const grid = (page: Page) =>
  until('The grid', async () => {
    for (const one of page.frames())
      if ((await one.locator('.slick-row[data-row="0"]').count()) > 0) return one;
    return undefined;
  });

async function hover(page: Page, frame: Frame, hint: string, x: number, y: number) {
  await page.mouse.move(x, y);
  await frame.locator('.hit-box', { hasText: hint }).waitFor();
}

describe('a filter from a result', () => {
  before(loadSamples);
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('of a bar comes before the summarize, runs at once, and is undone by going back', async () => {
    const { document } = await openApl(`${byHost}\n`);
    await runQuery();
    const before = document.getText();
    const all = shown()?.rows as number;
    assert.ok(all > 1);
    await withWindow(async (page) => {
      await showChart(page, 'by_host');
      const bars = await chartFrame(page, /Top list/);
      const { x, y, width } = await plotBox(bars);
      await hover(page, bars, 'Click adds a filter', x + width / 3, y + 14);
      await page.mouse.click(x + width / 3, y + 14);
      await becomes(
        document,
        /^\['sample-http-logs'\]\n\| where host == 'web-\d'\n\| summarize by_host = count\(\) by host\n$/,
      );
      await shows(document, 1);
      assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
      await goBack(page, /Filtered by host == 'web-\d'/);
      await becomes(document, before);
      await shows(document, all);

      await choose(await chartFrame(page, /Top list/), 'Chart', 'pie');
      const pie = await chartFrame(page, /Pie/);
      const ring = await plotBox(pie);
      const slice = [
        ring.x + ring.width / 2 + Math.min(ring.width, ring.height) / 4,
        ring.y + ring.height / 2,
      ] as const;
      await hover(page, pie, 'Click adds a filter', ...slice);
      await page.keyboard.down('Alt');
      await page.mouse.click(...slice);
      await page.keyboard.up('Alt');
      await becomes(document, /\]\n\| where host != 'web-\d'\n\| summarize/);
      await shows(document, all - 1);
      // A text that was edited since is left alone.
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(1, 8), '1 == 1 and ');
      await vscode.workspace.applyEdit(edit);
      const edited = document.getText();
      await goBack(page, /Filtered by host != 'web-\d'/);
      await pie.locator('.back').waitFor({ state: 'detached' });
      assert.equal(document.getText(), edited);
    });
  });

  it('of a cell does the same in a table, one step back for each filter', async () => {
    const { document } = await openApl(`${logs}\n| summarize cells = count() by host, method\n`);
    await runQuery();
    await withWindow(async (page) => {
      await readResults(page, ({ columns }) => columns.includes('cells'));
      const texts = [document.getText()];
      for (const [column, condition] of [
        [1, /where host == 'web-\d'\n\| summarize/],
        [2, /where host == 'web-\d'\n\| where method == '[A-Z]+'\n\| summarize/],
        [3, /\n\| where cells == \d+\n$/],
      ] as const) {
        const frame = await grid(page);
        await frame.locator(`.slick-row[data-row="0"] .slick-cell.l${column}`).click();
        await vscode.commands.executeCommand('aplomb.results.addFilterToQuery');
        await becomes(document, condition);
        await until('Its result', () => shown()?.query === document.getText().trim() || undefined);
        texts.push(document.getText());
      }
      for (const [text, filter] of [
        [texts[2], /Filtered by cells == \d+/],
        [texts[1], /Filtered by method == /],
        [texts[0], /Filtered by host == /],
      ] as const) {
        await goBack(page, filter);
        await becomes(document, text ?? '');
        await until('Its result', () => shown()?.query === text?.trim() || undefined);
      }
    });
  });

  it('that is there already is not written again', async () => {
    const { document } = await openApl(
      `${logs}\n| project already = 1, method\n| where method == 'GET'\n`,
    );
    await runQuery();
    const before = document.getText();
    await withWindow(async (page) => {
      await readResults(page, ({ columns }) => columns.includes('already'));
      await (await grid(page)).locator('.slick-row[data-row="0"] .slick-cell.l2').click();
      await vscode.commands.executeCommand('aplomb.results.addFilterToQuery');
      // A window under test shows no notification by itself.
      await vscode.commands.executeCommand('notifications.showList');
      await page
        .locator('.notifications-center .notification-list-item', {
          hasText: 'The query already has this filter.',
        })
        .first()
        .waitFor();
      await vscode.commands.executeCommand('notifications.hideList');
    });
    assert.equal(document.getText(), before);
  });

  it('goes into the part of the query that was run', async () => {
    const { document } = await openApl(`${byHost}$0\n| project total = by_host\n`);
    await vscode.commands.executeCommand('aplomb.runToHere');
    await withWindow(async (page) => {
      await showChart(page, 'by_host');
      const bars = await chartFrame(page, /Top list/);
      const { x, y, width } = await plotBox(bars);
      await hover(page, bars, 'Click adds a filter', x + width / 3, y + 14);
      await page.mouse.click(x + width / 3, y + 14);
      const rest = '\n| summarize by_host = count() by host\n| project total = by_host\n';
      await becomes(document, new RegExp(`web-\\d'${rest.replace(/[|()]/g, '\\$&')}$`));
      const found = await until('Its result', () => (shown()?.rows === 1 ? shown() : undefined));
      assert.match(found.query, /by host$/);
      await goBack(page, /Filtered by/);
      await becomes(document, `${byHost}\n| project total = by_host\n`);
      await until('The result before', () => shown()?.query === byHost || undefined);
    });
  });

  it('is the range of the bin where a bar over time is clicked', async () => {
    const { document } = await openApl(
      `// range: 2h\n\n${logs}$0\n| summarize bins = count() by bin(_time, 5m)\n`,
    );
    const before = document.getText();
    await runQuery();
    const all = shown()?.rows as number;
    assert.ok(all > 2);
    await withWindow(async (page) => {
      const frame = await chartFrame(page, /Bar chart of 1 series/);
      const { x, y, width, height } = await plotBox(frame);
      await hover(page, frame, 'Click to set this time range', x + width * 0.7, y + height / 2);
      await page.mouse.click(x + width * 0.7, y + height / 2);
      await becomes(
        document,
        /^\/\/ range: \d{4}-\d\d-\d\d \d\d:\d[05] to \d\d:\d[05]\n\n\['sample/,
      );
      await until('The result of the bin', () => shown()?.rows === 1 || undefined);
      await goBack(page, /Back/);
      await becomes(document, before);
      await until('The result before', () => shown()?.rows === all || undefined);
    });
  });

  it('of the output of a cell goes into the cell, which runs again, and is taken out by going back', async () => {
    const apl = `${logs} | summarize requests = count() by bin_auto(_time), method`;
    const notebook = await openNotebook(fileText([{ kind: 'apl', source: [apl] }]));
    await runAll(notebook);
    const cell = notebook.cellAt(0);
    const filtered = `${logs} | where method == 'POST'${apl.slice(logs.length)}`;
    await withWindow(async (page) => {
      const add = '.aplomb-output [aria-label="Add POST as filter"]';
      await (await outputFrame(page, add)).locator(add).focus();
      await page.keyboard.press('Enter');
      await becomes(cell.document, filtered);
      const status = '.aplomb-output .status:has(.back)';
      const frame = await outputFrame(page, status);
      await frame.locator(status, { hasText: "Filtered by method == 'POST'" }).waitFor();
      // A range that is selected then is the first to be undone.
      await drag(page, frame, 0.55, 0.9);
      await until('The range', () => cell.metadata['range'] ?? undefined);
      await frame.locator(status, { hasNotText: 'Filtered by' }).waitFor();
      await frame.click(`${status} .back`);
      await until('No range', () => cell.metadata['range'] === undefined || undefined);
      assert.equal(cell.document.getText(), filtered);
      await frame.locator(status, { hasText: "Filtered by method == 'POST'" }).waitFor();
      await frame.click(`${status} .back`);
      await becomes(cell.document, apl);
      await outputFrame(page, add);
    });
  });
});
