/** Charts of answers with hostile names or unusual data. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { assertHarmless, assertShown, foreign, visible } from '../foreignText.ts';
import { chosen, openChart, plotBox, recorded, said, svgOf } from './chartPage.ts';
import { events, minute, percentiles, start, summary, time } from './chartSamples.ts';
import { result, type Sample } from './samples.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('a chart of hostile or unusual data', () => {
  it('runs no code from names, units, annotations or notices', async () => {
    const evil =
      '<img src=x onerror="window.owned=1">{a|b}{{c}}</text><script>window.owned=1</script>';
    const columns: Parameters<typeof summary>[1] = Object.fromEntries([
      ['_time', ['datetime', (row: number) => time(Math.floor(row / 2))]],
      ['constructor', ['integer', (row: number) => row + 1]],
    ]);
    columns[evil] = ['string', (row) => (row % 2 === 0 ? evil : '__proto__')];
    const hostile = summary(4, columns, {
      groups: ['_time', evil],
      aggregates: { constructor: 'count' },
      minutes: 2,
    });
    const marks = {
      annotations: [{ id: evil, title: evil, type: evil, time: start + minute }],
      thresholds: [{ monitor: evil, value: 2, column: evil }],
      notes: [evil],
    };
    const charts = recorded(marks);
    const sample = result([hostile], { title: evil, units: { constructor: evil } });
    const { page, complaints, until } = await openChart(browser, sample, { charts });
    for (const kind of ['timeSeries', 'topList', 'pie', 'heatmap', 'statistic']) {
      await page.selectOption('[data-tool="Chart"]', kind);
      await page.waitForSelector('.plot[aria-label]');
      const box = await plotBox(page);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.click('[data-tool="Picture"]');
      await page.getByRole('button', { name: 'Save as SVG…', exact: true }).click();
    }
    await until(() => charts.done.length === 5);
    const plain = await browser.newPage();
    for (const [, , svg] of charts.done) {
      const parsed = await plain.evaluate((text) => {
        const drawn = new DOMParser().parseFromString(text, 'image/svg+xml');
        return [
          drawn.querySelector('parsererror')?.textContent ?? '',
          drawn.querySelectorAll('script, img').length,
        ];
      }, String(svg));
      assert.deepEqual(parsed, ['', 0], String(svg).split('\n')[5]?.slice(0, 300));
    }
    await plain.close();
    assert.equal(await page.evaluate(() => 'owned' in window), false);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('makes invisible characters visible in its legend, tooltip, notices, annotations and images', async () => {
    const columns: Parameters<typeof summary>[1] = {
      _time: ['datetime', (row) => time(Math.floor(row / 2))],
      [foreign]: ['string', (row) => (row % 2 === 0 ? foreign : 'other')],
      count_: ['integer', (row) => row + 1],
    };
    const groups = { groups: ['_time', foreign], aggregates: { count_: 'count' }, minutes: 40 };
    const charts = recorded({
      annotations: [{ id: 'a', title: `note ${foreign}`, type: 'note', time: start + minute }],
      thresholds: [{ monitor: `limit ${foreign}`, value: 40, column: 'count_' }],
      notes: [foreign],
    });
    const sample = result([summary(80, columns, groups)], {
      title: foreign,
      units: { count_: foreign },
    });
    const chart = await openChart(browser, sample, { charts, width: 1400, height: 600 });
    const { page, complaints } = chart;
    const box = await plotBox(page);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForSelector('.hit-name');
    const names = async (selector: string) =>
      (await page.locator(selector).allTextContents()).sort();
    assert.deepEqual(await names('.series-name'), [visible, 'other'].sort());
    assert.deepEqual(await names('.hit-name'), [visible, 'other'].sort());
    await assertShown(page, { '.notice-text': '*', '.notice-text @title': '*' });
    assert.match(
      (await page.getAttribute('.plot', 'aria-label')) ?? '',
      /^a\[U\+202E\]b␇<b>x<\/b>\. /,
    );
    assert.ok((await said(page, 'Home')).includes(visible));
    await assertHarmless(page);
    const svg = await svgOf(chart);
    const inChart = visible.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const around = visible.replaceAll('<', '&#60;').replaceAll('>', '&#62;');
    // The picture's title, the labels of the threshold and the annotation, and the legend.
    for (const text of [`>${around}<`, `limit ${inChart}`, `note ${inChart}`, `>${around}  `])
      assert.ok(svg.includes(text), text);
    assert.equal(svg.includes('\u202E'), false);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  const odd: readonly (readonly [string, Sample, RegExp])[] = [
    ['one point', result([percentiles(1)]), /with 1 time,/],
    [
      'one series of nulls',
      result([
        summary(
          3,
          { _time: ['datetime', (row) => time(row)], x: ['float', () => null] },
          { groups: ['_time'], aggregates: { x: 'avg' }, minutes: 3 },
        ),
      ]),
      /1 series/,
    ],
    [
      'a negative stack',
      result([
        summary(
          6,
          {
            _time: ['datetime', (row) => time(Math.floor(row / 2))],
            sign: ['string', (row) => (row % 2 === 0 ? 'in' : 'out')],
            sum_x: ['float', (row) => (row % 2 === 0 ? 10 : -7)],
          },
          { groups: ['_time', 'sign'], aggregates: { sum_x: 'sum' }, minutes: 3 },
        ),
      ]),
      /out: -7 to -7/,
    ],
    [
      'series with different units',
      result(
        [
          summary(
            4,
            {
              _time: ['datetime', (row) => time(row)],
              duration: ['float', (row) => row * 10],
              size: ['float', (row) => row * 1_000],
            },
            { groups: ['_time'], aggregates: { duration: 'avg', size: 'avg' }, minutes: 4 },
          ),
        ],
        { units: { duration: 'ms', size: 'bytes' } },
      ),
      /size: 0 B to 2\.93 KiB/,
    ],
  ];
  for (const [name, sample, wanted] of odd) {
    it(`draws ${name}`, async () => {
      const { page, complaints } = await openChart(browser, sample);
      assert.match((await page.getAttribute('.plot', 'aria-label')) ?? '', wanted);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }

  it('shows 5,000 events as a log stream that scrolls to its end', async () => {
    const { page } = await openChart(browser, result([events]));
    assert.equal(await chosen(page, 'Chart'), 'logStream');
    await page.locator('.log-stream').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.getByText('request 4999 took 14997 ms').waitFor();
    await page.close();
  });
});
