/** Clicks in a bar chart over time, and the Back button above the table and the chart of a result. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { type RecordedCharts, recorded } from './chartPage.ts';
import { byMethod, byPath, minute, start } from './chartSamples.ts';
import { result, table } from './samples.ts';
import { openView, type ViewOptions, type ViewPage } from './viewPage.ts';

/** The folder for screenshots, if they are wanted. */
const pictures = process.env.APLOMB_PICTURES;

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

async function openBars(charts: RecordedCharts, options: ViewOptions = {}): Promise<ViewPage> {
  const view = await openView(browser, { charts, chartsFirst: true, ...options });
  await view.show({ kind: 'result', result: result([byMethod()]) });
  await view.page.waitForSelector('.plot[aria-label]');
  return view;
}

const places = table(2, { place: ['string', (row) => ['Lisbon', 'Porto'][row] ?? null] });

describe('a click in a chart over time', () => {
  it('selects the time range of a bin anywhere above its bar, and excludes the clicked series with Alt', async () => {
    const charts = recorded();
    const { done } = charts;
    const { page, conditions, until } = await openBars(charts);
    const box = await page.locator('.plot').boundingBox();
    assert.ok(box);
    const x = box.x + box.width * 0.6;
    await page.mouse.move(x, box.y + box.height * 0.75);
    await page.locator('.hit-box', { hasText: 'Click to set this time range' }).waitFor();
    await page.mouse.click(x, box.y + 40);
    await until(() => done.length === 1);
    const [name, from, to] = done[0] ?? [];
    assert.equal(name, 'selectRange');
    assert.equal((Number(from) - start) % minute, 0);
    assert.equal(Number(to) - Number(from), minute);
    await page.locator('.plot').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await until(() => done.length === 2);
    assert.ok(Number(done[1]?.[1]) > Number(from));

    await page.mouse.move(x, box.y + box.height * 0.75);
    await page
      .locator('.hit-box', { hasText: /Alt\+click excludes (GET|POST|PUT|DELETE|PATCH)/ })
      .waitFor();
    // VS Code focuses its menu bar when Alt goes down and up without another key in between.
    await page.evaluate(() => {
      const keys: string[] = [];
      Object.assign(window, { keys });
      for (const type of ['keydown', 'keyup'] as const)
        window.addEventListener(type, ({ key }) => keys.push(`${type} ${key}`));
    });
    await page.keyboard.down('Alt');
    await page.mouse.click(x, box.y + box.height * 0.75);
    await page.keyboard.up('Alt');
    assert.deepEqual(await page.evaluate(() => (window as unknown as { keys: string[] }).keys), [
      'keydown Alt',
      'keydown Unidentified',
      'keydown Unidentified',
      'keyup Alt',
    ]);
    await until(() => conditions.length === 1);
    assert.deepEqual([conditions[0]?.column, conditions[0]?.exclude], ['method', true]);
    assert.equal(done.length, 2);
    await page.close();
  });

  it('adds a filter if the chart shows areas, which have no bins to select', async () => {
    const charts = recorded();
    const { done } = charts;
    const { page, conditions, until } = await openBars(charts);
    await page.locator('[data-tool="Style"]').selectOption('area');
    const box = await page.locator('.plot').boundingBox();
    assert.ok(box);
    const at = [box.x + box.width * 0.6, box.y + box.height * 0.75] as const;
    await page.mouse.move(...at);
    await page.locator('.hit-box', { hasText: 'Click adds a filter' }).waitFor();
    await page.mouse.click(...at);
    await until(() => conditions.length === 1);
    assert.deepEqual([done.length, conditions[0]?.exclude], [0, false]);
    await page.close();
  });
});

describe('a query with an added filter', () => {
  it('is shown as the kind of chart that was chosen before', async () => {
    const view = await openView(browser, { charts: recorded() });
    const { page, host, show } = view;
    const named = (title: string) => result([byPath], { title });
    await show({ kind: 'result', result: named('logs | summarize count() by path') });
    await page.waitForSelector('[data-mode]');
    host.act('showChart', {});
    await page.waitForSelector('.plot[aria-label]');
    await page.locator('[data-tool="Chart"]').selectOption('pie');
    await page.locator('.plot[aria-label*="Pie"]').waitFor();
    for (const title of [
      'logs | where a == 1 | summarize …',
      'logs | where b == 2 | summarize …',
    ]) {
      await show({ kind: 'result', result: named(title) });
      await page.locator(`.plot[aria-label^="${title}. Pie"]`).waitFor();
    }
    // Another query of the same dataset is shown as usual.
    await show({ kind: 'result', result: result([byMethod()], { title: 'logs | summarize' }) });
    await page.locator('.slick-row').first().waitFor();
    await page.close();
  });
});

describe('the Back button', () => {
  it('is shown above a table with the filter it removes, and works on click and with Alt+Left', async () => {
    const filter = `place == 'Lisbon'\u202e ${'x'.repeat(200)}`;
    const charts = recorded({}, { canGoBack: true, filter });
    const { done } = charts;
    const { page, show, until } = await openView(browser, { charts });
    await show({ kind: 'result', result: result([places]) });
    const back = page.locator('.status .back');
    assert.equal(await back.getAttribute('title'), 'Remove the filter and run again (Alt+Left)');
    const parts = await page.locator('.summary .part').allTextContents();
    assert.match(parts[0] ?? '', /^Filtered by place == 'Lisbon'\[U\+202E\] x+…$/);
    assert.ok((parts[0] ?? '').length < 110, parts[0]);
    await back.click();
    await page.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
    await page.keyboard.press('Alt+ArrowLeft');
    await until(() => done.length === 2);
    assert.deepEqual(done, [['back'], ['back']]);
    await page.close();
  });

  it('keeps the focus in the table or the chart when the previous result returns', async () => {
    const charts = recorded({}, { canGoBack: true });
    const { page, show, host } = await openView(browser, { charts });
    const focused = (selector: string) =>
      page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
    const next = () => show({ kind: 'result', result: result([byPath], { title: 'by path' }) });
    await next();
    await page.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
    await next();
    await focused('.slick-cell.active');
    host.act('showChart', {});
    await page.waitForSelector('.plot[aria-label]');
    await page.locator('.plot').focus();
    await next();
    await focused('.plot[aria-label]');
    // The new chart is not drawn yet when its button is removed, and sometimes the previous chart is not either.
    for (let run = 0; run < 10; run++) {
      await page.locator('.back').focus();
      await next();
      await focused('.plot[aria-label]');
    }
    await page.close();
  });

  it('is missing if there is no step to undo, and Alt+Left does nothing', async () => {
    const charts = recorded();
    const { done } = charts;
    const { page, show, contents } = await openView(browser, { charts });
    await show({ kind: 'result', result: result([places]) });
    await page.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('.back').count(), 0);
    assert.deepEqual([done, contents('back')], [[], []]);
    await page.close();
  });

  for (const theme of ['dark', 'light', 'high-contrast'] as const)
    for (const width of [1_100, 320])
      it(`fits above the chart in the theme ${theme} at a width of ${width} pixels`, async () => {
        const charts = recorded({}, { canGoBack: true, filter: "method == 'GET'" });
        const { page } = await openBars(charts, { theme, width });
        const [line, back] = [page.locator('.status'), page.locator('.back')];
        const [outer, inner] = [await line.boundingBox(), await back.boundingBox()];
        assert.ok(outer && inner && inner.x + inner.width <= outer.x + outer.width);
        if (pictures) await page.screenshot({ path: join(pictures, `back-${theme}-${width}.png`) });
        await page.close();
      });
});
