/** Tabs of the results page, the state of a reloaded page, and loading more rows. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { requests, result, table } from './samples.ts';
import { openView, type ViewPage } from './viewPage.ts';
import { becomes, cell, drawn, header, logs, openPanel, openResult, rowCount } from './workPage.ts';

/** The folder for screenshots, if they are wanted. */
const pictures = process.env.APLOMB_PICTURES;

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('the tabs of the results page', () => {
  it('show one query each, and can be switched, renamed and closed with the keyboard', async () => {
    const { page, show, tabs } = await openResult(browser);
    await show({ kind: 'result', query: 'b', result: result([requests(5)], { title: 'second' }) });
    await page.waitForFunction(() => document.querySelectorAll('[role="tab"]').length === 2);
    await page.locator('[role="tab"]', { hasText: 'requests by status' }).click();
    await becomes(page, 0, 2, 'info');
    await page.keyboard.press('ArrowRight');
    await becomes(page, 0, 2, '200');
    await page.keyboard.press('F2');
    await page.keyboard.type('mine');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelectorAll('.tab-title')[1]?.textContent === 'mine',
    );
    assert.equal(tabs.active?.name, 'mine');
    await page.keyboard.press('Delete');
    await page.waitForFunction(() => document.querySelectorAll('[role="tab"]').length === 1);
    await becomes(page, 0, 2, 'info');
    await page.close();
  });

  it('of one dataset have labels that start where their queries differ, and the queries as tooltips', async () => {
    const { page, tabs, complaints } = await openView(browser, { width: 700 });
    const queries = [
      ['http-logs', 'summarize requests = count() by bin_auto(_time), method'],
      ['http-logs', 'summarize requests = count() by host', 'sort by requests desc'],
      ['http-logs', 'where status >= 500', 'project status, path'],
    ];
    for (const stages of queries) {
      const text = stages.join('\n| ');
      tabs.open({
        query: { text, title: stages.join(' | '), stages },
        pinned: false,
        state: { kind: 'failed', message: 'No.', actions: [] },
      });
    }
    await page.waitForFunction(() => document.querySelectorAll('[role="tab"]').length === 3);
    const shown = page.locator('.tab-title');
    assert.deepEqual(await shown.allTextContents(), [
      '… by bin_auto(_time), method',
      '… by host | sort by requests desc',
      '… where status >= 500 | project status, path',
    ]);
    const titles = await page
      .locator('[role="tab"]')
      .evaluateAll((all) => all.map((tab) => tab.getAttribute('title')));
    assert.deepEqual(
      titles,
      queries.map((stages) => stages.join('\n| ')),
    );
    if (pictures) await page.screenshot({ path: join(pictures, 'tab-labels.png') });
    // The field for a new name contains the full title.
    await page.locator('[role="tab"][aria-selected="true"]').focus();
    await page.keyboard.press('F2');
    assert.equal(
      await page.locator('.tab-name').inputValue(),
      'http-logs | where status >= 500 | project status, path',
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('are in a menu that works with the keyboard if they do not all fit', async () => {
    const { page, show, tabs } = await openResult(browser);
    const button = page.getByRole('button', { name: 'All Results' });
    assert.equal(await button.isVisible(), false);
    for (let n = 1; n <= 12; n += 1)
      await show({
        kind: 'result',
        query: `q${n}`,
        result: result([requests(n)], { title: `the query with number ${n}` }),
      });
    await button.waitFor();
    await page.locator('[role="tab"][aria-selected="true"]').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role="menuitemradio"]:focus');
    assert.equal(await page.locator('[role="menuitemradio"]').count(), 13);
    assert.equal(
      await page.locator('[aria-checked="true"]').innerText(),
      'the query with number 12',
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('t');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role="tab"][aria-selected="true"]:focus');
    assert.equal(tabs.active?.title, 'the query with number 2');
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-pane-left .slick-row').length === 2,
    );
    const place = await page.evaluate(() => {
      const [tab, strip] = ['[role="tab"][aria-selected="true"]', '.tab-strip'].map(
        (part) => document.querySelector(part)?.getBoundingClientRect() as DOMRect,
      ) as [DOMRect, DOMRect];
      return tab.left >= strip.left && tab.right <= strip.right;
    });
    assert.ok(place, 'the chosen tab is in view');
    await page.close();
  });

  it('dim the previous rows while a query runs, and Escape cancels the run', async () => {
    const { page, show, cancelled, tabs, until } = await openResult(browser);
    await cell(page, 1, 1).click();
    await show({ kind: 'running', title: 'requests by status', startedAt: Date.now() - 2_000 });
    await page.waitForSelector('.status.running');
    assert.match((await page.textContent('.clock')) ?? '', /^[2-9]\.\d s$/);
    assert.equal((await page.locator('#content.dimmed .slick-row').count()) > 0, true);
    await page.keyboard.press('Escape');
    await until(() => cancelled.length === 1);
    const { state } = tabs.active as NonNullable<typeof tabs.active>;
    assert.equal(state.kind, 'running');
    if (state.kind === 'running') tabs.cancelled(state.run);
    await page.waitForSelector('#content:not(.dimmed) .slick-row');
    assert.match(
      (await page.textContent('.status .summary')) ?? '',
      /^Cancelled after [2-9]\.\d s/,
    );
    await page.close();
  });

  it('show the duration of a cancelled run, and run it again when Enter is pressed', async () => {
    const { page, show, cancelled, tabs, until, actions } = await openView(browser);
    const cancel = async (startedAt: number) => {
      await show({ kind: 'running', title: 'requests by status', startedAt });
      await page.waitForSelector('.status.running');
      const count = cancelled.length;
      await page.getByRole('button', { name: 'Cancel' }).click();
      await until(() => cancelled.length > count);
      const state = tabs.active?.state;
      if (state?.kind === 'running') tabs.cancelled(state.run, startedAt + 3_240);
    };
    const focused = (selector: string) =>
      page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
    await cancel(Date.now());
    await page.locator('.message h2', { hasText: 'Cancelled after 3.2 s' }).waitFor();
    await focused('.message .action');
    await page.keyboard.press('Enter');
    await until(() => actions.length === 1);
    await show({ kind: 'result', result: result([requests(20)]) });
    await drawn(page);
    await cancel(Date.now());
    await page.locator('.status .part', { hasText: 'Cancelled after 3.2 s' }).waitFor();
    await focused('.status .run-again');
    await page.keyboard.press('Enter');
    await until(() => actions.length === 2);
    assert.deepEqual(
      actions.map(({ label, arguments: tab }) => [label, tab]),
      [1, 2].map(() => ['Run Again', [tabs.active?.id]]),
    );
    await page.close();
  });

  it('dim the message of an empty result and its buttons while a query runs', async () => {
    const hint = { message: 'None.', actions: [{ label: 'Extend', command: 'aplomb.extend' }] };
    const { page, show, tabs } = await openView(browser);
    await show({ kind: 'result', result: result([requests(0)]), hint });
    await page.waitForSelector('.message .action');
    const opacity = () =>
      page.evaluate(() => getComputedStyle(document.querySelector('.message') as Element).opacity);
    assert.equal(await opacity(), '1');
    await show({ kind: 'running', title: 'requests by status', startedAt: Date.now() });
    await page.waitForSelector('.message[aria-disabled="true"]');
    assert.equal(await opacity(), '0.5');
    const state = tabs.active?.state;
    if (state?.kind === 'running') tabs.cancelled(state.run);
    await page.waitForSelector('.message:not([aria-disabled])');
    assert.equal(await opacity(), '1');
    await page.close();
  });
});

describe('a reloaded results page', () => {
  it('restores the sort order, filters, selection, active cell, scroll position, find text and columns', async () => {
    const { page, host } = await openResult(browser, result([logs(5_000)]));
    await header(page, 'status').click();
    await header(page, 'duration').click({ modifiers: ['Shift'] });
    await openPanel(page, 'level');
    await page.locator('.value', { hasText: 'error' }).locator('input').check();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    host.act('pinColumn', { column: 2 });
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-header-left .header-name').length === 2,
    );
    await drawn(page);
    await page.evaluate(() =>
      document.querySelector('.slick-viewport-top.slick-viewport-right')?.scrollTo(0, 12_000),
    );
    await page.waitForSelector('.slick-row[data-row="550"] .slick-cell.l3:not(:has(.pending))');
    await cell(page, 548, 3).click();
    await cell(page, 551, 4).click({ modifiers: ['Shift'] });
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('Lis');
    await page.waitForTimeout(500);
    const seen = () =>
      page.evaluate(() => ({
        top: document.querySelector('.slick-viewport-top.slick-viewport-right')?.scrollTop,
        chips: [...document.querySelectorAll('.chip-text')].map((chip) => chip.textContent),
        ranks: [...document.querySelectorAll('.sort-rank')].map((mark) => mark.textContent),
        names: [...document.querySelectorAll('.header-name')].map((name) => name.textContent),
        selected: [...document.querySelectorAll('.slick-cell.selected')].map(
          (one) => `${(one.parentElement as HTMLElement).dataset.row}:${one.ariaColIndex}`,
        ),
        active: document.querySelector('.slick-cell.active')?.textContent,
        find: (document.querySelector('.find-text') as HTMLInputElement).value,
      }));
    const before = await seen();
    assert.equal(before.selected.length, 8);
    assert.equal(before.find, 'Lis');
    await page.reload();
    await drawn(page);
    await page.waitForTimeout(400);
    assert.deepEqual(await seen(), before);
    await page.close();
  });
});

describe('more rows', () => {
  const limited = (rowsMatched: number) =>
    result([table(1_000, { n: ['integer', (row) => row] })], {
      rowsMatched,
      messages: [{ priority: 'warn', code: 'default_limit_warning', msg: '', count: 1 }],
    });

  it('are loaded in addition to the existing rows, in the same sort order', async () => {
    let view: ViewPage | undefined;
    const loadMore = async () => {
      const held = view?.store.answers.at(-1);
      assert.ok(view && held);
      const arriving = view.store.append({ answer: held.id, table: 0 });
      const body = JSON.stringify({
        format: 'tabular',
        status: { rowsMatched: 1 },
        tables: [
          { name: '0', fields: [{ name: 'n', type: 'integer' }], columns: [[1_000, 1_001]] },
        ],
      });
      await arriving.write(Buffer.from(body));
      await arriving.finish({ roundTripMilliseconds: 1 });
    };
    view = await openView(browser, { effects: { loadMore } });
    const { page, show } = view;
    const sample = limited(1_002);
    await show({ kind: 'result', result: sample });
    await drawn(page);
    await header(page, 'n').click();
    await header(page, 'n').click();
    await becomes(page, 0, 1, '999');
    assert.equal(await page.textContent('.loaded'), 'Order of the loaded rows only');
    await page.getByRole('button', { name: 'Load More Rows' }).click();
    await becomes(page, 0, 1, '1001');
    assert.equal(await rowCount(page), '1003');
    await page.waitForSelector('.more-rows', { state: 'hidden' });
    assert.equal(await page.textContent('.loaded'), '');
    await page.close();
  });

  it('are not offered again after the service returned none, and a message reports that', async () => {
    const view = await openResult(browser, limited(48_213), {
      effects: { loadMore: async () => undefined },
    });
    const { page } = view;
    await page.getByRole('button', { name: 'Load More Rows' }).click();
    await page.waitForSelector('.more-rows', { state: 'hidden' });
    assert.equal(await page.textContent('.strip-problem'), 'There are no more rows to load.');
    await page.close();
  });

  it('are not offered if the query has an explicit limit', async () => {
    const sample = { ...limited(48_213), messages: [] };
    const { page } = await openResult(browser, sample, {
      effects: { loadMore: async () => undefined },
    });
    assert.match((await page.textContent('.status')) ?? '', /1,000 of 48,213 rows/);
    assert.equal(await page.locator('.more-rows').isVisible(), false);
    await page.close();
  });
});
