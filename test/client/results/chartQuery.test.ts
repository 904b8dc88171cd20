/** Actions in a chart that affect its query: time ranges, filters, annotations, comparisons and images. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { openChart, plotBox, recorded, said } from './chartPage.ts';
import { byMethod, byPath, minute, percentiles, start, units } from './chartSamples.ts';
import { result } from './samples.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('a chart of a query', () => {
  it('sets the time range when dragged, and adds an annotation when dragged with Shift', async () => {
    const charts = recorded();
    const { page, until } = await openChart(browser, result([percentiles()], { units }), {
      charts,
    });
    const box = await plotBox(page);
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, box.y + 80, { steps: 4 });
      await page.mouse.up();
    };
    await drag(0.8, 0.4);
    await until(() => charts.done.length === 1);
    const [name, from, to] = charts.done[0] ?? [];
    assert.equal(name, 'selectRange');
    assert.ok(Number(from) > start + 15 * minute && Number(from) < start + 30 * minute, `${from}`);
    assert.ok(Number(to) > start + 40 * minute && Number(to) < start + 56 * minute, `${to}`);
    await page.keyboard.down('Shift');
    await drag(0.3, 0.5);
    await page.keyboard.up('Shift');
    await until(() => charts.done.length === 2);
    assert.equal(charts.done[1]?.[0], 'annotate');
    // The button is released outside the plot.
    await page.mouse.move(box.x + 2, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 2, box.y - 40);
    await page.mouse.up();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 4 });
    assert.equal(await page.locator('.range-drag').isVisible(), false);
    // A click alone selects no range, and Escape cancels the selection.
    await page.mouse.click(box.x + box.width * 0.5, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 3 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    assert.equal(charts.done.length, 2);
    await page.close();
  });

  it('goes back to the previous time range with a button and with Alt+Left', async () => {
    const charts = recorded();
    const { page, until } = await openChart(browser, result([percentiles()], { units }), {
      charts,
    });
    assert.equal(await page.locator('.back').count(), 0);
    charts.change({ canGoBack: true });
    await page.waitForSelector('.back');
    await page.click('.back');
    await page.locator('.plot').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await until(() => charts.done.length === 2);
    assert.deepEqual(charts.done, [['back'], ['back']]);
    await page.close();
  });

  it('adds a filter for a clicked bar, and excludes its value on Alt+click', async () => {
    const { page, conditions, until } = await openChart(browser, result([byPath]));
    const box = await plotBox(page);
    await page.mouse.move(box.x + box.width * 0.5, box.y + 16);
    await page.waitForSelector('.hit-box:not([hidden])');
    await page.mouse.click(box.x + box.width * 0.5, box.y + 16);
    await until(() => conditions.length === 1);
    await page.keyboard.down('Alt');
    await page.mouse.click(box.x + box.width * 0.5, box.y + 40);
    await page.keyboard.up('Alt');
    await until(() => conditions.length === 2);
    assert.match(JSON.stringify(conditions[0]), /path.*\/api\/v1\/items\//);
    assert.notDeepEqual(conditions[0], conditions[1]);
    await page.close();
  });

  it('adds a filter for a series from the legend with the keyboard', async () => {
    const { page, conditions, until } = await openChart(browser, result([byMethod()]));
    await page.getByRole('button', { name: 'Add POST as filter' }).focus();
    await page.keyboard.press('Enter');
    await until(() => conditions.length === 1);
    assert.match(JSON.stringify(conditions[0]), /method.*POST/);
    await page.close();
  });

  it('draws annotations and thresholds, and reports those that could not be read', async () => {
    const charts = recorded({
      annotations: [
        { id: 'a', title: 'Deployed 2.4', type: 'note', time: start + 20 * minute },
        {
          id: 'b',
          title: 'Maintenance',
          type: 'note',
          time: start + 30 * minute,
          endTime: start + 40 * minute,
        },
      ],
      thresholds: [{ monitor: 'Too slow', value: 300 }],
      notes: ['Thresholds of monitors could not be read: the service is busy.'],
    });
    const { page, until } = await openChart(browser, result([percentiles()], { units }), {
      charts,
    });
    await page.waitForFunction(() =>
      document.querySelector('.chart-notices')?.textContent?.includes('busy'),
    );
    await page.click('[data-tool="Picture"]');
    await page.getByRole('button', { name: 'Save as SVG…', exact: true }).click();
    await until(() => charts.done.length === 1);
    const svg = String(charts.done[0]?.[2]);
    for (const text of ['Deployed 2.4', 'Maintenance', 'Too slow 300 ms'])
      assert.ok(svg.includes(text), text);
    await page.close();
  });

  it('compares with a selected or entered earlier time range, and can cancel the comparison', async () => {
    const charts = recorded();
    const { page, until, store } = await openChart(browser, result([percentiles()], { units }), {
      charts,
    });
    await page.selectOption('[data-tool="Compare"]', '1440');
    await until(() => charts.done.length === 1);
    assert.deepEqual(charts.done[0], ['compare', { minutes: 1_440 }]);
    const earlier = { label: '1 day earlier', offset: { minutes: 1_440 }, offsetMilliseconds: 0 };
    charts.change({ earlier: { ...earlier, state: { kind: 'running' } } });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await until(() => charts.done.length === 2);
    assert.deepEqual(charts.done[1], ['compare', null]);
    const answer = store.answers[0]?.id;
    assert.ok(answer);
    charts.change({ earlier: { ...earlier, state: { kind: 'ready', answer } } });
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    charts.change({ earlier: { ...earlier, state: { kind: 'failed', message: 'It timed out.' } } });
    await page.waitForFunction(() =>
      document.querySelector('.chart-notices')?.textContent?.includes('It timed out.'),
    );
    await page.selectOption('[data-tool="Compare"]', 'other');
    await page.fill('.popup input', 'soon');
    await page.keyboard.press('Enter');
    assert.equal(await page.getAttribute('.popup input', 'aria-invalid'), 'true');
    const problem = page.locator('.popup [role="alert"]');
    assert.match((await problem.innerText()) ?? '', /^Enter a whole number and a unit/);
    assert.equal(
      await page.getAttribute('.popup input', 'aria-describedby'),
      await problem.getAttribute('id'),
    );
    await page.fill('.popup input', '3');
    assert.equal(await problem.isVisible(), false);
    await page.fill('.popup input', '3d');
    await page.keyboard.press('Enter');
    await until(() => charts.done.length === 3);
    assert.deepEqual(charts.done[2], ['compare', { minutes: 4_320 }]);
    await page.close();
  });

  it('reports both values of a comparison in the tooltip and to screen readers', async () => {
    const { page, charts, store } = await openChart(browser, result([byMethod()]));
    const answer = store.answers[0]?.id;
    assert.ok(answer);
    charts.change({
      earlier: {
        label: '1 day earlier',
        offset: { minutes: 1_440 },
        offsetMilliseconds: 0,
        state: { kind: 'ready', answer },
      },
    });
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    assert.match(
      await said(page, 'Home'),
      /09:00 – 09:01\. PATCH (\d+), 1 day earlier \1; DELETE (\d+), 1 day earlier \2;/,
    );
    assert.deepEqual(await page.locator('.hit-column').allTextContents(), [
      'Current',
      '1 day earlier',
    ]);
    const [value, earlier] = ['.hit-value', '.hit-earlier'].map((name) =>
      page.locator(name).first().textContent(),
    );
    assert.equal(await value, await earlier);
    await page.close();
  });

  it('saves images with title, time range and legend, as SVG on white or as PNG', async () => {
    const charts = recorded();
    const { page, until } = await openChart(
      browser,
      result([byMethod()], { title: 'requests <by> method' }),
      { charts },
    );
    for (const name of ['Save as SVG on White…', 'Save as PNG…']) {
      await page.click('[data-tool="Picture"]');
      await page.getByRole('button', { name, exact: true }).click();
    }
    await until(() => charts.done.length === 2);
    const [svg, png] = charts.done.map(([, , content]) => String(content));
    for (const text of ['requests &#60;by&#62; method', 'PATCH', 'fill="#ffffff"'])
      assert.ok(svg?.includes(text), text);
    assert.match(svg ?? '', />2026-11-21 09:00 – \d\d:\d\d, UTC</);
    const bytes = Buffer.from(png ?? '', 'base64');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(bytes.readUInt32BE(16) >= 1_280, 'twice the least width');
    await page.close();
  });
});
