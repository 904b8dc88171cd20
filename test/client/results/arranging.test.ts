/** Arranging rows on the results page: sorting, filters, find, and the arrangement that the next run keeps. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { cells, result, table } from './samples.ts';
import { becomes, cell, header, logs, openPanel, openResult, rowCount } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('the sort order of rows', () => {
  it('includes several columns with Shift+click, shows their ranks in the headers, and can be removed', async () => {
    const { page, contents } = await openResult(browser);
    await header(page, 'level').click();
    await header(page, 'duration').click({ modifiers: ['Shift'] });
    await header(page, 'duration').click({ modifiers: ['Shift'] });
    await becomes(page, 0, 4, '373.8 ms');
    assert.deepEqual((await cells(page, 0)).slice(0, 3), ['300', '2026-11-21 09:29:02.5', 'debug']);
    assert.deepEqual(await page.locator('.sort-rank').allTextContents(), [
      '',
      '1',
      '',
      '2',
      '',
      '',
      '',
    ]);
    assert.equal(await header(page, 'duration').getAttribute('aria-sort'), 'descending');
    await header(page, 'duration').click({ modifiers: ['Shift'] });
    await becomes(page, 0, 4, '3.75 ms');
    assert.deepEqual(contents('arrange').at(-1)?.order, [{ column: 1, descending: false }]);
    await page.close();
  });

  it('can be set and extended with the keyboard alone', async () => {
    const { page, contents } = await openResult(browser);
    await cell(page, 0, 2).click();
    await page.keyboard.press('Alt+ArrowUp');
    await becomes(page, 0, 2, 'debug');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await becomes(page, 0, 3, '500');
    // ArrowUp moves from the first row to the header.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+Enter');
    await becomes(page, 0, 4, '13.75 ms');
    assert.deepEqual(contents('arrange').at(-1)?.order, [
      { column: 1, descending: false },
      { column: 2, descending: true },
      { column: 3, descending: false },
    ]);
    await page.close();
  });
});

describe('filters', () => {
  it('can be values selected from a list with counts, and are shown as removable chips', async () => {
    const { page, complaints } = await openResult(browser);
    await openPanel(page, 'level');
    assert.deepEqual(await page.locator('.value').allTextContents(), [
      'debug75',
      'error75',
      'info75',
      'warn75',
    ]);
    await page.locator('.value', { hasText: 'error' }).locator('input').check();
    await page.locator('.value', { hasText: 'warn' }).locator('input').check();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    assert.equal(await page.textContent('.chip-text'), 'level is “error”, “warn”');
    assert.equal(await page.textContent('.filter-count'), '150 of 300');
    assert.equal(await rowCount(page), '151');
    await becomes(page, 0, 2, 'warn');
    assert.equal((await cells(page, 0))[0], '2', 'a row keeps its number');
    await page.click('.chip-remove');
    await page.waitForSelector('.chip', { state: 'detached' });
    assert.equal(await rowCount(page), '301');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('can combine ranges of numbers and times, text conditions and null', async () => {
    const { page } = await openResult(browser);
    await openPanel(page, 'duration');
    await page.getByLabel('From').fill('100');
    await page.getByLabel('To', { exact: true }).fill('200');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    assert.equal(await page.textContent('.filter-count'), '81 of 300');
    await openPanel(page, '_time');
    await page.getByLabel('From').fill('2026-11-21 09:20');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.chip').length === 2);
    assert.equal(
      (await page.locator('.chip-text').allTextContents())[1],
      '_time from 2026-11-21 09:20:00Z',
    );
    await openPanel(page, 'city');
    await page.getByLabel('Null values').selectOption('not');
    await page.getByLabel('Condition').selectOption('startsWith');
    await page.getByLabel('Text').fill('p');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.chip').length === 4);
    const kept = Array.from({ length: 300 }, (_, row) => row).filter(
      (row) => row * 1.25 >= 100 && row * 1.25 <= 200 && row % 40 >= 10 && row % 4 === 3,
    );
    assert.equal(await page.textContent('.filter-count'), `${kept.length} of 300`);
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.waitForSelector('.chips', { state: 'hidden' });
    assert.equal(await rowCount(page), '301');
    await page.close();
  });

  it('by the value of a cell replace the selected values and add to the excluded values', async () => {
    const { page, host } = await openResult(browser);
    await openPanel(page, 'level');
    await page.locator('.value', { hasText: 'error' }).locator('input').check();
    await page.locator('.value', { hasText: 'warn' }).locator('input').check();
    await page.keyboard.press('Enter');
    await becomes(page, 0, 2, 'warn');
    const chips = async (...texts: string[]) => {
      await page.waitForFunction(
        (last) => [...document.querySelectorAll('.chip-text')].at(-1)?.textContent === last,
        texts.at(-1),
      );
      assert.deepEqual(await page.locator('.chip-text').allTextContents(), texts);
    };
    host.act('filterByValue', { row: 0, column: 1 });
    await chips('level is “warn”');
    await becomes(page, 0, 3, '404');
    host.act('excludeValue', { row: 0, column: 2 });
    await chips('level is “warn”', 'status is not 404');
    await becomes(page, 0, 3, '500');
    host.act('excludeValue', { row: 0, column: 2 });
    await chips('level is “warn”', 'status is not 404, 500');
    await page.close();
  });

  it('report an invalid value and keep the rows', async () => {
    const { page } = await openResult(browser);
    await openPanel(page, 'duration');
    await page.getByLabel('From').fill('lots');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.problem')?.textContent !== '');
    assert.match((await page.textContent('.problem')) ?? '', /Enter a number/);
    await page.keyboard.press('Escape');
    await openPanel(page, 'level');
    await page.getByLabel('Condition').selectOption('regex');
    await page.getByLabel('Text').fill('(');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.problem')?.textContent !== '');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.chip').count(), 0);
    assert.equal(await rowCount(page), '301');
    assert.equal((await cells(page, 0))[2], 'info');
    await page.close();
  });

  it('that are rejected during a sort restore the rows and headers from before the sort', async () => {
    const { page, store, contents, until } = await openResult(browser);
    const rows = store.rows.bind(store);
    // The first sort is in progress until it is cancelled.
    store.rows = async (method, params, options) => {
      const { signal } = options ?? {};
      if (method === 'arrange' && contents('arrange').length === 1)
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return rows(method, params, options);
    };
    await header(page, 'duration').click();
    await openPanel(page, 'level');
    await page.getByLabel('Condition').selectOption('regex');
    await page.getByLabel('Text').fill('(');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.problem')?.textContent !== '');
    await until(() => contents('arrange').length === 3);
    assert.deepEqual(
      contents('arrange').map(({ order, filters }) => [order, (filters as unknown[]).length]),
      [
        [[{ column: 3, descending: false }], 0],
        [[{ column: 3, descending: false }], 1],
        [[], 0],
      ],
    );
    assert.equal(await header(page, 'duration').getAttribute('aria-sort'), null);
    await page.close();
  });

  it('keep the horizontal scroll position', async () => {
    const { page } = await openResult(browser, undefined, { width: 600 });
    const left = () =>
      page.evaluate(
        () => document.querySelector('.slick-viewport-top.slick-viewport-right')?.scrollLeft,
      );
    await page.evaluate(() => {
      const viewport = document.querySelector('.slick-viewport-top.slick-viewport-right');
      if (viewport) viewport.scrollLeft = 260;
    });
    await page.waitForTimeout(100);
    assert.equal(await left(), 260);
    await openPanel(page, 'duration');
    const before = await left();
    await page.locator('.value input').first().check();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    await page.waitForTimeout(100);
    assert.ok((before ?? 0) > 0);
    assert.equal(await left(), before);
    await page.close();
  });

  it('without matching rows show a message, and can be cleared', async () => {
    const { page } = await openResult(browser);
    await openPanel(page, 'level');
    await page.getByLabel('Text').fill('nowhere');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.nothing:visible');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await becomes(page, 0, 2, 'info');
    await page.close();
  });
});

describe('the next run of a query', () => {
  const statusOnly = (rows: number) =>
    table(rows, { status: ['string', (row) => String(row)], level: ['string', () => 'error'] });

  it('keeps the sort order and the filters, even after a failed run', async () => {
    const { page, show, contents } = await openResult(browser);
    await header(page, 'duration').click();
    await header(page, 'duration').click();
    await openPanel(page, 'level');
    await page.locator('.value', { hasText: 'error' }).locator('input').check();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    await becomes(page, 0, 2, 'error');
    await show({ kind: 'failed', title: 'requests by status', message: 'No.', actions: [] });
    await page.waitForSelector('.message.failed');
    await show({ kind: 'result', result: result([logs(600)], { units: { duration: 'ms' } }) });
    await becomes(page, 0, 4, '747.5 ms');
    assert.equal(await page.textContent('.chip-text'), 'level is “error”');
    assert.equal(await page.textContent('.filter-count'), '150 of 600');
    // Cleared filters do not come back.
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await becomes(page, 0, 4, '748.8 ms');
    await show({ kind: 'result', result: result([logs(300)], { units: { duration: 'ms' } }) });
    await becomes(page, 0, 4, '373.8 ms');
    assert.equal(await page.locator('.chip').count(), 0);
    assert.equal(contents('arrange').length, 4);
    await page.close();
  });

  it('removes the sort order of a column whose type changed, and keeps the filter of another column', async () => {
    const { page, show } = await openResult(browser);
    await header(page, 'status').click();
    await openPanel(page, 'level');
    await page.locator('.value', { hasText: 'error' }).locator('input').check();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    await show({ kind: 'result', result: result([statusOnly(20)]) });
    await page.waitForFunction(
      () => document.querySelector('.filter-count')?.textContent === '20 of 20',
    );
    assert.equal(await page.locator('.chip').count(), 1);
    assert.equal(await header(page, 'status').getAttribute('aria-sort'), null);
    await page.close();
  });
});

describe('Find', () => {
  it('counts and highlights the matches, moves between them with Enter, and closes with Escape', async () => {
    const { page } = await openResult(browser);
    await cell(page, 0, 1).click();
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('porto');
    const [bar, names] = await Promise.all(
      ['.find', '.slick-header'].map((part) => page.locator(part).first().boundingBox()),
    );
    assert.ok(bar && names && bar.y + bar.height <= names.y + 1, 'the headers stay in view');
    await page.waitForFunction(() =>
      /^1 of 75/.test(document.querySelector('.find-count')?.textContent ?? ''),
    );
    await page.waitForSelector('.slick-row[data-row="3"] .slick-cell.l5 .found');
    assert.equal(await page.locator('.slick-cell.active').textContent(), 'Porto');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      /^2 of 75/.test(document.querySelector('.find-count')?.textContent ?? ''),
    );
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Shift+Enter');
    await page.waitForFunction(() =>
      /^75 of 75/.test(document.querySelector('.find-count')?.textContent ?? ''),
    );
    await page.waitForSelector('.slick-row[data-row="299"] .slick-cell.l5.active');
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.waitForFunction(
      () => document.querySelector('.find-count')?.textContent === 'No results',
    );
    await page.keyboard.press('Escape');
    await page.waitForSelector('.find', { state: 'hidden' });
    await page.waitForSelector('.found', { state: 'detached' });
    await page.close();
  });
});
