/** The selected column after a filter, the selected cell when details open, and the label of the grid. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { result, type SampleTable, table } from './samples.ts';
import { openView, type ViewPage } from './viewPage.ts';
import { cell, drawn, openResult } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const names = Array.from({ length: 30 }, (_, at) => `field${at}`);

function wide(columns: readonly string[], rows = 300): SampleTable {
  return table(
    rows,
    Object.fromEntries(columns.map((name) => [name, ['string', (row) => `${name} of row ${row}`]])),
  );
}

/** Returns the column name and row of the active cell, and whether the cell is visible. */
function activeCell(page: Page) {
  return page.evaluate(() => {
    const active = document.querySelector('.slick-cell.active');
    const place = active?.getAttribute('aria-colindex');
    const header = document.querySelector(`.slick-header-column[aria-colindex="${place}"]`);
    const box = active?.getBoundingClientRect();
    const viewport = active?.closest('.slick-viewport');
    const outer = viewport?.getBoundingClientRect();
    return {
      column: header?.querySelector('.header-name')?.textContent,
      row: Number(active?.closest<HTMLElement>('.slick-row')?.dataset['row']),
      selected: document.querySelectorAll('.slick-cell.selected').length,
      isInView:
        box !== undefined &&
        outer !== undefined &&
        box.left >= outer.left - 1 &&
        box.right <= outer.left + (viewport?.clientWidth ?? 0) + 1 &&
        box.top >= outer.top - 1 &&
        box.bottom <= outer.top + (viewport?.clientHeight ?? 0) + 1,
    };
  });
}

async function selectFar(page: Page, name: string): Promise<void> {
  const at = names.indexOf(name) + 1;
  await page.locator('.slick-row[data-row="4"] .slick-cell.l1').click();
  for (let step = 1; step < at; step++) await page.keyboard.press('ArrowRight');
  await cell(page, 4, at).and(page.locator('.active')).waitFor();
}

describe('the selection after a filter was added to the query', () => {
  it('is the first cell of the same column, which is scrolled into view', async () => {
    let view: ViewPage | undefined;
    const others = ['added', ...names.filter((name) => name !== 'field20'), 'field20', 'last'];
    view = await openResult(browser, result([wide(names)], { title: 'logs' }), {
      effects: {
        addFilter: async () => {
          const filtered = result([wide(others, 20)], { title: "logs | where field20 == 'x'" });
          await view?.show({ kind: 'result', result: filtered });
        },
      },
    });
    const { page, host } = view;
    await selectFar(page, 'field20');
    host.act('addFilterToQuery', {});
    await page.waitForSelector('[role="grid"][aria-rowcount="21"]', { state: 'attached' });
    await page.locator('.slick-cell.active').waitFor();
    assert.deepEqual(await activeCell(page), {
      column: 'field20',
      row: 0,
      selected: 1,
      isInView: true,
    });
    host.act('toggleDetail', {});
    await page.waitForSelector('.detail [aria-selected="true"] .key:text-is("field20")');
    const field = await page.evaluate(() => {
      const box = (selector: string) =>
        document.querySelector(selector)?.getBoundingClientRect() as DOMRect;
      const [line, tree] = [box('.line[aria-selected="true"]'), box('.tree')];
      return line.top >= tree.top - 1 && line.bottom <= tree.bottom + 1;
    });
    assert.ok(field, 'the field is in view');
    assert.equal((await activeCell(page)).isInView, true);
    await page.close();
  });

  it('is the first cell of the result if the column is missing', async () => {
    const view = await openResult(browser, result([wide(names)], { title: 'logs' }));
    const { page, show } = view;
    await selectFar(page, 'field20');
    await page.waitForTimeout(300);
    const others = names.filter((name) => name !== 'field20');
    await show({ kind: 'result', result: result([wide(others, 20)], { title: 'logs | x' }) });
    await page.waitForSelector('[role="grid"][aria-rowcount="21"]', { state: 'attached' });
    const { column, row, isInView } = await activeCell(page);
    assert.deepEqual([column, row, isInView], ['field0', 0, true]);
    await page.close();
  });
});

describe('row details opened with a button', () => {
  it('keep the selected cell visible, even at the edge of the grid', async () => {
    const { page } = await openResult(browser, result([wide(names)]));
    await page.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
    // The last cell that is in view in both directions.
    for (let down = 0; down < 12; down++) await page.keyboard.press('ArrowDown');
    for (let right = 0; right < 7; right++) await page.keyboard.press('ArrowRight');
    const before = await activeCell(page);
    assert.equal(before.isInView, true);
    await page.getByRole('button', { name: 'Row details' }).click();
    await page.waitForSelector(`.detail [aria-selected="true"] .key:text-is("${before.column}")`);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(null))));
    assert.deepEqual(await activeCell(page), before);
    await page.close();
  });

  it('scroll the grid back to their row', async () => {
    const { page } = await openResult(browser, result([wide(names)]));
    await page.locator('.slick-row[data-row="2"] .slick-cell.l1').click();
    await page.locator('.slick-viewport-top.slick-viewport-right').evaluate((viewport) => {
      viewport.scrollTop = 4_000;
    });
    await page.locator('.slick-row[data-row="180"]').first().waitFor();
    await page.getByRole('button', { name: 'Row details' }).click();
    await page.locator('.slick-row[data-row="2"] .slick-cell.active').waitFor();
    const { row, isInView } = await activeCell(page);
    assert.deepEqual([row, isInView], [2, true]);
    await page.close();
  });
});

describe('the label of the grid', () => {
  it('contains the query on one line, truncated and without invisible characters', async () => {
    const view = await openView(browser);
    const { page, show } = view;
    const label = () => page.locator('[role="grid"]').getAttribute('aria-label');
    const query = `logs\n| where user == 'a\u202eb'\n| where text == '${'x'.repeat(1_000)}'`;
    await show({ kind: 'result', query, result: result([wide(['a'])], { title: 'Slow logs' }) });
    await drawn(page);
    const text = (await label()) ?? '';
    assert.match(text, /^Slow logs: logs \| where user == 'a\[U\+202E\]b' \| where text == 'x+…$/);
    assert.ok(text.length < 350, `${text.length} characters`);
    await show({ kind: 'result', result: result([wide(['b'])], { title: 'logs | take 5' }) });
    await page.locator('.header-name', { hasText: /^b$/ }).waitFor();
    assert.equal(await label(), 'logs | take 5');
    await page.close();
  });
});
