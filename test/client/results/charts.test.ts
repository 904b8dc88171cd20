/** Charts on the results page: the default view, settings, and reading with pointer and keyboard. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { chosen, legendNames, openChart, plotBox } from './chartPage.ts';
import { byMethod, byPath, percentiles, summary, time, units } from './chartSamples.ts';
import { result } from './samples.ts';
import { openView } from './viewPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('a chart in the results', () => {
  it('is shown first for a summary over time, unless the table was chosen for the query', async () => {
    const view = await openChart(browser, result([byMethod()]));
    const { page, show, complaints } = view;
    assert.equal(await chosen(page, 'Chart'), 'timeSeries');
    assert.deepEqual((await legendNames(page)).sort(), ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
    await page.click('[data-mode="table"]');
    await page.waitForSelector('.slick-row .slick-cell');
    assert.equal(await page.locator('.chart-view').count(), 0);
    await show({ kind: 'result', result: result([byMethod(30)]) });
    await page.waitForFunction(() =>
      document.querySelector('.status')?.textContent?.includes('150 rows'),
    );
    assert.equal(await page.locator('.slick-row').first().isVisible(), true);
    await page.click('[data-mode="chart"]');
    await page.waitForSelector('.plot[aria-label]');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('keeps its style, gaps and values in the next run of the query', async () => {
    const view = await openChart(browser, result([percentiles()], { units }));
    const { page, show } = view;
    await page.selectOption('[data-tool="Style"]', 'area');
    await page.selectOption('[data-tool="Gaps"]', 'linear');
    await page.click('[data-tool="Values"]');
    await page.locator('.popup label', { hasText: 'p50' }).click();
    await page.locator('.popup .action').click();
    await page.waitForFunction(() => document.querySelectorAll('.series-name').length === 1);
    await show({ kind: 'result', result: result([percentiles(40)]) });
    await page.waitForFunction(() =>
      document.querySelector('.status')?.textContent?.includes('40 rows'),
    );
    await page.waitForSelector('.plot[aria-label]');
    assert.equal(await chosen(page, 'Style'), 'area');
    assert.equal(await chosen(page, 'Gaps'), 'linear');
    assert.deepEqual(await legendNames(page), ['p99']);
    await page.close();
  });

  it('is not redrawn when its query runs again, until the next result arrives', async () => {
    const view = await openChart(browser, result([byMethod()]));
    const { page, show } = view;
    const { x, y, width, height } = await plotBox(page);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.waitForSelector('.hit-box:not([hidden])');
    await page.evaluate(() => {
      const { prototype } = CanvasRenderingContext2D;
      const { stroke } = prototype;
      const counted = window as { strokes?: number };
      Object.assign(prototype, {
        stroke(this: CanvasRenderingContext2D) {
          counted.strokes = (counted.strokes ?? 0) + 1;
          (stroke as () => void).call(this);
        },
      });
    });
    const strokes = () => page.evaluate(() => (window as { strokes?: number }).strokes ?? 0);
    const title = await page.locator('.plot').getAttribute('aria-label');
    await show({ kind: 'running', title: result([byMethod()]).title, startedAt: Date.now() });
    await page.waitForSelector('.dimmed');
    // A canvas is drawn in the frame after a change.
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < 3; i += 1) await page.evaluate(frame);
    assert.equal(await strokes(), 0);
    assert.equal(await page.locator('.hit-box').isVisible(), true);
    await show({ kind: 'result', result: result([byMethod(30)]) });
    await page.waitForFunction(
      (before) => document.querySelector('.plot')?.ariaLabel !== before,
      title,
    );
    await page.waitForFunction(() => ((window as { strokes?: number }).strokes ?? 0) > 0);
    await page.close();
  });

  it('loads its code only when a chart is first shown', async () => {
    const { page, show } = await openView(browser, { chartsFirst: false });
    await show({ kind: 'result', result: result([byMethod()]) });
    await page.waitForSelector('.slick-row .slick-cell');
    assert.equal(await page.locator('script[src$="charts.js"]').count(), 0);
    await page.click('[data-mode="chart"]');
    await page.waitForSelector('.plot[aria-label]');
    assert.equal(await page.locator('script[src$="charts.js"]').count(), 1);
    await page.close();
  });

  it('shows only the rows that pass the filters of the table', async () => {
    const { page, host } = await openChart(browser, result([byPath]));
    assert.match((await page.getAttribute('.plot', 'aria-label')) ?? '', /5,000/);
    host.act('showTable', {});
    await page.waitForSelector('.slick-row .slick-cell');
    await page.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
    host.act('excludeValue', {});
    await page.waitForFunction(
      () => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === '14',
    );
    host.act('showChart', {});
    await page.waitForSelector('.plot[aria-label]');
    assert.doesNotMatch((await page.getAttribute('.plot', 'aria-label')) ?? '', /5,000/);
    await page.close();
  });

  it('shows integers beyond the precision of a double exactly in the tooltip', async () => {
    const exact = summary(
      3,
      {
        _time: ['datetime', (row) => time(row)],
        big: ['integer', (row) => 9_223_372_036_854_775_807n - BigInt(row)],
      },
      { groups: ['_time'], aggregates: { big: 'max' }, minutes: 3 },
    );
    const { page } = await openChart(browser, result([exact]));
    const box = await plotBox(page);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() =>
      document.querySelector('.hit-value')?.textContent?.startsWith('9,223,372,036,854,775,80'),
    );
    assert.equal(await page.textContent('.hit-value'), '9,223,372,036,854,775,806');
    await page.close();
  });

  it('is resized when a notice takes some of its space', async () => {
    const { page } = await openChart(browser, result([byPath]));
    await page.selectOption('[data-tool="Chart"]', 'pie');
    await page.getByText('grouped as').waitFor();
    await page.waitForFunction(() => {
      const [plot, canvas] = ['.plot', '.plot canvas'].map((name) => document.querySelector(name));
      return plot && canvas && plot.clientHeight === canvas.clientHeight;
    });
    await page.close();
  });

  it('announces a time and its values when an arrow key moves to it', async () => {
    const { page } = await openChart(browser, result([percentiles()], { units }));
    await page.locator('.plot').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const said = await page.locator('.plot [role="status"].heard').textContent();
    assert.match(said ?? '', /2026-11-21 09:01 – 09:02\. p99 \d.* ms, p50 \d.* ms/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.hit-box').isVisible(), false);
    await page.close();
  });

  it('isolates a series on click, hides it on Ctrl+click, and filters the legend by typing', async () => {
    const many = summary(
      24,
      {
        _time: ['datetime', (row) => time(Math.floor(row / 12))],
        host: ['string', (row) => `host-${row % 12}`],
        count_: ['integer', (row) => 100 - (row % 12)],
      },
      { groups: ['_time', 'host'], aggregates: { count_: 'count' }, minutes: 2 },
    );
    const { page } = await openChart(browser, result([many]));
    const pressed = () => page.locator('.series[aria-pressed="true"]').count();
    assert.equal(await pressed(), 12);
    await page.locator('.series', { hasText: 'host-3' }).click();
    assert.equal(await pressed(), 1);
    await page.locator('.series', { hasText: 'host-3' }).click();
    assert.equal(await pressed(), 12);
    await page.locator('.series', { hasText: 'host-5' }).click({ modifiers: ['ControlOrMeta'] });
    assert.equal(await pressed(), 11);
    await page.fill('.legend .field', 'host-1');
    await page.waitForFunction(() => document.querySelectorAll('.series').length === 3);
    await page.close();
  });
});
