/** Working in the results page: order, filters, find, columns, details, tabs, and what a rebuilt page shows. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.ts';
import { cells, requests, result, type Sample, table } from './samples.ts';
import { openView, type ViewOptions, type ViewPage } from './viewPage.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

const levels = ['info', 'warn', 'error', 'debug'];
const cities = ['Lisbon', null, '', 'Porto'];

const logs = (rows: number) =>
  table(rows, {
    _time: ['datetime', (row) => `2026-11-21T09:${String(10 + (row % 40))}:02.5Z`],
    level: ['string', (row) => levels[row % 4] ?? ''],
    status: ['integer', (row) => [200, 404, 500][row % 3] ?? 0],
    duration: ['float', (row) => row * 1.25],
    city: ['string', (row) => cities[row % 4] ?? null],
    url: ['string', (row) => `https://example.com/${row}`],
    attributes: ['map', (row) => ({ http: { method: 'GET' }, n: row })],
  });

async function opened(
  sample: Sample = result([logs(300)], { units: { duration: 'ms' } }),
  options: ViewOptions = {},
): Promise<ViewPage> {
  const view = await openView(browser, { width: 1200, ...options });
  await view.show({ kind: 'result', result: sample });
  await drawn(view.page);
  return view;
}

function drawn(page: Page): Promise<unknown> {
  return page.waitForSelector('.slick-row .slick-cell:not(:has(.pending)):not(.row-number)');
}

const header = (page: Page, name: string) =>
  page.locator('.slick-header-column', { hasText: name }).first();
const cell = (page: Page, row: number, column: number) =>
  page.locator(`.slick-row[data-row="${row}"] .slick-cell.l${column}`);
const rowCount = (page: Page) => page.locator('[role="grid"]').getAttribute('aria-rowcount');

async function becomes(page: Page, row: number, column: number, text: string): Promise<void> {
  await page.waitForFunction(
    ([r, c, wanted]) =>
      document.querySelector(`.slick-row[data-row="${r}"] .slick-cell.l${c}`)?.textContent ===
      wanted,
    [row, column, text] as const,
  );
}

/** Opens the panel of a column by the keyboard, from its header. */
async function openPanel(page: Page, name: string): Promise<void> {
  await header(page, name).focus();
  await page.keyboard.press(' ');
  await page.waitForSelector('.column-panel .value');
}

describe('order', () => {
  it('is by several columns with Shift, with their ranks in the headers, and without them again', async () => {
    const { page, contents } = await opened();
    await header(page, 'level').click();
    await header(page, 'duration').click({ modifiers: ['Shift'] });
    await header(page, 'duration').click({ modifiers: ['Shift'] });
    await becomes(page, 0, 4, '373.8 ms');
    assert.deepEqual((await cells(page, 0)).slice(0, 3), ['300', '2026-11-21 09:29:02.5', 'debug']);
    assert.deepEqual(await page.locator('.sort-rank').allTextContents(), [
      '',
      '1',
      '',
      '2',
      '',
      '',
      '',
    ]);
    assert.equal(await header(page, 'duration').getAttribute('aria-sort'), 'descending');
    await header(page, 'duration').click({ modifiers: ['Shift'] });
    await becomes(page, 0, 4, '3.75 ms');
    assert.deepEqual(contents('arrange').at(-1)?.order, [{ column: 1, descending: false }]);
    await page.close();
  });

  it('is made and extended by the keyboard alone', async () => {
    const { page, contents } = await opened();
    await cell(page, 0, 2).click();
    await page.keyboard.press('Alt+ArrowUp');
    await becomes(page, 0, 2, 'debug');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await becomes(page, 0, 3, '500');
    // From the header, to which the first row leads.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+Enter');
    await becomes(page, 0, 4, '13.75 ms');
    assert.deepEqual(contents('arrange').at(-1)?.order, [
      { column: 1, descending: false },
      { column: 2, descending: true },
      { column: 3, descending: false },
    ]);
    await page.close();
  });
});

describe('filters', () => {
  it('are chosen values with their counts, shown as chips that can be removed', async () => {
    const { page, complaints } = await opened();
    await openPanel(page, 'level');
    assert.deepEqual(await page.locator('.value').allTextContents(), [
      'debug75',
      'error75',
      'info75',
      'warn75',
    ]);
    await page.locator('.value', { hasText: 'error' }).locator('input').check();
    await page.locator('.value', { hasText: 'warn' }).locator('input').check();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    assert.equal(await page.textContent('.chip-text'), 'level is “error”, “warn”');
    assert.equal(await page.textContent('.filter-count'), '150 of 300');
    assert.equal(await rowCount(page), '151');
    await becomes(page, 0, 2, 'warn');
    assert.equal((await cells(page, 0))[0], '2', 'a row keeps its number');
    await page.click('.chip-remove');
    await page.waitForSelector('.chip', { state: 'detached' });
    assert.equal(await rowCount(page), '301');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('are ranges of numbers and times, text, and null, and several at once', async () => {
    const { page } = await opened();
    await openPanel(page, 'duration');
    await page.getByLabel('From').fill('100');
    await page.getByLabel('To', { exact: true }).fill('200');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    assert.equal(await page.textContent('.filter-count'), '81 of 300');
    await openPanel(page, '_time');
    await page.getByLabel('From').fill('2026-11-21 09:20');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.chip').length === 2);
    assert.equal(
      (await page.locator('.chip-text').allTextContents())[1],
      '_time from 2026-11-21 09:20:00Z',
    );
    await openPanel(page, 'city');
    await page.getByLabel('Null values').selectOption('not');
    await page.getByLabel('Condition').selectOption('startsWith');
    await page.getByLabel('Text').fill('p');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.chip').length === 4);
    const kept = Array.from({ length: 300 }, (_, row) => row).filter(
      (row) => row * 1.25 >= 100 && row * 1.25 <= 200 && row % 40 >= 10 && row % 4 === 3,
    );
    assert.equal(await page.textContent('.filter-count'), `${kept.length} of 300`);
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.waitForSelector('.chips', { state: 'hidden' });
    assert.equal(await rowCount(page), '301');
    await page.close();
  });

  it('say what is wrong, and leave the rows as they are', async () => {
    const { page } = await opened();
    await openPanel(page, 'duration');
    await page.getByLabel('From').fill('lots');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.problem')?.textContent !== '');
    assert.match((await page.textContent('.problem')) ?? '', /Enter a number/);
    await page.keyboard.press('Escape');
    await openPanel(page, 'level');
    await page.getByLabel('Condition').selectOption('regex');
    await page.getByLabel('Text').fill('(');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.problem')?.textContent !== '');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.chip').count(), 0);
    assert.equal(await rowCount(page), '301');
    assert.equal((await cells(page, 0))[2], 'info');
    await page.close();
  });

  it('leave the columns in view where they are', async () => {
    const { page } = await opened(undefined, { width: 600 });
    const left = () =>
      page.evaluate(
        () => document.querySelector('.slick-viewport-top.slick-viewport-right')?.scrollLeft,
      );
    await page.evaluate(() => {
      const viewport = document.querySelector('.slick-viewport-top.slick-viewport-right');
      if (viewport) viewport.scrollLeft = 260;
    });
    await page.waitForTimeout(100);
    assert.equal(await left(), 260);
    await openPanel(page, 'duration');
    const before = await left();
    await page.locator('.value input').first().check();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip');
    await page.waitForTimeout(100);
    assert.ok((before ?? 0) > 0);
    assert.equal(await left(), before);
    await page.close();
  });

  it('that leave no row say so, and can be cleared', async () => {
    const { page } = await opened();
    await openPanel(page, 'level');
    await page.getByLabel('Text').fill('nowhere');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.nothing:visible');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await becomes(page, 0, 2, 'info');
    await page.close();
  });
});

describe('find', () => {
  it('counts, marks and goes through the matches, and closes with Escape', async () => {
    const { page } = await opened();
    await cell(page, 0, 1).click();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('porto');
    await page.waitForFunction(() =>
      /^1 of 75/.test(document.querySelector('.find-count')?.textContent ?? ''),
    );
    await page.waitForSelector('.slick-row[data-row="3"] .slick-cell.l5 .found');
    assert.equal(await page.locator('.slick-cell.active').textContent(), 'Porto');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      /^2 of 75/.test(document.querySelector('.find-count')?.textContent ?? ''),
    );
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Shift+Enter');
    await page.waitForFunction(() =>
      /^75 of 75/.test(document.querySelector('.find-count')?.textContent ?? ''),
    );
    await page.waitForSelector('.slick-row[data-row="299"] .slick-cell.l5.active');
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.waitForFunction(
      () => document.querySelector('.find-count')?.textContent === 'No results',
    );
    await page.keyboard.press('Escape');
    await page.waitForSelector('.find', { state: 'hidden' });
    await page.waitForSelector('.found', { state: 'detached' });
    await page.close();
  });
});

describe('columns', () => {
  const names = (page: Page) => page.locator('.header-name').allTextContents();
  const dragged = async (page: Page, from: string, to: string) => {
    const [a, b] = [await header(page, from).boundingBox(), await header(page, to).boundingBox()];
    assert.ok(a && b);
    await page.mouse.move(a.x + 12, a.y + 8);
    await page.mouse.down();
    await page.mouse.move(a.x + 30, a.y + 8);
    await page.mouse.move(b.x + 4, b.y + 8, { steps: 4 });
    await page.mouse.up();
  };

  it('are moved by dragging and by keys, which does not sort', async () => {
    const { page, contents } = await opened();
    await dragged(page, 'duration', 'level');
    assert.deepEqual((await names(page)).slice(1, 5), ['_time', 'duration', 'level', 'status']);
    await drawn(page);
    await becomes(page, 1, 2, '1.25 ms');
    await header(page, 'status').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.keyboard.press('Alt+ArrowLeft');
    assert.deepEqual((await names(page)).slice(1, 5), ['_time', 'status', 'duration', 'level']);
    assert.equal(contents('arrange').length, 0);
    await page.close();
  });

  it('are pinned, hidden and shown again', async () => {
    const { page, host } = await opened(undefined, { width: 500 });
    host.act('pinColumn', { column: 2 });
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-header-left .header-name').length === 2,
    );
    assert.deepEqual((await names(page)).slice(0, 3), ['#', 'status', '_time']);
    await drawn(page);
    await page.evaluate(() =>
      document.querySelector('.slick-viewport-top.slick-viewport-right')?.scrollTo(400, 0),
    );
    assert.ok(await header(page, 'status').isVisible());
    host.act('hideColumn', { column: 0 });
    await page.waitForFunction(() => !document.body.textContent?.includes('_time'));
    host.act('showAllColumns', {});
    await page.waitForFunction(() => document.body.textContent?.includes('_time'));
    host.act('unpinColumn', { column: 2 });
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-header-left .header-name').length === 1,
    );
    await page.close();
  });

  it('that are pinned belong to their rows for assistive technology', async () => {
    const { page, host } = await opened();
    host.act('pinColumn', { column: 0 });
    await page.waitForFunction(
      () => document.querySelectorAll('.slick-header-left .header-name').length === 2,
    );
    await drawn(page);
    const owned = await page.evaluate(() => {
      const row = document.querySelector('.slick-pane-right .slick-row[data-row="1"]');
      const ids = row?.getAttribute('aria-owns')?.split(' ') ?? [];
      return ids.map((id) => document.getElementById(id)?.textContent);
    });
    assert.deepEqual(owned, ['2', '2026-11-21 09:11:02.5']);
    await page.close();
  });

  it('are chosen from a list', async () => {
    const { page } = await opened();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page
      .locator('.column-chooser .value', { hasText: 'attributes' })
      .locator('input')
      .uncheck();
    await page.getByRole('button', { name: 'Done' }).click();
    assert.equal((await names(page)).includes('attributes'), false);
    await page.close();
  });

  it('wrap their text', async () => {
    const { page } = await opened(
      result([table(3, { text: ['string', () => 'word '.repeat(200)] })]),
    );
    const heights = async () => (await cell(page, 0, 1).boundingBox())?.height ?? 0;
    const before = await heights();
    await page.getByRole('button', { name: 'Wrap lines' }).click();
    await drawn(page);
    assert.ok((await heights()) > before * 3);
    await page.close();
  });

  it('have a summary under their headers', async () => {
    const { page } = await opened();
    await page.waitForFunction(
      () => document.querySelectorAll('.header-summary:not(:empty)').length >= 7,
    );
    const texts = await page.locator('.header-summary').allTextContents();
    assert.equal(texts[1], 'debug 25%');
    assert.equal(texts[5], '300 distinct');
    assert.equal(await page.locator('.header-summary .bars').count(), 3);
    assert.equal(await page.locator('.null-share').count(), 1);
    await page.close();
  });
});

describe('values', () => {
  it('are drawn in their unit, with the exact number in the tooltip and on the clipboard', async () => {
    const { page, copied, until } = await opened();
    assert.equal(await cell(page, 1, 4).locator('span').getAttribute('title'), '1.25 ms');
    assert.equal(await cell(page, 3, 4).textContent(), '3.75 ms');
    await cell(page, 3, 4).click();
    await page.keyboard.press('Control+c');
    await until(() => copied.length > 0);
    assert.equal(copied[0], '3.75');
    await page.close();
  });

  it('of a severity color the start of the row, also when their column is hidden', async () => {
    const { page, host } = await opened();
    assert.equal(
      await page.locator('.slick-pane-left .severity-error').first().getAttribute('data-row'),
      '2',
    );
    host.act('hideColumn', { column: 1 });
    await page.waitForFunction(() => document.querySelectorAll('.header-name').length === 7);
    await page.waitForSelector('.slick-pane-left .severity-error[data-row="2"]');
    await page.close();
  });

  it('that are addresses open only by Ctrl+click, and only those of the web', async () => {
    const evil = [
      'command:workbench.action.quit',
      'javascript:alert(1)',
      'https://user@evil.example/',
    ];
    const { page, links, host, until, contents } = await opened(
      result([
        table(4, { url: ['string', (row) => ['https://example.com/0', ...evil][row] ?? ''] }),
      ]),
    );
    await cell(page, 0, 1).click();
    await page.waitForTimeout(50);
    assert.deepEqual(links, []);
    await cell(page, 0, 1)
      .locator('span')
      .click({ modifiers: ['Control'] });
    for (const row of [1, 2, 3]) {
      await cell(page, row, 1)
        .locator('span')
        .click({ modifiers: ['Control'] });
      host.act('openLink', { row, column: 0 });
    }
    await until(() => contents('openLink').length === 5);
    await page.waitForTimeout(100);
    assert.deepEqual(links, ['https://example.com/0']);
    await page.close();
  });

  it('are shown in UTC or in local time by one toggle', async () => {
    const before = process.env.TZ;
    process.env.TZ = 'Asia/Tokyo';
    try {
      const { page } = await opened();
      assert.equal(await header(page, '_time').locator('.header-unit').textContent(), 'UTC');
      await page.click('button.zone');
      await page.waitForFunction(
        () => document.querySelector('.header-unit')?.textContent === 'Asia/Tokyo',
      );
      await drawn(page);
      await page.close();
      // Where both are the same there is nothing to toggle, and no line for it alone.
      process.env.TZ = 'UTC';
      const utc = await opened();
      assert.equal(await utc.page.locator('button.zone').count(), 0);
      assert.equal(await utc.page.locator('.strip').isVisible(), false);
      await cell(utc.page, 0, 1).click();
      await utc.page.keyboard.press('Shift+ArrowDown');
      await utc.page.waitForSelector('.figure');
      assert.equal(await utc.page.locator('.zone').textContent(), 'UTC');
      await utc.page.close();
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});

describe('a selection', () => {
  it('has its figures below the grid, exact beyond 2^53', async () => {
    const { page } = await opened(result([requests(10)]));
    await cell(page, 0, 4).click();
    await cell(page, 2, 4).click({ modifiers: ['Shift'] });
    await page.waitForSelector('.figure');
    const text = (await page.locator('.figure').allTextContents()).join(' ');
    assert.match(text, /cells3/);
    assert.match(text, /sum27021597764222982/);
    assert.match(text, /max9007199254740995/);
    await page.close();
  });

  it('is copied with and without names and in other formats', async () => {
    const { page, copied, host, until } = await opened(result([requests(3)]));
    await cell(page, 0, 2).click();
    await cell(page, 1, 3).click({ modifiers: ['Shift'] });
    for (const action of [
      'copy',
      'copyWithHeaders',
      'copyCsv',
      'copyJson',
      'copyMarkdown',
    ] as const) {
      const before = copied.length;
      host.act(action, {});
      await until(() => copied.length > before);
    }
    assert.deepEqual(copied.slice(0, 3), [
      '200\t0\n404\t1.25',
      'status\tduration\n200\t0\n404\t1.25',
      'status,duration\n200,0\n404,1.25',
    ]);
    assert.match(copied[3] ?? '', /"status": ?200/);
    assert.match(copied[4] ?? '', /\| status \| duration \|/);
    await page.close();
  });

  it('is a row by a click on its number, and everything by one on the corner', async () => {
    const { page } = await opened();
    await cell(page, 3, 0).click();
    assert.equal(await page.textContent('.table-view > p.heard'), '1 row and 7 columns selected');
    await page.locator('.slick-header-column.row-number').click();
    assert.equal(
      await page.textContent('.table-view > p.heard'),
      '300 rows and 7 columns selected',
    );
    await page.close();
  });
});

describe('the details of a row', () => {
  it('fit a panel of 150 pixels, and begin at the field of the active cell', async () => {
    for (const width of [1280, 700]) {
      const { page } = await opened(undefined, { width, height: 150 });
      await cell(page, 0, 3).click();
      await page.keyboard.press(' ');
      await page.waitForSelector('.detail [aria-selected="true"] .key:text-is("status")');
      assert.equal(await page.getByRole('button', { name: 'Add as Filter' }).isEnabled(), true);
      const parts = await page.evaluate(() => {
        const box = (selector: string) =>
          document.querySelector(selector)?.getBoundingClientRect() as DOMRect;
        const [head, tree, line] = ['.detail-head', '.tree', '.line[aria-selected="true"]'].map(
          box,
        );
        const inner = [...document.querySelectorAll('.detail-head > *')].map((part) =>
          part.getBoundingClientRect(),
        );
        return {
          headHeight: head?.height ?? 0,
          treeHeight: tree?.height ?? 0,
          treeEnd: tree?.bottom ?? 0,
          isInView: line && tree && line.top >= tree.top - 1 && line.bottom <= tree.bottom + 1,
          overlaps: inner.some(
            (part, at) => part.right > (inner[at + 1]?.left ?? part.right) + 0.5,
          ),
          isInHead: inner.every((part) => part.right <= (head?.right ?? 0)),
        };
      });
      assert.ok(parts.headHeight < 30, `one line: ${parts.headHeight}`);
      assert.ok(parts.treeHeight > 50, `room for fields: ${parts.treeHeight}`);
      assert.ok(parts.treeEnd <= 150 && parts.isInView && !parts.overlaps && parts.isInHead);
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector('.detail [aria-selected="true"] .key:text-is("duration")');
      await page.close();
    }
  });

  it('are a tree that is searched and walked by keys, and follow the rows', async () => {
    const { page, conditions, copied, until } = await opened();
    await cell(page, 2, 2).click();
    await page.keyboard.press(' ');
    await page.waitForSelector('.detail [role="treeitem"]');
    assert.equal(await page.textContent('.detail-title'), 'Row 3');
    await page.getByLabel('Search in row').fill('method');
    assert.deepEqual(await page.locator('.key').allTextContents(), [
      'attributes',
      'http',
      'method',
    ]);
    await page.keyboard.press('ArrowDown');
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Add as Filter' }).click();
    await page.getByRole('button', { name: 'Exclude' }).click();
    await page.getByRole('button', { name: 'Copy Path' }).click();
    await page.getByRole('button', { name: 'Copy Value' }).click();
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.waitForFunction(
      () => document.querySelector('.detail-title')?.textContent === 'Row 4',
    );
    assert.deepEqual(
      conditions.map(({ column, path, kind, text, exclude }) => [
        column,
        path,
        kind,
        text,
        exclude,
      ]),
      [
        ['attributes', ['http', 'method'], 'text', 'GET', false],
        ['attributes', ['http', 'method'], 'text', 'GET', true],
      ],
    );
    await until(() => copied.length === 2);
    assert.deepEqual(copied, ['attributes / http / method', 'GET']);
    await page.getByRole('button', { name: 'Close details' }).click();
    await page.waitForSelector('.detail', { state: 'detached' });
    await page.close();
  });
});

describe('tabs', () => {
  it('keep each query, and are named, pinned and closed by keys', async () => {
    const { page, show, tabs } = await opened();
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

  it('dim the rows of the last run while one is going on, which Escape cancels', async () => {
    const { page, show, cancelled, tabs, until } = await opened();
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
    assert.match((await page.textContent('.status')) ?? '', /^Cancelled/);
    await page.close();
  });

  it('dim also that there were no rows, with its buttons', async () => {
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

describe('a page that is rebuilt', () => {
  it('shows the same order, filters, selection, active cell, scroll place, find and columns', async () => {
    const { page, host } = await opened(result([logs(5_000)]));
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
    await page.keyboard.press('Control+f');
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

  it('are loaded below the ones there are, which stay as they are', async () => {
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

  it('that do not come are said not to, and not offered again', async () => {
    const view = await opened(limited(48_213), { effects: { loadMore: async () => undefined } });
    const { page } = view;
    await page.getByRole('button', { name: 'Load More Rows' }).click();
    await page.waitForSelector('.more-rows', { state: 'hidden' });
    assert.equal(await page.textContent('.strip-problem'), 'There are no more rows to load.');
    await page.close();
  });

  it('are not offered where the query states its limit', async () => {
    const sample = { ...limited(48_213), messages: [] };
    const { page } = await opened(sample, { effects: { loadMore: async () => undefined } });
    assert.match((await page.textContent('.status')) ?? '', /1,000 of 48,213 rows/);
    assert.equal(await page.locator('.more-rows').isVisible(), false);
    await page.close();
  });
});
