/** The colors of chart series: the same for the lifetime of a tab, whatever the rank of a series. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { type ChartPage, isDrawn, openChart } from './chartPage.ts';
import { summary, time } from './chartSamples.ts';
import { result, type SampleTable } from './samples.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

/** Returns counts by method, with the methods in descending order of count. */
function ranked(methods: readonly string[], bins = 12): SampleTable {
  const count = methods.length;
  return summary(
    bins * count,
    {
      _time: ['datetime', (row) => time(Math.floor(row / count))],
      method: ['string', (row) => methods[row % count] as string],
      count_: ['integer', (row) => 10 * (count - (row % count)) + (row % 3)],
    },
    { groups: ['_time', 'method'], aggregates: { count_: 'count' }, minutes: bins },
  );
}

/** Returns the colors in the legend by series name. */
const colors = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('.series')].map((series) => [
        series.querySelector('.series-name')?.textContent ?? '',
        series.querySelector<HTMLElement>('.swatch')?.style.getPropertyValue('--swatch') ?? '',
      ]),
    ),
  );

/** Shows an answer, in another tab if `query` is given. */
async function shows({ page, show }: ChartPage, table: SampleTable, query?: string): Promise<void> {
  await show({ kind: 'result', result: result([table]), ...(query !== undefined && { query }) });
  await page.waitForFunction(
    (count) => document.querySelector('.status')?.textContent?.includes(`${count} rows`),
    table.rowCount.toLocaleString('en-US'),
  );
  await page.waitForSelector('.plot[aria-label]');
}

describe('the colors of series', () => {
  it('are kept in the next run, even if ranks change and series are removed or added', async () => {
    const view = await openChart(browser, result([ranked(['GET', 'POST', 'PUT'])]));
    const { page } = view;
    const first = await colors(page);
    assert.equal(new Set(Object.values(first)).size, 3);
    await shows(view, ranked(['PATCH', 'PUT', 'GET'], 13));
    const second = await colors(page);
    assert.deepEqual([second.GET, second.PUT], [first.GET, first.PUT]);
    assert.equal(new Set(Object.values(second)).size, 3);
    await shows(view, ranked(['POST', 'PATCH', 'GET', 'PUT'], 14));
    assert.deepEqual(await colors(page), { ...first, PATCH: second.PATCH });
    await page.close();
  });

  it('are the same in a pie chart, and are kept when the table is filtered', async () => {
    const { page, host } = await openChart(browser, result([ranked(['GET', 'POST', 'PUT'])]));
    const first = await colors(page);
    await page.selectOption('[data-tool="Chart"]', 'pie');
    await page.getByRole('columnheader', { name: 'Share' }).waitFor();
    assert.deepEqual(await colors(page), first);
    host.act('showTable', {});
    await page.waitForSelector('.slick-row .slick-cell');
    await page.locator('.slick-row[data-row="0"] .slick-cell.l2').click();
    host.act('excludeValue', {});
    await page.waitForFunction(
      () => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === '25',
    );
    host.act('showChart', {});
    await page.waitForSelector('.plot[aria-label]');
    const { GET: _, ...others } = first;
    assert.deepEqual(await colors(page), others);
    await page.close();
  });

  it('are kept when the page is reloaded', async () => {
    const view = await openChart(browser, result([ranked(['GET', 'POST', 'PUT'])]));
    const { page } = view;
    const first = await colors(page);
    await shows(view, ranked(['PUT', 'POST'], 13));
    await page.reload();
    await isDrawn(view);
    const { GET: _, ...others } = first;
    assert.deepEqual(await colors(page), others);
    await page.close();
  });

  it('start with the first palette color in another tab', async () => {
    const view = await openChart(browser, result([ranked(['GET', 'POST', 'PUT'])]));
    const first = await colors(view.page);
    await shows(view, ranked(['PUT', 'POST'], 13), 'another query');
    const second = await colors(view.page);
    assert.deepEqual(second, { PUT: first.GET, POST: first.POST });
    await view.page.close();
  });

  it('are kept in a comparison, even for a series that exists only in the earlier answer', async () => {
    const view = await openChart(browser, result([ranked(['GET', 'POST', 'PUT'])]));
    const { page, charts, store } = view;
    const first = await colors(page);
    await shows(view, ranked(['GET', 'POST', 'PUT'], 14), 'the earlier one');
    const earlier = store.answers.at(-1)?.id;
    assert.ok(earlier);
    await shows(view, ranked(['PUT', 'GET'], 13));
    charts.change({
      earlier: {
        label: '1 day earlier',
        offset: { minutes: 1_440 },
        offsetMilliseconds: 0,
        state: { kind: 'ready', answer: earlier },
      },
    });
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    assert.deepEqual(await colors(page), first);
    await page.close();
  });
});
