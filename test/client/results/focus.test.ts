/** Walks pages and their popups by keyboard: after each key, something other than the page's body has the focus. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.ts';
import { requests, result, table } from './samples.ts';
import { openView } from './viewPage.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

const rows = table(40, {
  level: ['string', (row) => ['info', 'error'][row % 2] ?? ''],
  n: ['integer', (row) => row],
});

/** Returns the focused element after the page has drawn, or undefined for the body. */
const focused = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++)
      await new Promise((drawn) => requestAnimationFrame(drawn));
    const { activeElement: now } = document;
    return now === null || now === document.body
      ? undefined
      : `${now.tagName} ${now.getAttribute('aria-label') ?? now.textContent?.slice(0, 40)}`;
  });

/** Visits all tab stops, presses the keys on each, and checks the focus after each key. */
async function walk(page: Page, keys: readonly string[]): Promise<void> {
  assert.notEqual(await focused(page), undefined, 'at first');
  const seen = new Set<string>();
  for (let stop = 0; stop < 40; stop++) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    // After the last stop the focus leaves the page.
    if (at === undefined) await page.keyboard.press('Tab');
    if (at === undefined || seen.has(at)) continue;
    seen.add(at);
    for (const key of keys) {
      await page.keyboard.press(key);
      assert.notEqual(await focused(page), undefined, `${key} at ${at}`);
    }
  }
  assert.ok(seen.size > 1, [...seen].join());
}

describe('the keyboard focus', () => {
  it('stays in a table, its toolbar and its popups', async () => {
    const { page, show } = await openView(browser);
    await show({ kind: 'result', result: result([rows]) });
    await page.waitForSelector('.slick-cell.l1');
    await walk(page, ['Enter', 'Escape', 'Space', 'Escape']);
    await page.close();
  });

  it('stays in a chart, its legend and its popups', async () => {
    const { page, show } = await openView(browser);
    await show({ kind: 'result', result: result([requests(300)]) });
    await page.waitForSelector('.plot, .slick-cell.l1');
    await walk(page, ['Enter', 'Escape']);
    await page.close();
  });

  it('is on the first action of an error message', async () => {
    const { page, show } = await openView(browser);
    const actions = [{ label: 'Try Again', command: 'x' }];
    await show({ kind: 'failed', title: 'errors', message: 'No.', actions });
    await page.waitForSelector('.message.failed');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    assert.equal(await focused(page), 'BUTTON Try Again');
    await page.close();
  });

  it('returns to the Columns button after Choose Columns has redrawn the toolbar', async () => {
    const { page, show } = await openView(browser);
    await show({ kind: 'result', result: result([rows]) });
    await page.waitForSelector('.slick-cell.l1');
    await page.getByRole('button', { name: 'Columns' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    assert.equal(await focused(page), 'BUTTON Columns');
    await page.close();
  });
});
