/** The selection on the results page: its statistics, its copies and the details of its row. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { requests, result } from './samples.ts';
import { cell, openResult } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('a selection', () => {
  it('has its statistics below the grid, which are exact beyond 2^53', async () => {
    const { page } = await openResult(browser, result([requests(10)]));
    await cell(page, 0, 4).click();
    await cell(page, 2, 4).click({ modifiers: ['Shift'] });
    await page.waitForSelector('.figure');
    const text = (await page.locator('.figure').allTextContents()).join(' ');
    assert.match(text, /cells3/);
    assert.match(text, /sum27,021,597,764,222,982/);
    assert.match(text, /max9,007,199,254,740,995/);
    await page.close();
  });

  it('of several numeric columns shows counts, and statistics per column on request', async () => {
    const { page } = await openResult(browser);
    await cell(page, 0, 3).click();
    await cell(page, 3, 4).click({ modifiers: ['Shift'] });
    await page.waitForSelector('.per-column');
    const names = await page.locator('.figure-name').allTextContents();
    assert.deepEqual(names, ['cells', 'distinct']);
    await page.locator('.per-column').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelectorAll('.column-figures tbody tr').length === 2,
    );
    const lines = await page.locator('.column-figures tr').allInnerTexts();
    assert.deepEqual(
      lines.map((line) => line.split(/\s*\t\s*/)),
      [
        ['Column', 'count', 'distinct', 'sum', 'avg', 'min', 'max'],
        ['status', '4', '3', '1,304', '326', '200', '500'],
        ['duration', '4', '4', '7.5 ms', '1.875 ms', '0 ms', '3.75 ms'],
      ],
    );
    await page.keyboard.press('Escape');
    await page.waitForSelector('.column-figures', { state: 'detached' });
    await page.close();
  });

  it('of a numeric and a text column shows the sum of the numbers with their unit', async () => {
    const { page } = await openResult(browser);
    await cell(page, 1, 4).click();
    await cell(page, 2, 5).click({ modifiers: ['Shift'] });
    await page.waitForSelector('.figure');
    const text = (await page.locator('.figure').allTextContents()).join(' ');
    assert.match(text, /cells4 count3 .*sum3\.75 ms avg1\.875 ms min1\.25 ms max2\.5 ms/);
    assert.equal(await page.locator('.figure').nth(3).getAttribute('title'), 'sum: 3.75');
    await page.close();
  });

  it('is reported as copied on the screen and to assistive technology', async () => {
    const { page } = await openResult(browser);
    const says = (text: string) =>
      page.waitForFunction(
        (wanted) =>
          ['.note', '.table-view > p.heard'].every(
            (part) => document.querySelector(part)?.textContent === wanted,
          ),
        text,
      );
    await cell(page, 0, 2).click();
    await page.keyboard.press('ControlOrMeta+c');
    await says('1 cell copied');
    await cell(page, 2, 2).click({ modifiers: ['Shift'] });
    assert.equal(await page.textContent('.note'), '');
    await page.keyboard.press('ControlOrMeta+c');
    await says('3 cells copied');
    await page.keyboard.press(' ');
    await page.waitForSelector('.detail [role="treeitem"]');
    await page.getByRole('button', { name: 'Copy Path' }).click();
    await says('Column name copied');
    await page.getByRole('button', { name: 'Copy Value' }).click();
    await says('Value copied');
    await page.close();
  });

  it('can be copied with or without column names, and as CSV, JSON or Markdown', async () => {
    const { page, copied, host, until } = await openResult(browser, result([requests(3)]));
    await cell(page, 0, 2).click();
    await cell(page, 1, 3).click({ modifiers: ['Shift'] });
    for (const action of [
      'copy',
      'copyWithHeaders',
      'copyCsv',
      'copyJson',
      'copyMarkdown',
    ] as const) {
      const before = copied.length;
      host.act(action, {});
      await until(() => copied.length > before);
    }
    assert.deepEqual(copied.slice(0, 3), [
      '200\t0\n404\t1.25',
      'status\tduration\n200\t0\n404\t1.25',
      'status,duration\n200,0\n404,1.25',
    ]);
    assert.match(copied[3] ?? '', /"status": ?200/);
    assert.match(copied[4] ?? '', /\| status \| duration \|/);
    await page.close();
  });

  it('is an entire row after a click on its number, and all rows after a click on the corner', async () => {
    const { page } = await openResult(browser);
    await cell(page, 3, 0).click();
    assert.equal(await page.textContent('.table-view > p.heard'), '1 row and 7 columns selected');
    await page.locator('.slick-header-column.row-number').click();
    assert.equal(
      await page.textContent('.table-view > p.heard'),
      '300 rows and 7 columns selected',
    );
    await page.close();
  });
});

describe('the details of a row', () => {
  it('fit in a panel of 150 pixels, and start at the field of the active cell', async () => {
    for (const width of [1280, 700]) {
      const { page } = await openResult(browser, undefined, { width, height: 150 });
      await cell(page, 0, 3).click();
      await page.keyboard.press(' ');
      await page.waitForSelector('.detail [aria-selected="true"] .key:text-is("status")');
      assert.equal(await page.getByRole('button', { name: 'Add as Filter' }).isEnabled(), true);
      const parts = await page.evaluate(() => {
        const box = (selector: string) =>
          document.querySelector(selector)?.getBoundingClientRect() as DOMRect;
        const [head, tree, line] = ['.detail-head', '.tree', '.line[aria-selected="true"]'].map(
          box,
        );
        const inner = [...document.querySelectorAll('.detail-head > *')].map((part) =>
          part.getBoundingClientRect(),
        );
        return {
          headHeight: head?.height ?? 0,
          treeHeight: tree?.height ?? 0,
          treeEnd: tree?.bottom ?? 0,
          isInView: line && tree && line.top >= tree.top - 1 && line.bottom <= tree.bottom + 1,
          overlaps: inner.some(
            (part, at) => part.right > (inner[at + 1]?.left ?? part.right) + 0.5,
          ),
          isInHead: inner.every((part) => part.right <= (head?.right ?? 0)),
        };
      });
      assert.ok(parts.headHeight < 30, `one line: ${parts.headHeight}`);
      assert.ok(parts.treeHeight > 50, `room for fields: ${parts.treeHeight}`);
      assert.ok(parts.treeEnd <= 150 && parts.isInView && !parts.overlaps && parts.isInHead);
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector('.detail [aria-selected="true"] .key:text-is("duration")');
      await page.close();
    }
  });

  it('are a tree with search and keyboard navigation, and change to the next row', async () => {
    const { page, conditions, copied, until } = await openResult(browser);
    await cell(page, 2, 2).click();
    await page.keyboard.press(' ');
    await page.waitForSelector('.detail [role="treeitem"]');
    assert.equal(await page.textContent('.detail-title'), 'Row 3');
    await page.getByLabel('Search in row').fill('method');
    assert.deepEqual(await page.locator('.key').allTextContents(), [
      'attributes',
      'http',
      'method',
    ]);
    await page.keyboard.press('ArrowDown');
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Add as Filter' }).click();
    await page.getByRole('button', { name: 'Exclude' }).click();
    await page.getByRole('button', { name: 'Copy Path' }).click();
    await page.getByRole('button', { name: 'Copy Value' }).click();
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.waitForFunction(
      () => document.querySelector('.detail-title')?.textContent === 'Row 4',
    );
    assert.deepEqual(
      conditions.map(({ column, path, kind, text, exclude }) => [
        column,
        path,
        kind,
        text,
        exclude,
      ]),
      [
        ['attributes', ['http', 'method'], 'text', 'GET', false],
        ['attributes', ['http', 'method'], 'text', 'GET', true],
      ],
    );
    await until(() => copied.length === 2);
    assert.deepEqual(copied, ['attributes / http / method', 'GET']);
    await page.getByLabel('Search in row').focus();
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.role), 'gridcell');
    await page.close();
  });
});
