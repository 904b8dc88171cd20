// The workbench by keyboard alone: run, walk the grid, filter, read the details, find, and export, without a click.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { focusTab, readNotification, readResults } from '../../../scripts/host/driver.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { type OpenedWindow, openWindow } from '../openWindow.ts';

const query = `print n = range(1, 12, 1) | mv-expand n to typeof(long)
| project n, level = iff(n % 4 == 0, 'error', 'info'), city = iff(n % 3 == 0, 'Porto', 'Lisbon')
`;

describe('the workbench by keyboard alone', { timeout: 600_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;

  before(async () => {
    opened = await openWindow({ 'work.apl': query });
    page = opened.page;
  });

  afterEach(async (context) => {
    const { error } = context as { error?: unknown };
    const folder = process.env.APLOMB_PICTURES ?? (error ? join(distDirectory, 'test') : undefined);
    if (folder) await page.screenshot({ path: join(folder, 'keyboard-only.png') });
  });

  after(() => opened.close());

  const row = (text: string) =>
    page.locator('.quick-input-list .monaco-list-row.focused', { hasText: text });

  /** Types into the list that is open, until the item is the one that Enter takes. */
  async function choose(typed: string, item: string): Promise<void> {
    await page.keyboard.type(typed);
    await row(item).waitFor();
    await page.keyboard.press('Enter');
  }

  async function command(title: string): Promise<void> {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input:focus').waitFor();
    await choose(title, title);
  }

  /** The frame of the results page, when the element that has the keyboard in it matches. */
  async function focusedIn(selector: string): Promise<Frame> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      for (const frame of page.frames()) {
        const found = await frame
          .evaluate(
            (wanted) =>
              document.querySelector('#app') !== null &&
              document.hasFocus() &&
              document.activeElement?.matches(wanted),
            selector,
          )
          .catch(() => false);
        if (found) return frame;
      }
      await page.waitForTimeout(50);
    }
    throw new Error(`The keyboard did not come to ${selector}.`);
  }

  /** Presses a key until the element that has the keyboard matches. */
  async function pressUntil(key: string, frame: Frame, selector: string): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      const there = await frame.evaluate(
        (wanted) => document.activeElement?.matches(wanted),
        selector,
      );
      if (there) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} does not lead to ${selector}.`);
  }

  it('runs, sorts, filters, reads, finds, copies and exports', async () => {
    await page.keyboard.press('ControlOrMeta+p');
    await page.locator('.quick-input-widget input:focus').waitFor();
    await choose('work.apl', 'work.apl');
    await focusTab(page, 'work.apl');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ rows }) => rows.length >= 5);

    await command('APL Results: Focus on Results View');
    const frame = await focusedIn('.slick-cell.active');
    await page.keyboard.press('Alt+ArrowDown');
    await readResults(page, ({ rows }) => rows[0]?.[0] === '12');

    // From the first row to the header of the next column, and into its panel.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await focusedIn('.slick-header-column');
    await page.keyboard.press('Space');
    await frame.waitForSelector('.column-panel .value');
    await pressUntil('Tab', frame, '.value:nth-child(2) input');
    assert.match(await frame.innerText('.value:nth-child(2)'), /error/);
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    const filtered = await readResults(page, ({ rows }) => rows.length === 3);
    assert.deepEqual(
      filtered.rows.map(([n]) => n),
      ['12', '8', '4'],
    );

    await focusedIn('.slick-header-column');
    await page.keyboard.press('ArrowDown');
    await focusedIn('.slick-cell.active');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await frame.waitForSelector('.detail [role="treeitem"]');
    assert.equal(await frame.innerText('.detail-title'), 'Row 8');
    await pressUntil('Tab', frame, '.detail [role="treeitem"]');
    await page.keyboard.press('Home');
    await pressUntil('ArrowDown', frame, '.detail [role="treeitem"]:nth-child(3)');
    await pressUntil('Shift+Tab', frame, '[aria-label="Copy Value"]');
    await page.keyboard.press('Enter');
    await frame.waitForSelector('.note:text-is("Value copied")');
    await pressUntil('Tab', frame, '[aria-label="Close details"]');
    await page.keyboard.press('Enter');
    await focusedIn('.slick-cell.active');

    await page.keyboard.press('ControlOrMeta+f');
    await focusedIn('.find-text');
    await page.keyboard.type('porto');
    await frame.waitForSelector('.find-count:text-matches("^1 of 1")');
    await page.keyboard.press('Escape');
    await focusedIn('.slick-cell.active');
    assert.equal(await frame.innerText('.slick-cell.active'), 'Porto');

    await command('APL: Export Results');
    await focusedIn('.export-form [name="format"]');
    await page.keyboard.type('NDJSON');
    await frame.waitForFunction(
      () => document.querySelector<HTMLSelectElement>('[name="format"]')?.value === 'ndjson',
    );
    await page.keyboard.press('Enter');
    const dialog = page.locator('.quick-input-widget', { hasText: 'Export Results' });
    const field = dialog.locator('input:focus');
    // The dialog first fills in a name.
    for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(50))
      if (/\/[^/]+\.ndjson$/.test(await field.inputValue().catch(() => ''))) break;
    await page.keyboard.press('ControlOrMeta+a');
    const path = join(opened.folder, 'out.ndjson');
    await page.keyboard.type(path);
    // While the dialog looks at the folder, it takes no Enter.
    for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(500)) {
      if (!(await dialog.isVisible())) break;
      await page.keyboard.press('Enter');
    }
    await readNotification(page, /Exported 3 rows to out\.ndjson/);
    assert.equal(
      await readFile(path, 'utf8'),
      [
        '{"n":12,"level":"error","city":"Porto"}\n',
        '{"n":8,"level":"error","city":"Lisbon"}\n',
        '{"n":4,"level":"error","city":"Lisbon"}\n',
      ].join(''),
    );
  });
});
