/** Charts of unusual data: many series, huge names, unordered times, the end of daylight saving time, partial bins. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { type ChartPageOptions, choose, label, openChart, said, svgOf } from './chartPage.ts';
import { byMethod, byPath, minute, start, summary, time } from './chartSamples.ts';
import { result, table } from './samples.ts';

// The worker has the time zone of the page, as in VS Code.
process.env.TZ = 'Europe/Berlin';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('a chart of many series', () => {
  const hosts = 10_000;
  const byHost = (aggregate: string) =>
    summary(
      hosts * 2,
      {
        _time: ['datetime', (row) => time(Math.floor(row / hosts))],
        host: ['string', (row) => `host-${row % hosts}`],
        n: ['integer', (row) => (row % hosts) + 1],
      },
      { groups: ['_time', 'host'], aggregates: { n: aggregate }, minutes: 2 },
    );

  it('draws the largest of 10,000 series and groups the others, so that all counts add up', async () => {
    const { page, complaints } = await openChart(browser, result([byHost('count')]));
    const notice = await page.locator('.chart-notices').textContent();
    const [, kept, folded] = /^(\d+) series .* ([\d,]+) more grouped/.exec(notice ?? '') ?? [];
    assert.equal(Number(kept) + Number(folded?.replace(',', '')), hosts, notice ?? '');
    const totals = await page.locator('.legend tbody td:nth-child(2)').allTextContents();
    assert.equal(totals.length, Number(kept) + 1);
    const sum = totals.reduce((all, text) => all + Number(text.replaceAll(',', '')), 0);
    assert.equal(sum, hosts * (hosts + 1));
    for (const kind of ['topList', 'pie', 'heatmap']) {
      await choose(page, 'Chart', kind);
      await page.waitForFunction(() =>
        /grouped|not drawn/.test(document.querySelector('.chart-notices')?.textContent ?? ''),
      );
    }
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('reports how many series it omits if their values cannot be added', async () => {
    const { page } = await openChart(browser, result([byHost('avg')]));
    const drawn = await page.locator('.series').count();
    assert.ok(drawn > 10 && drawn <= 100, `${drawn}`);
    const left = (hosts - drawn).toLocaleString('en-US');
    assert.match(
      (await page.textContent('.chart-notices')) ?? '',
      new RegExp(`${left} series are not drawn: their values cannot be added`),
    );
    await page.close();
  });
});

it('a category name of 1 MB is truncated in the chart, but complete in an added filter', async () => {
  const huge = `begin${'x'.repeat(1_000_000)}`;
  const sample = summary(
    4,
    {
      _time: ['datetime', (row) => time(Math.floor(row / 2))],
      path: ['string', (row) => (row % 2 === 0 ? huge : 'short')],
      count_: ['integer', (row) => 10 - row],
    },
    { groups: ['_time', 'path'], aggregates: { count_: 'count' }, minutes: 2 },
  );
  const view = await openChart(browser, result([sample]));
  const { page, conditions, complaints, until } = view;
  for (const kind of ['topList', 'pie', 'heatmap', 'timeSeries']) {
    await choose(page, 'Chart', kind);
    assert.ok((await label(page)).length < 5_000);
    assert.ok((await page.locator('body').innerHTML()).length < 200_000);
    assert.ok((await svgOf(view)).length < 200_000);
  }
  await page.locator('.series-filters button').first().focus();
  await page.keyboard.press('Enter');
  await until(() => conditions.length === 1);
  assert.ok(JSON.stringify(conditions[0]).includes(huge));
  assert.deepEqual(complaints, []);
  await page.close();
});

it('a chart draws unordered and repeated times once each, in order', async () => {
  const order = [5, 1, 3, 1, 4, 0, 2, 2, 5];
  const events = table(order.length, {
    _time: ['datetime', (row) => time(order[row] as number)],
    load: ['float', (row) => row + 0.5],
  });
  const { page } = await openChart(browser, result([events]));
  assert.match(await label(page), /1 series with 6 times, 2026-11-21 09:00 – 09:05/);
  const spoken: string[] = [await said(page, 'Home')];
  for (let at = 0; at < 5; at++) spoken.push(await said(page, 'ArrowRight'));
  assert.deepEqual(
    spoken.map((text) => /\d\d:\d\d/.exec(text)?.[0]),
    ['09:00', '09:01', '09:02', '09:03', '09:04', '09:05'],
  );
  await page.close();
});

describe('a chart of the day on which daylight saving time ends', () => {
  const hour = 3_600_000;
  const midnight = Date.UTC(2026, 9, 24, 22);
  const iso = (at: number) => new Date(midnight + at * hour).toISOString();
  const hours = {
    ...summary(
      25,
      {
        _time: ['datetime', (row) => iso(row)],
        count_: ['integer', (row) => row + 1],
      },
      { groups: ['_time'], aggregates: { count_: 'count' } },
    ),
    range: { field: '_time', start: iso(0), end: iso(25) },
  };
  const options: ChartPageOptions = { zone: 'Europe/Berlin', timeZone: 'local', width: 1400 };

  it('has 25 bins in local time, distinguishes both hours at 02:00, and labels the axis correctly', async () => {
    const view = await openChart(browser, result([hours]), options);
    const { page } = view;
    assert.match(await label(page), /25 times/);
    const keys = ['Home', 'ArrowRight', 'ArrowRight'];
    assert.match(
      await said(page, ...keys),
      /^2026-10-25 02:00 UTC\+02:00 – 02:00 UTC\+01:00\. count_ 3/,
    );
    assert.match(await said(page, 'ArrowRight'), /^2026-10-25 02:00 UTC\+01:00 – 03:00.*count_ 4/);
    assert.match(await said(page, 'End'), /^2026-10-25 23:00 – 2026-10-26 00:00\. count_ 25/);
    const svg = await svgOf(view);
    const places = await page.evaluate((text) => {
      const drawn = new DOMParser().parseFromString(text, 'image/svg+xml');
      return [...drawn.querySelectorAll('text')].flatMap((found) => {
        const hour = /^(\d\d):00$/.exec(found.textContent ?? '')?.[1];
        const x = /translate\(([\d.]+)/.exec(found.getAttribute('transform') ?? '')?.[1];
        return hour && x ? [[Number(hour), Number(x)] as const] : [];
      });
    }, svg);
    const afterShift = places.filter(([at]) => at >= 4).sort(([a], [b]) => a - b);
    assert.ok(afterShift.length >= 3, JSON.stringify(places));
    const [[firstHour, firstX], [lastHour, lastX]] = [afterShift[0], afterShift.at(-1)] as [
      readonly [number, number],
      readonly [number, number],
    ];
    const pixelsOfHour = (lastX - firstX) / (lastHour - firstHour);
    for (const [at, x] of places) {
      const hoursBefore = firstHour - at + (at < 2 ? 1 : 0);
      if (at !== 2 && at !== 3)
        assert.ok(Math.abs(firstX - hoursBefore * pixelsOfHour - x) < 2, `${at}: ${x}`);
    }
    await page.close();
  });

  it('shows the same hours without offsets in UTC', async () => {
    const { page } = await openChart(browser, result([hours]), { ...options, timeZone: 'utc' });
    assert.match(
      await said(page, 'Home', 'ArrowRight', 'ArrowRight'),
      /^2026-10-25 00:00 – 01:00\. count_ 3/,
    );
    await page.close();
  });
});

it('a chart marks only the bins cut by either end of the time range as partial', async () => {
  const cut = {
    ...byMethod(10),
    range: {
      field: '_time',
      start: new Date(start + 20_000).toISOString(),
      end: new Date(start + 9.5 * minute).toISOString(),
    },
    buckets: { field: '_time', size: minute * 1e6 },
  };
  const view = await openChart(browser, result([cut]));
  const { page } = view;
  assert.equal((await svgOf(view)).match(/>partial</g)?.length, 2);
  assert.match(await said(page, 'Home'), /Partial bin: the time range cuts it/);
  assert.doesNotMatch(await said(page, 'ArrowRight'), /Partial/);
  assert.match(await said(page, 'End'), /Partial bin/);
  await page.close();
  const whole = await openChart(browser, result([byMethod(10)]));
  assert.doesNotMatch(await svgOf(whole), />partial</);
  await whole.page.close();
});

it('integers beyond the precision of a double are exact or marked as rounded in every kind of chart', async () => {
  const most = 9_223_372_036_854_775_807n;
  const sample = summary(
    4,
    {
      _time: ['datetime', (row) => time(Math.floor(row / 2))],
      host: ['string', (row) => `web-${row % 2}`],
      most: ['integer', (row) => most - BigInt(row)],
    },
    { groups: ['_time', 'host'], aggregates: { most: 'max' }, minutes: 2 },
  );
  const { page } = await openChart(browser, result([sample]));
  await said(page, 'Home');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.hit-value')].some(
      ({ textContent }) => textContent === '9,223,372,036,854,775,807',
    ),
  );
  for (const kind of ['topList', 'statistic', 'heatmap', 'scatter']) {
    await choose(page, 'Chart', kind);
    await said(page, 'Home');
    const shown = await page.locator('.hit-value').allTextContents();
    const numbers = shown.filter((text) => /\d{4}|,\d{3}|≈/.test(text) && !/^\d{4}-/.test(text));
    assert.ok(numbers.length > 0, `${kind}: ${shown}`);
    for (const text of numbers)
      assert.match(text, /^(?:9,?223,?372,?036,?854,?775,?80\d|≈ 9\.22e18)$/, kind);
  }
  await page.close();
});

it('charts are not animated, with or without reduced motion', async () => {
  for (const reducedMotion of [true, false]) {
    const { page } = await openChart(browser, result([byMethod()]), { reducedMotion });
    const drawn = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLCanvasElement>('.plot canvas')].map((canvas) =>
          canvas.toDataURL(),
        ),
      );
    for (const kind of ['timeSeries', 'topList', 'pie', 'heatmap', 'statistic']) {
      if (kind !== 'timeSeries') await choose(page, 'Chart', kind);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await page.evaluate(() => new Promise(requestAnimationFrame));
      const first = await drawn();
      assert.ok(first.length > 0);
      await page.waitForTimeout(350);
      assert.ok(JSON.stringify(await drawn()) === JSON.stringify(first), kind);
      const moving = await page.evaluate(
        () =>
          document
            .getAnimations()
            .filter(({ effect }) =>
              (effect as KeyframeEffect | null)?.target?.closest('.chart-view'),
            ).length,
      );
      assert.equal(moving, 0);
    }
    await page.close();
  }
});

it('a top list without room for all bars can be scrolled', async () => {
  const { page } = await openChart(browser, result([byPath]), { height: 260 });
  assert.match(await said(page, 'End'), /x{20,}/);
  const plot = page.locator('.plot');
  assert.ok(await plot.evaluate((found) => found.scrollHeight > found.clientHeight));
  await page.close();
});
