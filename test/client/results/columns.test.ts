/** Columns on the results page: their positions, their summaries and the display of their values. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { result, table } from './samples.ts';
import { becomes, cell, drawn, header, openResult } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('columns', () => {
  const names = (page: Page) => page.locator('.header-name').allTextContents();
  const dragged = async (page: Page, from: string, to: string) => {
    const [a, b] = [await header(page, from).boundingBox(), await header(page, to).boundingBox()];
    assert.ok(a && b);
    await page.mouse.move(a.x + 12, a.y + 8);
    await page.mouse.down();
    await page.mouse.move(a.x + 30, a.y + 8);
    await page.mouse.move(b.x + 4, b.y + 8, { steps: 4 });
    await page.mouse.up();
  };

  it('can be moved by dragging and with keys, without sorting the rows', async () => {
    const { page, contents } = await openResult(browser);
    await dragged(page, 'duration', 'level');
    assert.deepEqual((await names(page)).slice(1, 5), ['_time', 'duration', 'level', 'status']);
    await drawn(page);
    await becomes(page, 1, 2, '1.25 ms');
    await header(page, 'status').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.keyboard.press('Alt+ArrowLeft');
    assert.deepEqual((await names(page)).slice(1, 5), ['_time', 'status', 'duration', 'level']);
    assert.equal(contents('arrange').length, 0);
    await page.close();
  });

  it('can be pinned, hidden and shown again', async () => {
    const { page, host } = await openResult(browser, undefined, { width: 500 });
    host.act('pinColumn', { column: 2 });
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-header-left .header-name').length === 2,
    );
    assert.deepEqual((await names(page)).slice(0, 3), ['#', 'status', '_time']);
    await drawn(page);
    await page.evaluate(() =>
      document.querySelector('.slick-viewport-top.slick-viewport-right')?.scrollTo(400, 0),
    );
    assert.ok(await header(page, 'status').isVisible());
    host.act('hideColumn', { column: 0 });
    await page.waitForFunction(() => !document.body.textContent?.includes('_time'));
    host.act('showAllColumns', {});
    await page.waitForFunction(() => document.body.textContent?.includes('_time'));
    host.act('unpinColumn', { column: 2 });
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-header-left .header-name').length === 1,
    );
    await page.close();
  });

  it('that are pinned are part of their rows for assistive technology', async () => {
    const { page, host } = await openResult(browser);
    host.act('pinColumn', { column: 0 });
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-header-left .header-name').length === 2,
    );
    await drawn(page);
    const owned = await page.evaluate(() => {
      const row = document.querySelector('.slick-pane-right .slick-row[data-row="1"]');
      const ids = row?.getAttribute('aria-owns')?.split(' ') ?? [];
      return ids.map((id) => document.getElementById(id)?.textContent);
    });
    assert.deepEqual(owned, ['2', '2026-11-21 09:11:02.5']);
    await page.close();
  });

  it('can be hidden in the list of columns', async () => {
    const { page } = await openResult(browser);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page
      .locator('.column-chooser .value', { hasText: 'attributes' })
      .locator('input')
      .uncheck();
    await page.getByRole('button', { name: 'Done' }).click();
    assert.equal((await names(page)).includes('attributes'), false);
    await page.close();
  });

  it('can wrap long lines', async () => {
    const { page } = await openResult(
      browser,
      result([table(3, { text: ['string', () => 'word '.repeat(200)] })]),
    );
    const heights = async () => (await cell(page, 0, 1).boundingBox())?.height ?? 0;
    const before = await heights();
    await page.getByRole('button', { name: 'Wrap lines' }).click();
    await drawn(page);
    assert.ok((await heights()) > before * 3);
    await page.close();
  });

  it('have a summary of their values below the header', async () => {
    const { page } = await openResult(browser);
    await page.waitForFunction(
      () => document.querySelectorAll('.header-summary:not(:empty)').length >= 7,
    );
    const texts = await page.locator('.header-summary').allTextContents();
    assert.equal(texts[1], 'debug 25.0%');
    assert.equal(texts[5], '300 distinct');
    assert.equal(await page.locator('.header-summary .bars').count(), 3);
    assert.equal(await page.locator('.null-share').count(), 1);
    await page.close();
  });
});

describe('values', () => {
  it('are shown with at most 15 digits and aligned decimal points, and with all digits on hover', async () => {
    const sums = [3023.2459999999996, 12.5, 7, 1e-7];
    const { page } = await openResult(
      browser,
      result([table(4, { sum: ['float', (row) => sums[row] ?? null] })]),
    );
    const shown = (row: number) => cell(page, row, 1).locator('span');
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map((row) => shown(row).textContent())), [
      '3023.246',
      '12.5',
      '7',
      '1e-7',
    ]);
    assert.equal(await shown(0).getAttribute('title'), '3023.2459999999996');
    const point = (row: number) =>
      shown(row).evaluate((span) => {
        const range = document.createRange();
        const text = span.firstChild as Text;
        const at = text.data.indexOf('.');
        range.setStart(text, at < 0 ? text.length : at);
        range.setEnd(text, at < 0 ? text.length : at + 1);
        return Math.round(range.getBoundingClientRect().left);
      });
    const places = await Promise.all([0, 1, 2].map(point));
    assert.equal(new Set(places).size, 1, places.join(' '));
    await page.close();
  });

  it('are shown with their unit, and copied as exact numbers without the unit', async () => {
    const { page, copied, until } = await openResult(browser);
    assert.equal(await cell(page, 1, 4).locator('span').getAttribute('title'), '1.25 ms');
    assert.equal(await cell(page, 3, 4).textContent(), '3.75 ms');
    await cell(page, 3, 4).click();
    await page.keyboard.press('ControlOrMeta+c');
    await until(() => copied.length > 0);
    assert.equal(copied[0], '3.75');
    await page.close();
  });

  it('that are severities color the start of their row, even if their column is hidden', async () => {
    const { page, host } = await openResult(browser);
    assert.equal(
      await page.locator('.slick-pane-left .severity-error').first().getAttribute('data-row'),
      '2',
    );
    host.act('hideColumn', { column: 1 });
    await page.waitForFunction(() => document.querySelectorAll('.header-name').length === 7);
    await page.waitForSelector('.slick-pane-left .severity-error[data-row="2"]');
    await page.close();
  });

  it('open as links only on Ctrl+click and only if they are safe web addresses', async () => {
    const evil = [
      'command:workbench.action.quit',
      'javascript:alert(1)',
      'https://user@evil.example/',
    ];
    const { page, links, host, until, contents } = await openResult(
      browser,
      result([
        table(4, { url: ['string', (row) => ['https://example.com/0', ...evil][row] ?? ''] }),
      ]),
    );
    await cell(page, 0, 1).click();
    await page.waitForTimeout(50);
    assert.deepEqual(links, []);
    await cell(page, 0, 1)
      .locator('span')
      .click({ modifiers: ['ControlOrMeta'] });
    for (const row of [1, 2, 3]) {
      await cell(page, row, 1)
        .locator('span')
        .click({ modifiers: ['ControlOrMeta'] });
      host.act('openLink', { row, column: 0 });
    }
    await until(() => contents('openLink').length === 5);
    await page.waitForTimeout(100);
    assert.deepEqual(links, ['https://example.com/0']);
    await page.close();
  });

  it('that are times can be switched between UTC and local time, unless both are the same', async () => {
    const before = process.env.TZ;
    process.env.TZ = 'Asia/Tokyo';
    try {
      const { page } = await openResult(browser);
      assert.equal(await header(page, '_time').locator('.header-unit').textContent(), 'UTC');
      await page.click('button.zone');
      await page.waitForFunction(
        () => document.querySelector('.header-unit')?.textContent === 'Asia/Tokyo',
      );
      await drawn(page);
      await page.close();
      // If both are the same, there is no toggle and no line for it.
      process.env.TZ = 'UTC';
      const utc = await openResult(browser);
      assert.equal(await utc.page.locator('button.zone').count(), 0);
      assert.equal(await utc.page.locator('.strip').isVisible(), false);
      await cell(utc.page, 0, 1).click();
      await utc.page.keyboard.press('Shift+ArrowDown');
      await utc.page.waitForSelector('.figure');
      assert.equal(await utc.page.locator('.zone').textContent(), 'UTC');
      await utc.page.close();
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});
