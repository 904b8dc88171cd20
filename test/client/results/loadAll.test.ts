/** Load All: loads the pages of an answer up to its last row, with progress, cancellation, failures and limits. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import type { HeldAnswer } from '../../../client/src/answers/heldAnswer.ts';
import { ResultsStore } from '../../../client/src/answers/resultsStore.ts';
import { AllRows } from '../../../client/src/results/host/allRows.ts';
import { storeWorker, workerAddress } from '../../../scripts/host/bundles.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { bodyOf, result, table } from './samples.ts';
import type { ViewPage } from './viewPage.ts';
import { becomes, cell, header, openResult, rowCount } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const pageRows = 1_000;

const limited = (rowsMatched: number) =>
  result([table(pageRows, { n: ['integer', (row) => row] })], {
    rowsMatched,
    messages: [{ priority: 'warn', code: 'default_limit_warning', msg: '', count: 1 }],
  });

/** Appends the next page of whole numbers to an answer, up to `total` rows. */
async function appendPage(
  store: ResultsStore,
  { id, head }: HeldAnswer,
  total: number,
): Promise<void> {
  const from = head.tables[0]?.rowCount ?? 0;
  const arriving = store.append({ answer: id, table: 0 });
  const count = Math.min(pageRows, total - from);
  const values = Array.from({ length: count }, (_, row) => from + row);
  const tables = [{ name: '0', fields: [{ name: 'n', type: 'integer' }], columns: [values] }];
  // The service reports the default limit again for each page.
  const messages = count < pageRows ? [] : limited(total).messages;
  const status = { minCursor: 'oldest', maxCursor: 'newest', messages };
  await arriving.write(Buffer.from(JSON.stringify({ format: 'tabular', status, tables })));
  await arriving.finish({ roundTripMilliseconds: 1 });
}

/** Opens a view whose service returns one page of rows for each call of `answerPage`. */
async function openPaged(total: number) {
  const opened: { view?: ViewPage } = {};
  const calls: { readonly next: (failure?: Error) => void; readonly signal: AbortSignal }[] = [];
  const view = await openResult(browser, limited(total), {
    effects: {
      loadMore: async (held, signal) => {
        await new Promise<void>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
          calls.push({ next: (failure) => (failure ? reject(failure) : resolve()), signal });
        });
        assert.ok(opened.view);
        await appendPage(opened.view.store, held, total);
      },
    },
  });
  opened.view = view;
  const answerPage = async (failure?: Error): Promise<void> => {
    await view.until(() => calls.length > 0);
    calls.shift()?.next(failure);
  };
  return { ...view, calls, answerPage };
}

describe('Load More Rows', () => {
  const cases = [
    {
      name: 'keeps the focus on its button while there are more rows',
      total: 3_500,
      focused: 'Load More Rows',
    },
    {
      name: 'moves the focus to the rows once all of them are loaded',
      total: 1_500,
      focused: '999',
    },
    {
      name: 'leaves the focus in the rows if it runs as a command',
      total: 1_500,
      focused: '999',
      byCommand: true,
    },
  ];
  for (const { name, total, focused, byCommand } of cases) {
    it(name, async () => {
      const { page, host, answerPage, until, calls } = await openPaged(total);
      await cell(page, 0, 1).click();
      await page.keyboard.press('Control+End');
      await page.locator('.slick-cell.active', { hasText: '999' }).waitFor();
      if (byCommand) host.act('loadMore', {});
      else {
        await page.getByRole('button', { name: 'Load More Rows' }).focus();
        await page.keyboard.press('Enter');
      }
      await until(() => calls.length === 1);
      await answerPage();
      const rows = Math.min(total, 2_000);
      await page.waitForSelector(`[aria-rowcount="${rows + 1}"]`, { state: 'attached' });
      // Wait until the page is drawn and the focus has settled.
      for (let frame = 0; frame < 3; frame += 1)
        await page.evaluate(() => new Promise(requestAnimationFrame));
      const text = await page.evaluate(() => document.activeElement?.textContent);
      assert.equal(text, focused);
      await page.close();
    });
  }
});

describe('Load All', () => {
  it('loads every page, shows the progress, and keeps the sort order', async () => {
    const { page, answerPage, complaints, opened, until } = await openPaged(3_500);
    await header(page, 'n').click();
    await header(page, 'n').click();
    await becomes(page, 0, 1, '999');
    await page.getByRole('button', { name: 'Load All' }).click();
    await page.locator('.load-count', { hasText: 'Loading 1,000 of 3,500 rows…' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Cancel');
    await answerPage();
    await page.locator('.load-count', { hasText: 'Loading 2,000 of 3,500 rows…' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Load More Rows' }).isVisible(), false);
    // The rows in view stay in their order while others are appended.
    await cell(page, 0, 1).dblclick();
    await until(() => opened.length === 1);
    assert.match(opened[0]?.text ?? '', /^999$/);
    assert.equal(await rowCount(page), '1001');
    await answerPage();
    await page.locator('.load-count', { hasText: 'Loading 3,000 of 3,500 rows…' }).waitFor();
    await answerPage();
    await becomes(page, 0, 1, '3499');
    assert.equal(await rowCount(page), '3501');
    assert.equal(await page.locator('.strip button:visible').count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('keeps the loaded rows when it is cancelled, and continues after them when it runs again', async () => {
    const { page, answerPage, calls, until } = await openPaged(2_500);
    await page.getByRole('button', { name: 'Load All' }).click();
    await answerPage();
    await until(() => calls.length === 1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page
      .locator('.strip-problem', { hasText: 'Cancelled at 2,000 of 2,500 rows.' })
      .waitFor();
    assert.equal(calls.shift()?.signal.aborted, true);
    assert.equal(await rowCount(page), '2001');
    await page.getByRole('button', { name: 'Load All' }).click();
    await answerPage();
    await page.waitForSelector('[role="grid"][aria-rowcount="2501"]', { state: 'attached' });
    assert.equal(await page.locator('.strip-problem').count(), 0);
    await page.close();
  });

  it('continues while another tab is active and after the page is reloaded', async () => {
    const { page, answerPage, show, tabs, until, store } = await openPaged(4_000);
    const first = tabs.active?.id ?? '';
    const [held] = store.answers;
    const rows = () => store.get(held?.id ?? '')?.head.tables[0]?.rowCount;
    await page.getByRole('button', { name: 'Load All' }).click();
    await show({ kind: 'result', query: 'other', result: limited(1_000) });
    await page.waitForSelector('.load-all', { state: 'hidden' });
    await answerPage();
    await until(() => rows() === 2_000);
    tabs.activate(first);
    await page.locator('.load-count', { hasText: 'Loading 2,000 of 4,000 rows…' }).waitFor();
    await page.reload();
    await page.locator('.load-count', { hasText: 'Loading 2,000 of 4,000 rows…' }).waitFor();
    await answerPage();
    await page.locator('.load-count', { hasText: 'Loading 3,000 of 4,000 rows…' }).waitFor();
    await answerPage();
    await page.waitForSelector('[role="grid"][aria-rowcount="4001"]', { state: 'attached' });
    await page.close();
  });

  it('stops at an error, and shows it with the number of loaded rows', async () => {
    const { page, answerPage } = await openPaged(2_500);
    await page.getByRole('button', { name: 'Load All' }).click();
    await answerPage(new Error('The service is unreachable.'));
    const problem = page.locator('.strip-problem');
    await problem.waitFor();
    assert.equal(
      await problem.textContent(),
      'Stopped at 1,000 of 2,500 rows. The service is unreachable.',
    );
    assert.equal(await page.getByRole('button', { name: 'Load All' }).isVisible(), true);
    await page.close();
  });
});

describe('loading all rows', () => {
  const bounded = async (bounds: { readonly maxRows: number; readonly maxBytes: number }) => {
    const store = new ResultsStore({ worker: await workerAddress(storeWorker), maxBytes: 1e9 });
    const about = { query: 'q', title: 'q', deployment: 'd', startTime: '', endTime: '' };
    const rest = { rangeLabel: '', askedAt: 0, statesColumnOrder: false };
    const arriving = store.begin({ ...about, ...rest }, false);
    await arriving.write(Buffer.from(bodyOf(limited(10_000))));
    const { id } = await arriving.finish({ roundTripMilliseconds: 1 });
    const all = new AllRows(
      {
        get: (answer) => store.get(answer),
        hasMore: ({ head }) => (head.tables[0]?.rowCount ?? 0) < 10_000,
        loadPage: (held) => appendPage(store, held, 10_000),
        onPage: () => undefined,
      },
      bounds,
    );
    await all.start(id);
    const rows = store.get(id)?.head.tables[0]?.rowCount;
    await store.dispose();
    return { rows, stopped: all.stopped(id) };
  };

  it('stops at the maximum number of rows', async () => {
    assert.deepEqual(await bounded({ maxRows: 3_000, maxBytes: 1e9 }), {
      rows: 3_000,
      stopped:
        'Stopped at 3,000 of 10,000 rows: Load All loads at most 3,000 rows. Add a filter, or load more rows page by page.',
    });
  });

  it('stops at the maximum number of bytes', async () => {
    const { rows, stopped } = await bounded({ maxRows: 1e6, maxBytes: 1 });
    assert.equal(rows, 1_000);
    assert.match(stopped ?? '', /^Stopped at 1,000 of 10,000 rows, which take \d+ MB of memory\./);
  });

  it('ends without a message when there are no more rows', async () => {
    const { rows, stopped } = await bounded({ maxRows: 1e6, maxBytes: 1e9 });
    assert.deepEqual([rows, stopped], [10_000, undefined]);
  });
});
