/** The results view in a real browser: its content, the keyboard, sorting, copying, and hostile values. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { cells, requests, result, table } from './samples.ts';
import { type Theme, themes } from './themes.ts';
import { openView } from './viewPage.ts';
import { drawn } from './workPage.ts';

/** The folder for screenshots, if they are wanted. */
const pictures = process.env.APLOMB_PICTURES;

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('the results view', () => {
  it('explains what to do before the first run', async () => {
    const { page, complaints } = await openView(browser);
    assert.match((await page.textContent('.message')) ?? '', /Shift\+Enter/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('shows exact values, and distinguishes null from empty strings', async () => {
    const { page, show, complaints } = await openView(browser);
    await show({ kind: 'result', result: result([requests(10)]) });
    await drawn(page);
    assert.deepEqual(await cells(page, 1), [
      '2',
      '2026-11-21 09:14:02.118394220',
      '404',
      '1.25',
      '9007199254740994',
      '∅',
      '["a",1]',
    ]);
    assert.equal((await cells(page, 2))[5], '');
    assert.match((await page.textContent('.status')) ?? '', /10 of 48,213 rows/);
    assert.match((await page.textContent('.status')) ?? '', /12 ms/);
    assert.equal(await page.textContent('.notice'), 'late data');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('reaches the last of 100,000 rows with the keyboard and loads only the rows in view', async () => {
    const { page, show, contents } = await openView(browser);
    await show({ kind: 'result', result: result([requests(100_000)]) });
    await page.click('.slick-row[data-row="0"] .slick-cell.l1');
    await page.keyboard.press('Control+End');
    await page.waitForSelector('.slick-row[data-row="99999"] .slick-cell.l1:not(:has(.pending))');
    assert.equal((await cells(page, 99_999))[0], '100000');
    const asked = contents('window').map(({ from, to }) => Number(to) - Number(from));
    assert.ok(asked.reduce((sum, rows) => sum + rows, 0) < 5_000, 'only windows were asked for');
    assert.ok((await page.locator('.slick-row').count()) < 200);
    await page.close();
  });

  it('sorts ascending on the first click on a header, descending on the second, and not on the third', async () => {
    const { page, show, contents } = await openView(browser);
    await show({ kind: 'result', result: result([requests(300)]) });
    await drawn(page);
    const header = page.locator('.slick-header-column', { hasText: 'duration' });
    const firstDuration = async (expected: string) => {
      await page.waitForFunction(
        (text) =>
          document.querySelector('.slick-row[data-row="0"] .slick-cell.l3')?.textContent === text,
        expected,
      );
    };
    await header.click();
    await firstDuration('0');
    await header.click();
    await firstDuration('373.75');
    await header.click();
    await firstDuration('0');
    assert.deepEqual(
      contents('arrange').map(({ order }) => order),
      [[{ column: 2, descending: false }], [{ column: 2, descending: true }], []],
    );
    await page.close();
  });

  it('can be used without a mouse: the grid is one tab stop with arrow keys and sorting', async () => {
    const { page, show, contents } = await openView(browser);
    const totals = { ...requests(2), name: '_totals' };
    await show({ kind: 'result', result: result([requests(300), totals]) });
    await drawn(page);
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: now } = document;
        return now?.closest('.grid') ? 'grid' : now?.textContent || (now?.ariaLabel ?? '');
      });
    // The rows have the initial focus; the first tab stop is the tab of the result.
    assert.equal(await focused(), 'grid');
    await page.locator('[role="tab"]').first().focus();
    const stops = [await focused()];
    for (let presses = 1; presses < 11; presses += 1) {
      await page.keyboard.press('Tab');
      stops.push(await focused());
    }
    assert.deepEqual(stops, [
      'requests by status',
      'Table',
      'Chart',
      'Rows',
      'Totals',
      'late data',
      'Find (Ctrl+F)',
      'Wrap lines',
      'Columns',
      'Row details (Space)',
      'grid',
    ]);
    await page.keyboard.press('ArrowRight');
    const active = await page.locator('.slick-cell.active').textContent();
    assert.equal(active, '200');
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForFunction(
      () => document.querySelector('[data-row="0"] .slick-cell.l2')?.textContent === '500',
    );
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowUp');
    assert.deepEqual(
      contents('arrange').map(({ order }) => order),
      [[{ column: 1, descending: true }], [], [{ column: 1, descending: false }]],
    );
    await page.keyboard.press('Shift+Tab');
    assert.equal(await focused(), 'Row details (Space)');
    await page.close();
  });

  for (const theme of Object.keys(themes) as Theme[]) {
    it(`draws selected cells with enough contrast in the theme ${theme}`, async () => {
      const { page, show } = await openView(browser, { theme });
      await show({ kind: 'result', result: result([requests(3)]) });
      await page.click('.slick-row[data-row="1"] .slick-cell.l5');
      const colours = await page.$eval('.slick-cell.selected', (cell) => {
        const { color } = getComputedStyle(cell.querySelector('span') ?? cell);
        return [color, getComputedStyle(cell).backgroundColor].map((colour) =>
          (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number),
        );
      });
      // Relative luminance as defined by WCAG, which requires a contrast of at least 4.5 for text.
      const [text, background] = colours.map((parts) =>
        parts
          .map((part) =>
            part / 255 <= 0.04 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4,
          )
          .reduce((sum, part, at) => sum + part * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0.05),
      ) as [number, number];
      const contrast = Math.max(text / background, background / text);
      assert.ok(contrast >= 4.5, `a contrast of ${contrast.toFixed(1)}`);
      await page.close();
    });
  }

  it('copies the active cell exactly, and all cells with headers', async () => {
    const { page, show, copied, until } = await openView(browser);
    await show({ kind: 'result', result: result([requests(3)]) });
    await page.click('.slick-row[data-row="1"] .slick-cell.l4');
    await page.keyboard.press('ControlOrMeta+c');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await until(() => copied.length === 2);
    assert.equal(copied[0], '9007199254740994');
    assert.equal(copied[1]?.split('\n').length, 4);
    assert.equal(copied[1]?.split('\n')[0], '_time\tstatus\tduration\tid\tgeo.city\ttags');
    await page.close();
  });

  it('never interprets a value or a name as markup', async () => {
    const hostile = '<img src=x onerror="window.owned=1"><script>window.owned=1</script>';
    const { page, show, complaints } = await openView(browser);
    await show({
      kind: 'result',
      result: result([table(1, { [hostile]: ['string', () => hostile] })], { title: hostile }),
    });
    await drawn(page);
    assert.equal((await cells(page, 0))[1], hostile);
    assert.equal(await page.evaluate(() => 'owned' in window), false);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('offers actions for an error, and cancels a running query', async () => {
    const { page, show, actions, cancelled, until } = await openView(browser);
    await show({
      kind: 'failed',
      title: 'errors',
      message: 'The token may ingest but not query.',
      traceId: 'abc123',
      actions: [{ label: 'Change Token', command: 'aplomb.editDeployment', arguments: ['it'] }],
    });
    await page.click('button:has-text("Change Token")');
    await show({ kind: 'running', title: 'errors', startedAt: Date.now() });
    await page.click('button:has-text("Cancel")');
    await until(() => cancelled.length === 1);
    assert.deepEqual(
      actions.map(({ command, arguments: given }) => [command, given]),
      [['aplomb.editDeployment', ['it']]],
    );
    assert.equal(cancelled.length, 1);
    await page.close();
  });

  it('shows totals in a second table, and a message if there are no rows', async () => {
    const { page, show } = await openView(browser);
    const totals = { ...requests(2), name: '_totals' };
    await show({ kind: 'result', result: result([requests(5), totals]) });
    await page.click('button:has-text("Totals")');
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-pane-left .slick-row').length === 2,
    );
    await show({ kind: 'result', result: result([requests(0)]) });
    await page.waitForSelector('.message');
    assert.match((await page.textContent('.message')) ?? '', /No rows/);
    await page.close();
  });

  for (const theme of ['dark', 'light', 'high-contrast'] satisfies Theme[])
    it(`fits in a narrow and in a wide panel in the theme ${theme}`, async () => {
      for (const width of [300, 1100]) {
        const { page, show } = await openView(browser, { theme, width });
        await show({
          kind: 'result',
          result: result([requests(500), { ...requests(3), name: '_totals' }]),
        });
        await drawn(page);
        await page.click('.slick-row[data-row="2"] .slick-cell.l2');
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        );
        assert.ok(overflow <= 0, 'nothing is wider than the panel');
        if (pictures) {
          mkdirSync(pictures, { recursive: true });
          await page.screenshot({ path: `${pictures}/results-${theme}-${width}.png` });
        }
        await page.close();
      }
    });
});
