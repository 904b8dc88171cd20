/** The layout of a chart: the plot in a low panel, the tools, the notices and the legend. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { openChart, plotBox } from './chartPage.ts';
import {
  byMethod,
  byPath,
  kinds,
  minute,
  percentiles,
  start,
  summary,
  time,
} from './chartSamples.ts';
import { result, type SampleTable } from './samples.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

/** Returns counts of one series, with `gaps` minutes left out. */
function counts(bins: number, gaps = 0): SampleTable {
  return summary(
    bins - gaps,
    {
      _time: ['datetime', (row) => time(row < 2 ? row : row + gaps)],
      count_: ['integer', (row) => 10 + row],
    },
    { groups: ['_time'], aggregates: { count_: 'count' }, minutes: bins },
  );
}

const sizeOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(({ clientWidth, clientHeight }) => ({
      width: clientWidth,
      height: clientHeight,
    }));

describe('a chart in a low panel', () => {
  it('has a plot of at least 200 pixels in a panel of 300 pixels', async () => {
    const { page } = await openChart(browser, result([byMethod()]), { width: 1_000, height: 265 });
    const { height } = await sizeOf(page, '.plot');
    assert.ok(height >= 200, `${height}`);
    await page.close();
  });

  it('uses most of the height for its plot, whatever its kind', async () => {
    for (const [name, sample, kind] of kinds) {
      if (kind === 'logStream') continue;
      const { page } = await openChart(browser, sample, { width: 1_000, height: 200 });
      if (kind) await page.selectOption('[data-tool="Chart"]', kind);
      await page.waitForSelector('.plot canvas');
      const { height } = await sizeOf(page, '.plot');
      assert.ok(height >= 115, `${name}: ${height}`);
      await page.close();
    }
  });

  it('shows the entire pie even if there is a notice', async () => {
    for (const [width, height] of [
      [1_000, 200],
      [600, 260],
      [320, 400],
    ] as const) {
      const { page } = await openChart(browser, result([byPath]), { width, height });
      await page.selectOption('[data-tool="Chart"]', 'pie');
      await page.getByText('grouped as').waitFor();
      await page.waitForFunction(() => {
        const [plot, canvas] = ['.plot', '.plot canvas'].map((one) => document.querySelector(one));
        return plot && canvas && plot.clientHeight === canvas.clientHeight;
      });
      const found = await page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.plot canvas');
        const context = canvas?.getContext('2d');
        if (!canvas || !context) return undefined;
        const { width: right, height: bottom } = canvas;
        const { data } = context.getImageData(0, 0, right, bottom);
        const isDrawn = (x: number, y: number) => (data[(y * right + x) * 4 + 3] ?? 0) > 0;
        const rows = Array.from({ length: bottom }, (_, y) => y).filter((y) =>
          Array.from({ length: right }, (__, x) => x).some((x) => isDrawn(x, y)),
        );
        return {
          top: rows[0] ?? -1,
          free: bottom - 1 - (rows.at(-1) ?? 0),
          drawn: rows.length / bottom,
          inView: canvas.getBoundingClientRect().bottom <= innerHeight,
        };
      });
      const size = `${width} × ${height}: ${JSON.stringify(found)}`;
      assert.ok(found?.inView, size);
      assert.ok(found.top > 0 && found.free > 0 && found.drawn > 0.6, size);
      await page.close();
    }
  });

  it('has its legend next to the plot in a low panel, and below the plot in a high panel', async () => {
    for (const [width, height, isBeside] of [
      [1_000, 200, true],
      [600, 260, true],
      [600, 800, false],
      [320, 400, false],
    ] as const) {
      const { page } = await openChart(browser, result([byMethod()]), { width, height });
      const [plot, legend] = await Promise.all([
        page.locator('.plot').boundingBox(),
        page.locator('.legend').boundingBox(),
      ]);
      assert.ok(plot && legend);
      assert.equal(legend.x >= plot.x + plot.width - 1, isBeside, `${width} × ${height}`);
      assert.ok(plot.height >= 0.5 * (legend.y + legend.height - plot.y), `${width} × ${height}`);
      await page.close();
    }
  });
});

describe('the tooltip of a chart', () => {
  it('is fully visible in a low panel, with a row for each of five compared series', async () => {
    const { page, charts, store } = await openChart(browser, result([byMethod()]), {
      width: 1_000,
      height: 200,
    });
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
    const box = await plotBox(page);
    for (const [x, y] of [
      [0.1, 0.2],
      [0.5, 0.75],
      [0.94, 0.5],
    ] as const) {
      await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
      await page.waitForSelector('.hit-box:not([hidden])');
      const found = await page.locator('.hit-box').evaluate((hit) => {
        const { top, left, bottom, right } = hit.getBoundingClientRect();
        return {
          isInView: top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth,
          isWhole: hit.scrollHeight <= hit.clientHeight,
          rows: hit.querySelectorAll('.hit-row').length,
        };
      });
      assert.deepEqual(found, { isInView: true, isWhole: true, rows: 5 }, `${x} ${y}`);
    }
    await page.close();
  });
});

describe('the legend of a chart', () => {
  const focused = (page: Page) =>
    page.evaluate(() => [
      document.activeElement?.closest<HTMLElement>('.legend [data-key]')?.innerText.split(/\s/)[0],
      document.activeElement?.getAttribute('aria-label') ?? '',
    ]);

  it('is a single tab stop, and arrow keys reach its rows and their buttons', async () => {
    const { page } = await openChart(browser, result([byMethod()]));
    const stops = () => page.locator('.legend tbody button[tabindex="0"]').count();
    assert.equal(await stops(), 1);
    const names = await page.locator('.series-name').allTextContents();
    await page.locator('.legend tbody button[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    assert.equal((await focused(page))[0], names[1]);
    await page.keyboard.press('End');
    assert.equal((await focused(page))[0], names.at(-1));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await focused(page), [names[0], `Add ${names[0]} as filter`]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.hidden-series');
    assert.equal((await focused(page))[0], names[1]);
    assert.equal(await stops(), 1);
    await page.close();
  });

  it('shows as many columns as fit, and all values in the tooltip of a row', async () => {
    for (const width of [500, 800, 1_400]) {
      const { page } = await openChart(browser, result([percentiles()]), { width, height: 300 });
      await page.waitForFunction(() => {
        const legend = document.querySelector('.legend');
        return legend && legend.scrollWidth <= legend.clientWidth;
      });
      assert.ok((await page.locator('.legend thead th:visible').count()) > 1, `${width}`);
      const title = await page.locator('.legend .series').first().getAttribute('title');
      assert.match(title ?? '', /Max: .*\nLast: /);
      await page.close();
    }
  });
});

describe('the tools of a chart', () => {
  const tools = (page: Page) =>
    page
      .locator('[data-tool]:visible')
      .evaluateAll((found) => found.map((tool) => tool.getAttribute('data-tool')));

  it('include only those that have an effect on the shown data', async () => {
    for (const [sample, wanted] of [
      [counts(20), ['Chart', 'Style']],
      [counts(20, 3), ['Chart', 'Style', 'Gaps']],
      [byMethod(), ['Chart', 'Style', 'Stacked']],
      [percentiles(), ['Chart', 'Style', 'Gaps', 'Values']],
    ] as const) {
      const { page, charts } = await openChart(browser, result([sample]));
      assert.deepEqual(await tools(page), [...wanted, 'Compare', 'Zoom Out', 'Picture']);
      // If the query cannot run again, the tools that would run it are removed.
      charts.change({ canSelectRange: false });
      await page.waitForSelector('[data-tool="Zoom Out"]', { state: 'detached' });
      assert.deepEqual(await tools(page), [...wanted, 'Picture']);
      await page.close();
    }
  });

  it('are collapsed on a narrow page, so that the plot has at least 150 pixels', async () => {
    const { page } = await openChart(browser, result([percentiles()]), { width: 400, height: 320 });
    const shown = () => page.locator('[data-tool]:visible').count();
    assert.equal(await shown(), 2);
    const { height } = await sizeOf(page, '.plot');
    assert.ok(height >= 150, `${height}`);
    const bar = await sizeOf(page, '.chart-tools');
    assert.ok(bar.height <= 30, `${bar.height}`);
    await page.getByRole('button', { name: 'Options' }).focus();
    await page.keyboard.press('Enter');
    assert.ok((await shown()) > 4);
    await page.keyboard.press('Enter');
    assert.equal(await shown(), 2);
    await page.close();
  });

  it('keep the focus when another tool is removed', async () => {
    const { page } = await openChart(browser, result([byMethod()]));
    await page.focus('[data-tool="Style"]');
    await page.selectOption('[data-tool="Style"]', 'line');
    await page.waitForFunction(() => !document.querySelector('[data-tool="Stacked"]'));
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('data-tool') ?? '');
    assert.equal(await focused(), 'Style');
    await page.close();
  });
});

describe('the notices of a chart', () => {
  const cut = {
    ...byMethod(10),
    range: {
      field: '_time',
      start: new Date(start + 20_000).toISOString(),
      end: new Date(start + 9.5 * minute).toISOString(),
    },
    buckets: { field: '_time', size: minute * 1e6 },
  };

  it('are on one line, which Enter expands', async () => {
    const { page } = await openChart(browser, result([cut]), { width: 320, height: 420 });
    await page.selectOption('[data-tool="Chart"]', 'statistic');
    const text = 'The first and the last bin are partial and left out of the change.';
    const line = page.getByRole('button', { name: text });
    await line.waitFor();
    const { height } = await sizeOf(page, '.notice-text');
    assert.ok(height <= 24, `${height}`);
    await line.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'About this chart' }).getByText(text).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await line.evaluate((one) => one === document.activeElement), true);
    await page.close();
  });

  it('mention partial bins only if the plot has no room for their labels', async () => {
    const low = await openChart(browser, result([cut]), { width: 1_000, height: 200 });
    const notices = (page: Page) => page.locator('.chart-notices').textContent();
    assert.equal(
      await notices(low.page),
      'The first and the last bin are partial: the time range cuts them.',
    );
    await low.page.close();
    const high = await openChart(browser, result([cut]), { width: 1_000, height: 500 });
    assert.equal(await notices(high.page), '');
    await high.page.close();
  });
});
