// What can be done with results that are kept: exported, compared, shown in the editor, and there again after a
// reload. By mouse and keyboard in one window; each test builds on those before it.
import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import {
  answerDialog,
  chooseInMenu,
  clickNotification,
  goToText,
  openFile,
  readNotification,
  readResults,
  reloadWindow,
  runCommand,
  treeRow,
} from '../../../scripts/host/driver.ts';
import { ingest, ingestButton, ingestPage, setDataset } from '../../../scripts/host/ingestPage.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { type OpenedWindow, openWindow } from '../openWindow.ts';

const bigNumber = '9007199254740993';
const queries = `print text = '=1+1', n = ${bigNumber}, empty = '', none = int(null)

print n = range(1, 5, 1) | mv-expand n to typeof(long) | project n, square = n * n
`;

/** Two rows of values that are easily lost on the way, and the names of columns that are. */
const project = `project i, big = 9007199254740993, most = 9223372036854775807, minus = -0.0, small = 1e-7,
  missing = iff(i == 0, long(null), 1), nan = iff(i == 0, real(nan), 2.5), empty = '',
  at = datetime(2026-01-01T00:00:00.123456789Z), emoji = '🙂é', rtl = '\u202eabc שלום',
  html = '<img src=x onerror=alert(1)>', formula = '=1+1', ['__proto__'] = 'p', ['constructor'] = 'c',
  ['a.b'] = 5, long = strcat_array(range(1, 160000, 1), ',')`;
const values = `print i = range(0, 1, 1) | mv-expand i to typeof(long)\n| ${project}\n`;
const columnsOfValues =
  "i, big, most, minus, small, missing, nan, empty, at, emoji, rtl, html, formula, ['__proto__'], constructor, ['a.b'], long";
const arranged = `print n = range(1, 6, 1) | mv-expand n to typeof(long)
| project n, even = n % 2 == 0, name = strcat('row ', n)
`;
const drawn =
  'datatable (host: string, n: long) ["web-1", 3, "web-2", 5]\n| summarize total = sum(n) by host\n';
const notebook = JSON.stringify({
  version: 1,
  cells: [
    drawn.trimEnd(),
    'datatable (first: long) [2, 3, 1]',
    'print edited = 1',
    'print broken = nowhere',
  ].map((source) => ({ kind: 'apl', source: source.split('\n') })),
});
const again = `['round'] | sort by i asc | project ${columnsOfValues}\n`;
const exactLine =
  /^\{"i":0,"big":9007199254740993,"most":9223372036854775807,"minus":-0\.0,"small":1e-0?7,"missing":null,"nan":null,"empty":"","at":"2026-01-01T00:00:00\.123456789Z","emoji":"🙂é","rtl":"\u202eabc שלום","html":"<img src=x onerror=alert\(1\)>","formula":"=1\+1","__proto__":"p","constructor":"c","a\.b":5,"long":"1,2,3,/;

describe('results that are kept', { timeout: 600_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;

  before(async () => {
    opened = await openWindow({
      'two.apl': queries,
      'values.apl': values,
      'again.apl': again,
      'arranged.apl': arranged,
      'drawn.apl': drawn,
      'fresh.apl': 'print fresh = 42\n',
      'cells.aplnb': notebook,
    });
    page = opened.page;
  });

  afterEach(async (context) => {
    const { name = '', error } = context as { name?: string; error?: unknown };
    const folder = process.env.APLOMB_PICTURES ?? (error ? join(distDirectory, 'test') : undefined);
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `kept-${name.replaceAll(/\W+/g, '-')}.png`) });
  });

  after(() => opened.close());

  /** Runs the query of the line with this text. */
  async function run(text: string, column: string): Promise<void> {
    await page.locator('.tab.active', { hasText: 'two.apl' }).waitFor();
    await goToText(page, text);
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ columns }) => columns.includes(column));
  }

  /** Chooses the format in the form of an export, and presses Enter. */
  async function exportAs(format: string): Promise<void> {
    await results().getByLabel('Format').selectOption(format);
    await page.keyboard.press('Enter');
  }

  async function choose(text: string): Promise<void> {
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
    await row.waitFor();
    await row.click();
  }

  /** Answers the dialog that asks for the file to write. */
  async function saveAs(name: string): Promise<string> {
    const path = join(opened.folder, name);
    const input = page.locator('.quick-input-widget', { hasText: 'Export Results' });
    // The dialog first fills in a name.
    const field = input.locator('input:visible').first();
    const hasName = async () => /\/[^/]+\.\w+$/.test(await field.inputValue());
    for (const end = Date.now() + 30_000; !(await hasName()) && Date.now() < end; ) {
      await page.waitForTimeout(50);
    }
    await field.fill(path);
    await page.keyboard.press('Enter');
    return path;
  }

  /** Clears the notifications. VS Code shows at most a few within a second, so the next ones come after a second. */
  async function clearNotifications(): Promise<void> {
    await runCommand(page, 'Notifications: Clear All Notifications');
    await page.locator('.notification-toast').waitFor({ state: 'detached' });
    await page.waitForTimeout(1_000);
  }

  /** The result in view as NDJSON. */
  async function exported(name: string): Promise<string> {
    await runCommand(page, 'APL: Export Results');
    await exportAs('ndjson');
    const path = await saveAs(name);
    await readNotification(page, new RegExp(`Exported 2 rows to ${name.replace('.', '\\.')}`));
    await clearNotifications();
    return readFile(path, 'utf8');
  }

  /** The frame of the results page. */
  function results() {
    return page.frameLocator('iframe.webview.ready').first().frameLocator('#active-frame');
  }

  /** The frame of the outputs of a notebook, once it has what is selected. */
  async function outputs(selector: string): Promise<Frame> {
    for (const end = Date.now() + 60_000; Date.now() < end; await page.waitForTimeout(100))
      for (const frame of page.frames()) {
        const found = await frame
          .locator(selector)
          .count()
          .catch(() => 0);
        if (found > 0) return frame;
      }
    throw new Error(`No output has ${selector}.`);
  }

  /** A filtered result as NDJSON, as it is shown. */
  async function exportedAsShown(
    name: string,
    start = () => runCommand(page, 'APL: Export Results'),
  ): Promise<string> {
    await start();
    assert.equal(await results().getByLabel('Include').inputValue(), 'shown');
    await exportAs('ndjson');
    const path = await saveAs(name);
    await readNotification(page, new RegExp(`Exported 3 rows to ${name.replace('.', '\\.')}`));
    await clearNotifications();
    return readFile(path, 'utf8');
  }

  it('are exported as CSV with the options that are chosen, and formulas guarded unless that is turned off', async () => {
    await openFile(page, 'two.apl');
    await run('empty', 'text');
    // A guard that was turned off for one file is on again for the next.
    for (const [name, guards] of [
      ['out.csv', true],
      ['exact.csv', false],
      ['again.csv', true],
    ] as const) {
      await runCommand(page, 'APL: Export Results');
      const form = results();
      await form.getByLabel('Format').selectOption('csv');
      await form.getByLabel('Delimiter').selectOption(';');
      const guard = form.getByLabel('Guard against formulas');
      assert.equal(await guard.isChecked(), true);
      await guard.setChecked(guards);
      await form.getByLabel('Text for null').fill('NULL');
      await form.getByRole('button', { name: 'Export…' }).click();
      const path = await saveAs(name);
      const { message, buttons } = await readNotification(
        page,
        new RegExp(`Exported 1 row to ${name.replace('.', '\\.')}`),
      );
      assert.deepEqual([...buttons].sort(), ['Open', 'Show in Folder'], message);
      assert.equal(
        await readFile(path, 'utf8'),
        `text;n;empty;none\r\n${guards ? "'" : ''}=1+1;${bigNumber};;NULL\r\n`.replaceAll(
          '\r\n',
          newlineOf(await readFile(path, 'utf8')),
        ),
      );
      await clickNotification(page, /Exported 1 row/, 'Open');
      await page.locator('.tab.active', { hasText: name }).waitFor();
      await runCommand(page, 'View: Close Editor');
    }
  });

  it('are exported as Parquet and Excel files', async () => {
    for (const [format, name, magic] of [
      ['parquet', 'out.parquet', 'PAR1'],
      ['xlsx', 'out.xlsx', 'PK'],
    ] as const) {
      await runCommand(page, 'APL: Export Results');
      await exportAs(format);
      const path = await saveAs(name);
      await readNotification(page, new RegExp(`Exported 1 row to ${name.replace('.', '\\.')}`));
      assert.ok((await readFile(path, 'latin1')).startsWith(magic));
      await clearNotifications();
    }
    assert.deepEqual((await readdir(opened.folder)).sort(), [
      'again.apl',
      'again.csv',
      'arranged.apl',
      'cells.aplnb',
      'drawn.apl',
      'exact.csv',
      'fresh.apl',
      'out.csv',
      'out.parquet',
      'out.xlsx',
      'two.apl',
      'values.apl',
    ]);
  });

  it('have the same values in the grid, in a file, and after that file was ingested', async () => {
    await openFile(page, 'values.apl');
    await page.keyboard.press('Shift+Enter');
    const { rows } = await readResults(page, ({ columns }) => columns.includes('minus'));
    assert.deepEqual(rows[0]?.slice(0, 9), [
      '0',
      bigNumber,
      '9223372036854775807',
      '-0.0',
      '1e-07',
      '∅',
      '∅',
      '',
      '2026-01-01 00:00:00.123456789',
    ]);
    const first = await exported('first.ndjson');
    assert.ok(exactLine.test(first), first.slice(0, 1_000));
    await page.keyboard.press('ControlOrMeta+Shift+E');
    const file = page.locator('.explorer-folders-view .monaco-list-row', {
      hasText: 'first.ndjson',
    });
    await chooseInMenu(page, file, 'Ingest Files');
    const preview = await ingestPage(page, 'first.ndjson');
    await setDataset(preview, 'round');
    await preview.getByLabel('Time', { exact: true }).selectOption('none');
    assert.equal((await ingest(preview)).counts.Stored, '2');
    await ingestButton(preview, 'Close').click();
    await openFile(page, 'again.apl');
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ title }) => title.includes('round'));
    const second = await exported('second.ndjson');
    assert.ok(second === first, second.slice(0, 1_000));
  });

  it('are drawn as the chart that is chosen', async () => {
    await openFile(page, 'drawn.apl');
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ columns }) => columns.includes('total'));
    const frame = results();
    await frame.locator('[data-mode="chart"]').click();
    await frame.locator('.plot[aria-label*="Top list"]').waitFor();
    await frame.locator('[data-tool="Chart"]').selectOption('pie');
    await frame.locator('.plot[aria-label*="Pie chart"] canvas').waitFor();
  });

  it('are compared by the columns that identify a row', async () => {
    await openFile(page, 'two.apl');
    await run('square', 'square');
    await runCommand(page, 'APL: Pin Result');
    await goToText(page, 'square');
    await page.keyboard.press('End');
    await page.keyboard.insertText(' | where n > 1 | extend square = iff(n == 3, 0, square)');
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ rows }) => rows.length === 4);
    await runCommand(page, 'APL: Compare Results');
    await page.locator('.quick-input-widget input[placeholder="The newer result"]').waitFor();
    await page.keyboard.press('Enter');
    await page
      .locator('.quick-input-widget input[placeholder="The result to compare with"]')
      .waitFor();
    await choose('5 rows');
    const key = page
      .locator('.quick-input-list .monaco-list-row', { has: page.getByText('n', { exact: true }) })
      .first();
    await key.click();
    await page.keyboard.press('Enter');
    const { hint } = await readResults(page, (shown) => shown.hint.includes('removed'));
    assert.match(hint, /0 added, 1 removed, 1 changed, 3 unchanged/);
  });

  it('are exported as they are arranged, also from a tab that was not in view since a reload', async () => {
    await openFile(page, 'arranged.apl');
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ columns }) => columns.includes('even'));
    const header = (name: string) =>
      results().locator('.slick-header-column', { hasText: name }).first();
    await header('n').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await readResults(page, ({ rows }) => rows[0]?.[0] === '6');
    await header('name').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.keyboard.press('Alt+ArrowLeft');
    await readResults(page, ({ columns }) => columns.join() === 'name,n,even');
    const even = results().locator('.slick-row[data-row="0"] .slick-cell.l3');
    await chooseInMenu(page, even, 'Show Only This Value');
    await readResults(page, ({ rows }) => rows.length === 3);
    const expected = [6, 4, 2].map((n) => `{"name":"row ${n}","n":${n},"even":true}\n`).join('');
    assert.equal(await exportedAsShown('shown.ndjson'), expected);

    await openFile(page, 'two.apl');
    await run('empty', 'text');
    // The arrangement is written to disk when it has come to rest.
    await page.waitForTimeout(2_500);
    await reloadWindow(page);
    await runCommand(page, 'APL Results: Focus on Results View');
    await readResults(page, ({ columns }) => columns.includes('text'));
    const tab = results().locator('[role="tab"]', { hasText: 'range(1, 6, 1)' });
    assert.equal(await tab.getAttribute('aria-selected'), 'false');
    const reloaded = await exportedAsShown('reloaded.ndjson', () =>
      chooseInMenu(page, tab, 'Export Results'),
    );
    assert.equal(reloaded, expected);
    assert.equal(await tab.getAttribute('aria-selected'), 'false');
  });

  it('leave in view what is run first after a reload with the panel hidden', async () => {
    const all = results().locator('[role="tab"]');
    const before = await all.count();
    await page.keyboard.press('ControlOrMeta+j');
    await page.locator('.part.panel').waitFor({ state: 'hidden' });
    await runCommand(page, 'Developer: Reload Window');
    await page.waitForEvent('load');
    await page.locator('.monaco-workbench').first().waitFor({ timeout: 60_000 });
    await openFile(page, 'fresh.apl');
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ columns }) => columns.join() === 'fresh');
    await all.nth(before).waitFor();
    assert.equal(await all.nth(before).getAttribute('aria-selected'), 'true');
    assert.match((await all.nth(before).textContent()) ?? '', /fresh/);
    const { rows } = await readResults(page, ({ columns }) => columns.join() === 'fresh');
    assert.deepEqual(rows, [['42']]);
    await openFile(page, 'two.apl');
    await run('square', 'square');
  });

  it('are there again after the window is reloaded, and run again from History', async () => {
    // Which tab is in view is written to disk when that has come to rest.
    await page.waitForTimeout(2_500);
    await reloadWindow(page);
    await runCommand(page, 'APL Results: Focus on Results View');
    await readResults(page, ({ rows }) => rows.length === 4);
    const kept = keptFolder(opened);
    assert.ok((await readdir(kept)).length >= 2);
    if (process.platform !== 'win32') assert.equal((await stat(kept)).mode & 0o777, 0o700);
    const frame = results();
    await frame.locator('[role="tab"]', { hasText: 'datatable' }).click();
    await frame.locator('.plot[aria-label*="Pie chart"] canvas').waitFor();
    assert.equal(await frame.locator('[data-tool="Chart"]').inputValue(), 'pie');
    await runCommand(page, 'APL Results: Focus on History View');
    await (await treeRow(page, 'History', /print text[\s\S]*1 row/)).click();
    const { columns } = await readResults(page, (shown) => shown.columns.includes('text'));
    assert.deepEqual(columns, ['text', 'n', 'empty', 'none']);
    await runCommand(page, 'APL: Erase History');
    await answerDialog(page, /Erase the history/, 'Erase History');
    await treeRow(page, 'History', 'No queries yet');
    // The list is empty before the files are deleted, one after the other.
    const files = () => readdir(kept).catch(() => []);
    for (const end = Date.now() + 60_000; (await files()).length > 0 && Date.now() < end; )
      await page.waitForTimeout(100);
    assert.deepEqual(await files(), []);
  });

  it('are below the cells of a notebook again after a reload, as they were arranged, unless the cell has changed', async () => {
    const path = join(opened.folder, 'cells.aplnb');
    const labels = page.locator('.notebookOverlay .execution-count-label');
    const ended = (icon: string) =>
      page.locator(`.notebookOverlay .codicon-notebook-state-${icon}`);
    const order = async (frame: Frame) => {
      const row = (at: number) =>
        frame.locator(
          `.aplomb-output:has-text("first") .slick-row[data-row="${at}"] .slick-cell.l1`,
        );
      return (await Promise.all([0, 1, 2].map((at) => row(at).allTextContents()))).join();
    };
    const kept = async () =>
      (await readdir(keptFolder(opened)).catch(() => [])).filter((name) => name.endsWith('.json'));
    // All cells have room, since only what is in view is drawn.
    await page.setViewportSize({ width: 1_440, height: 2_000 });
    await runCommand(page, 'APL Results: Focus on Results View');
    await page.keyboard.press('ControlOrMeta+j');
    await page.locator('.part.panel').waitFor({ state: 'hidden' });
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'cells.aplnb' })
      .dblclick();
    await page.locator('.notebookOverlay .cell-editor-container').first().waitFor();
    await runCommand(page, 'Notebook: Run All');
    await ended('error').first().waitFor({ timeout: 60_000 });
    const before = await outputs('.aplomb-output:has-text("first") .slick-row');
    await eventually('the rows', () => order(before), '2,3,1');
    await before.locator('.slick-header-column', { hasText: 'first' }).last().click();
    await eventually('the sorted rows', () => order(before), '1,2,3');
    await before.locator('.aplomb-output:has-text("total") [data-mode="chart"]').first().click();
    await before.locator('.plot[aria-label*="Top list"]').first().waitFor();
    await before.locator('[data-tool="Chart"]').first().selectOption('pie');
    await before.locator('.plot[aria-label*="Pie chart"] canvas').first().waitFor();
    await page.locator('.notebookOverlay .view-lines', { hasText: 'edited' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('1');
    await page.keyboard.press('ControlOrMeta+s');
    await eventually(
      'the saved edit',
      async () => String((await readFile(path, 'utf8')).includes('edited = 11')),
      'true',
    );
    await eventually('answers on disk', async () => String((await kept()).length), '3');
    // What is arranged is written to disk when it has come to rest.
    await page.waitForTimeout(2_500);
    const { mtimeMs } = await stat(path);
    await reloadWindow(page);

    const after = await outputs('.aplomb-output:has-text("first") .slick-row');
    await eventually('the sorted rows after the reload', () => order(after), '1,2,3');
    await after.locator('.plot[aria-label*="Pie chart"] canvas').first().waitFor();
    await after.locator('.message.failed').first().waitFor();
    // VS Code scrolls to where the notebook was, which may be below the first cell.
    await runCommand(page, 'Notebook: Focus First Cell');
    await ended('error').first().waitFor();
    await eventually('runs', async () => String(await ended('success').count()), '2');
    const orders = (await labels.allTextContents()).filter((label) => /\d/.test(label));
    assert.deepEqual(orders.sort(), ['[1]', '[2]', '[4]']);
    // The output of the cell that has changed is gone for good.
    await eventually('answers after the reload', async () => String((await kept()).length), '2');
    const tab = page.locator('.tab.active', { hasText: 'cells.aplnb' });
    assert.doesNotMatch((await tab.getAttribute('class')) ?? '', /dirty/);
    assert.equal((await stat(path)).mtimeMs, mtimeMs);

    await runCommand(page, 'Notebook: Clear All Outputs');
    await eventually('answers of no output', async () => String((await kept()).length), '0');
  });
});

/** Waits until something is as expected. */
async function eventually(what: string, read: () => Promise<string>, expected: string) {
  let found = '';
  for (const end = Date.now() + 30_000; Date.now() < end; await setTimeout(100)) {
    found = await read();
    if (found === expected) return;
  }
  assert.equal(found, expected, what);
}

/** Where results are kept on disk. */
function keptFolder({ profile }: OpenedWindow): string {
  return join(profile.userDataDirectory, 'User', 'globalStorage/aplomb.aplomb', 'results');
}

const newlineOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');
