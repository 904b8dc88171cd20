/** Top values: requested from the menus of cells and columns, and shown as bars unless the user chose a table. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { byPath } from './chartSamples.ts';
import { result } from './samples.ts';
import { openView } from './viewPage.ts';
import { openResult } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('Top Values', () => {
  it('counts the column of the cell or header whose menu was used', async () => {
    const asked: (string | undefined)[][] = [];
    const { page, host, tabs, until } = await openResult(browser, undefined, {
      effects: { topValues: async ({ id }, column) => void asked.push([id, column]) },
    });
    host.act('topValues', { column: 1 });
    host.act('topValues', { row: 2, column: 5 });
    await until(() => asked.length === 2);
    const id = tabs.active?.id;
    assert.deepEqual(asked, [
      [id, 'level'],
      [id, 'url'],
    ]);
    await page.close();
  });

  it('is shown as bars unless the table was chosen before', async () => {
    const view = await openView(browser);
    const { page, show, host } = view;
    const next = () =>
      show({
        kind: 'result',
        chartFirst: true,
        result: result([byPath], { title: 'Top values of logs: path' }),
      });
    await next();
    await page.locator('.plot[aria-label*="Top list"]').waitFor();
    host.act('showTable', {});
    await page.waitForSelector('.slick-cell.l1');
    await next();
    await page.waitForSelector('.slick-cell.l1');
    assert.equal(await page.locator('.plot').count(), 0);
    await page.close();
  });
});
