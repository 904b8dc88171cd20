/** The grid in a real browser: selecting by mouse and keyboard, widths, sorting, hostile values, accessibility. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { cells, requests, result, table } from './samples.ts';
import { openView, type ViewPage } from './viewPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

/** Opens a view with a result, and waits until its rows are drawn. */
async function opened(
  shown = result([requests(300)]),
  options: Parameters<typeof openView>[1] = {},
): Promise<ViewPage> {
  const view = await openView(browser, options);
  await view.show({ kind: 'result', result: shown });
  await drawn(view.page);
  return view;
}

async function drawn(page: Page): Promise<void> {
  await page.waitForSelector('.slick-row .slick-cell:not(:has(.pending)):not(.row-number)');
}

function cell(page: Page, row: number, column: number): Locator {
  return page.locator(`.slick-row[data-row="${row}"] .slick-cell.l${column}`);
}

function header(page: Page, name: string): Locator {
  return page.locator('.slick-header-column', { hasText: name });
}

/** Returns the corners of the selection among the drawn cells, as row and grid column, and its number of cells. */
function selected(page: Page): Promise<string> {
  return page.evaluate(() => {
    const places = [...document.querySelectorAll('.slick-cell[aria-selected="true"]')].map(
      (cell) => ({
        row: Number((cell.parentElement as HTMLElement).dataset.row),
        column: Number(cell.ariaColIndex) - 1,
      }),
    );
    const rows = places.map(({ row }) => row);
    const columns = places.map(({ column }) => column);
    return `${Math.min(...rows)},${Math.min(...columns)} to ${Math.max(...rows)},${Math.max(...columns)}: ${places.length}`;
  });
}

/** Returns the center of the text, not of its cell. */
async function textOf(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.locator('span').boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await textOf(from), await textOf(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

/** The height in pixels of the page in a VS Code panel of 300 pixels. */
const lowPanel = 265;

describe('the grid in a low panel', () => {
  const wholeRows = (page: Page) =>
    page.evaluate(() => {
      const view = document.querySelector('.slick-viewport-top.slick-viewport-right');
      const bottom = (view as Element).getBoundingClientRect().bottom;
      return [...document.querySelectorAll('.slick-pane-right .slick-row')].filter(
        (row) => row.getBoundingClientRect().bottom <= bottom,
      ).length;
    });

  it('shows at least ten rows below headers with summaries', async () => {
    const { page } = await opened(undefined, { width: 1_000, height: lowPanel });
    assert.ok((await wholeRows(page)) >= 10, `${await wholeRows(page)}`);
    await page.close();
  });

  it('keeps the selected cell and the focus when the panel becomes low or high again', async () => {
    const { page } = await opened(undefined, { width: 1_000, height: 500 });
    await cell(page, 3, 2).click();
    await page.setViewportSize({ width: 1_000, height: lowPanel });
    const active = page.locator('.slick-cell.active');
    const heightOf = () => active.evaluate((one) => one.getBoundingClientRect().height);
    while ((await heightOf()) !== 18) await page.waitForTimeout(20);
    assert.equal(await selected(page), '3,2 to 3,2: 1');
    assert.ok(await active.evaluate((one) => one === document.activeElement));
    await page.setViewportSize({ width: 1_000, height: 500 });
    while ((await heightOf()) !== 22) await page.waitForTimeout(20);
    await page.keyboard.press('ArrowDown');
    assert.equal(await selected(page), '4,2 to 4,2: 1');
    await page.close();
  });
});

describe('selecting a range', () => {
  it('works by dragging from the text of a cell, in either direction', async () => {
    const { page, copied, until } = await opened();
    await drag(page, cell(page, 1, 1), cell(page, 4, 3));
    assert.equal(await selected(page), '1,1 to 4,3: 12');
    await page.keyboard.press('ControlOrMeta+c');
    await until(() => copied.length > 0);
    assert.equal(copied[0]?.split('\n')[1], '2026-11-21T09:14:02.118394220Z\t404\t1.25');
    assert.equal(copied[0]?.split('\n').length, 5);
    await drag(page, cell(page, 6, 4), cell(page, 3, 2));
    assert.equal(await selected(page), '3,2 to 6,4: 12');
    await cell(page, 2, 2).click();
    assert.equal(await selected(page), '2,2 to 2,2: 1');
    await page.close();
  });

  it('scrolls while the pointer is below the last row', async () => {
    const { page } = await opened();
    const start = await textOf(cell(page, 2, 2));
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x, 300);
    await page.mouse.move(start.x, 460);
    // Rows scrolled out of view are no longer drawn, so any later row counts as well.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLElement>('.slick-row')].some(
        (row) =>
          Number(row.dataset.row) >= 60 &&
          row.querySelector('.slick-cell.l2[aria-selected="true"]') !== null,
      ),
    );
    await page.mouse.up();
    const text = await page.textContent('p.heard');
    await page.mouse.move(start.x, 200);
    await page.waitForTimeout(150);
    assert.equal(await page.textContent('p.heard'), text, 'it ends with the button');
    await page.close();
  });

  it('extends to a clicked cell with Shift, and by one cell with Shift and an arrow key', async () => {
    const { page } = await opened();
    await cell(page, 2, 2).click();
    await cell(page, 5, 4).click({ modifiers: ['Shift'] });
    assert.equal(await selected(page), '2,2 to 5,4: 12');
    await cell(page, 1, 3).click({ modifiers: ['Shift'] });
    assert.equal(await selected(page), '1,2 to 2,3: 4');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await selected(page), '2,2 to 3,4: 6');
    assert.equal(await page.textContent('p.heard'), '2 rows and 3 columns selected');
    await page.keyboard.press('ArrowDown');
    assert.equal(await selected(page), '3,2 to 3,2: 1');
    assert.equal(await page.textContent('p.heard'), '');
    await page.close();
  });

  it('extends to the ends of rows and columns with Shift and Home, End or Ctrl+arrow keys', async () => {
    const { page, copied, until } = await opened();
    await cell(page, 2, 3).click();
    await page.keyboard.press('Shift+End');
    assert.equal(await selected(page), '2,3 to 2,6: 4');
    await page.keyboard.press('Shift+Home');
    assert.equal(await selected(page), '2,1 to 2,3: 3');
    await page.keyboard.press('Control+Shift+ArrowUp');
    assert.equal(await selected(page), '0,1 to 2,3: 9');
    await page.keyboard.press('Control+Shift+End');
    assert.equal(await page.textContent('p.heard'), '298 rows and 4 columns selected');
    await page.keyboard.press('ControlOrMeta+c');
    await until(() => copied.length > 0);
    assert.equal(copied[0]?.split('\n').length, 299);
    const heard = (text: RegExp | string) =>
      page.locator('p.heard', { hasText: text }).waitFor({ state: 'attached' });
    await heard('1,192 cells copied');
    await page.keyboard.press('Shift+PageUp');
    await heard(/^28\d rows and 4 columns selected$/);
    await page.close();
  });
});

describe('the columns of a grid', () => {
  it('show row numbers in full, even if the font becomes larger', async () => {
    for (const [rowCount, fontSize] of [
      [9, 12],
      [1_000, 12],
      [123_456, 12],
      [1_000, 20],
    ] as const) {
      const view = await opened(result([table(rowCount, { n: ['integer', (row) => row] })]));
      const { page } = view;
      await cell(page, 0, 1).click();
      await page.keyboard.press('Control+End');
      const last = cell(page, rowCount - 1, 0);
      await last.waitFor();
      await page.evaluate((size) => {
        document.documentElement.style.setProperty('--vscode-editor-font-size', `${size}px`);
      }, fontSize);
      // The grid fits its columns before the second of two frames.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const cut = await last.evaluate((node) => {
        const style = getComputedStyle(node);
        const padding =
          Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
        const text = (node.firstElementChild as HTMLElement).getBoundingClientRect().width;
        return node.scrollWidth > node.clientWidth || text + padding > node.clientWidth;
      });
      assert.equal(cut, false, `the number ${rowCount} is cut`);
      await page.close();
    }
  });

  it('have a sort arrow that neither covers name or type nor truncates the name', async () => {
    const { page } = await opened();
    for (const name of ['status', '_time', 'geo.city']) {
      await header(page, name).click();
      const shown = await header(page, name).evaluate((node) => {
        const box = (selector: string) => {
          const range = document.createRange();
          range.selectNodeContents(node.querySelector(selector) as Node);
          return range.getBoundingClientRect();
        };
        const arrow = (
          node.querySelector('.slick-sort-indicator-asc') as Element
        ).getBoundingClientRect();
        const name = node.querySelector('.header-name') as HTMLElement;
        const covers = ['.header-name', '.header-type'].filter((selector) => {
          const text = box(selector);
          return (
            arrow.left < text.right &&
            arrow.right > text.left &&
            arrow.top < text.bottom &&
            arrow.bottom > text.top
          );
        });
        return { covers, width: arrow.width, cut: name.scrollWidth > name.clientWidth };
      });
      assert.deepEqual(shown, { covers: [], width: 8, cut: false }, name);
    }
    await page.close();
  });

  it('keep manual widths in another table, in the next result and after a reload', async () => {
    const totals = { ...requests(3), name: '_totals' };
    const { page, show } = await opened(result([requests(20), totals]));
    const width = async (name: string) => {
      await header(page, name).waitFor();
      return (await header(page, name).boundingBox())?.width;
    };
    const [before = 0, other] = [await width('geo.city'), await width('status')];
    const handle = await header(page, 'geo.city').locator('.slick-resizable-handle').boundingBox();
    assert.ok(handle);
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y);
    await page.mouse.move(x + 60, y);
    await page.mouse.up();
    const after = (await width('geo.city')) ?? 0;
    assert.ok(Math.abs(after - before - 60) <= 1, `${before} became ${after}`);
    await page.click('button:has-text("Totals")');
    await drawn(page);
    assert.equal(await width('geo.city'), after);
    const city = table(5, { 'geo.city': ['string', () => 'x'], status: ['integer', () => 1] });
    await show({ kind: 'result', result: result([city]) });
    await drawn(page);
    assert.equal(await width('geo.city'), after);
    assert.equal(await width('status'), other);
    await page.reload();
    await drawn(page);
    assert.equal(await width('geo.city'), after);
    await page.close();
  });
});

describe('a rebuilt grid', () => {
  it('shows the sort order again after another table was shown and after a reload', async () => {
    const totals = { ...requests(3), name: '_totals' };
    const { page, contents } = await opened(result([requests(300), totals]));
    await header(page, 'duration').click();
    await header(page, 'duration').click();
    const sorted = async () => {
      await page.waitForFunction(
        () => document.querySelector('[data-row="0"] .slick-cell.l3')?.textContent === '373.75',
      );
      assert.equal(await header(page, 'duration').getAttribute('aria-sort'), 'descending');
      assert.equal(await page.locator('.slick-sort-indicator-desc').count(), 1);
    };
    await sorted();
    await page.click('button:has-text("Totals")');
    await drawn(page);
    assert.equal(await page.locator('[aria-sort]').count(), 0);
    await page.click('button:has-text("Rows")');
    await sorted();
    await page.reload();
    await sorted();
    // The next click continues from the displayed order.
    await header(page, 'duration').click();
    await page.waitForFunction(
      () => document.querySelector('[data-row="0"] .slick-cell.l3')?.textContent === '0',
    );
    assert.deepEqual(
      contents('arrange').map(({ order }) => order),
      [[{ column: 2, descending: false }], [{ column: 2, descending: true }], []],
    );
    await page.close();
  });
});

describe('the container of a grid', () => {
  it('has the same event listeners after the grid is rebuilt', async () => {
    const { page, host, links, until } = await opened(
      result([table(30, { url: ['string', (row) => `https://example.com/${row}`] })]),
    );
    const session = await page.context().newCDPSession(page);
    const listeners = async () => {
      const { result: grid } = await session.send('Runtime.evaluate', {
        expression: "document.querySelector('.grid')",
      });
      assert.ok(grid.objectId);
      const found = await session.send('DOMDebugger.getEventListeners', {
        objectId: grid.objectId,
      });
      return found.listeners.map(({ type }) => type).sort();
    };
    const before = await listeners();
    assert.ok(before.includes('mousedown'));
    for (const wrapped of [true, false]) {
      host.act('toggleWrap', {});
      await page.locator(wrapped ? '.grid.wrap' : '.grid:not(.wrap)').waitFor();
      await drawn(page);
    }
    assert.deepEqual(await listeners(), before);
    const link = cell(page, 3, 1).locator('.link');
    await link.click({ modifiers: ['ControlOrMeta'] });
    await until(() => links.length > 0);
    assert.deepEqual(links, ['https://example.com/3']);
    await page.close();
  });
});

describe('hostile values', () => {
  it('cannot reorder or hide text in cells, column names and tab titles, and are copied unchanged', async () => {
    const evil = 'user\u202Etxt.exe\u202C\u200B';
    const hostile = result([table(2, { [evil]: ['string', () => evil] })], { title: evil });
    const { page, copied, until } = await opened(hostile);
    const shown = 'user[U+202E]txt.exe[U+202C][U+200B]';
    assert.equal((await cells(page, 0))[1], shown);
    assert.equal(await page.textContent('.header-name >> nth=1'), shown);
    assert.equal(await page.textContent('.tab-title'), shown);
    await cell(page, 0, 1).click();
    await page.keyboard.press('ControlOrMeta+c');
    await until(() => copied.length > 0);
    assert.equal(copied[0], evil);
    await page.close();
  });

  it('that are spreadsheet formulas are copied with an apostrophe and a notice, but unchanged by Copy Value', async () => {
    const formula = '=HYPERLINK("https://a.test","Open")';
    const hostile = result([table(1, { name: ['string', () => formula] })]);
    const { page, copied, until } = await opened(hostile);
    await cell(page, 0, 1).click();
    await page.keyboard.press('ControlOrMeta+c');
    await until(() => copied.length > 0);
    assert.equal(copied[0], `'${formula}`);
    await page.waitForSelector(
      '.note:text-is("1 cell copied, with apostrophes in front of formulas")',
    );
    await page.keyboard.press(' ');
    await page.waitForSelector('.detail [role="treeitem"]');
    await page.getByRole('button', { name: 'Copy Value' }).click();
    await until(() => copied.length > 1);
    assert.equal(copied[1], formula);
    await page.close();
  });
});

describe('the complete value of a cell', () => {
  it('opens on Enter and on double-click, but not on double-click of a row number', async () => {
    const { page, contents, until } = await opened();
    await cell(page, 2, 6).dblclick();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await cell(page, 1, 0).dblclick();
    await until(() => contents('openValue').length === 2);
    const asked = contents('openValue').map(({ table, row, column }) => [table, row, column]);
    assert.deepEqual(asked, [
      [0, 2, 5],
      [0, 3, 5],
    ]);
    await page.close();
  });

  it('opens on double-click in a partly visible row, which does not scroll first', async () => {
    const { page, contents, until } = await opened(undefined, { height: 410 });
    const view = await page.locator('.slick-viewport-top.slick-viewport-right').boundingBox();
    const start = await textOf(cell(page, 0, 2));
    assert.ok(view);
    const bottom =
      view.y +
      (await page
        .locator('.slick-viewport-right')
        .first()
        .evaluate((v) => v.clientHeight));
    const row = Math.floor((bottom - 3 - view.y) / 22);
    assert.ok((row + 1) * 22 > bottom - view.y, 'the row is cut by the edge');
    await page.mouse.dblclick(start.x, bottom - 3);
    await until(() => contents('openValue').length > 0);
    const [asked] = contents('openValue').map(({ row }) => row);
    assert.equal(asked, row);
    await page.close();
  });
});

describe('for assistive technology', () => {
  it('every cell has its position among all rows and columns, and its row number as row header', async () => {
    const { page } = await opened();
    await cell(page, 0, 1).click();
    await page.keyboard.press('Control+End');
    await page.waitForSelector('.slick-row[data-row="299"] .slick-cell.l6:not(:has(.pending))');
    const client = await page.context().newCDPSession(page);
    const { nodes } = await client.send('Accessibility.getFullAXTree');
    await client.detach();
    const seen = nodes.filter(({ ignored }) => !ignored);
    const named = (role: string) =>
      seen.filter((node) => node.role?.value === role).map((node) => String(node.name?.value));
    assert.deepEqual(named('columnheader').toSorted()[0], 'Row');
    assert.equal(named('columnheader').length, 7);
    assert.ok(named('rowheader').includes('300'));
    const children = (id: string) =>
      nodes
        .find(({ nodeId }) => nodeId === id)
        ?.childIds?.map((child) => nodes.find(({ nodeId }) => nodeId === child)) ?? [];
    const row = seen.find(
      (node) =>
        node.role?.value === 'row' &&
        children(node.nodeId).some(
          (child) => child?.role?.value === 'rowheader' && child.name?.value === '300',
        ),
    );
    const roles = children(row?.nodeId ?? '').map((child) => child?.role?.value);
    assert.deepEqual(roles.toSorted(), [...Array(6).fill('gridcell'), 'rowheader']);
    const place = await cell(page, 299, 6).evaluate((node) => [
      (node.parentElement as HTMLElement).ariaRowIndex,
      node.ariaColIndex,
      node.closest('[role="grid"]')?.ariaRowCount,
      node.closest('[role="grid"]')?.ariaColCount,
    ]);
    assert.deepEqual(place, ['301', '7', '301', '7']);
    await page.close();
  });

  it('the active cell has the focus, even after sorting and scrolling far away', async () => {
    const { page } = await opened(result([requests(5_000)]));
    const focused = () =>
      page.evaluate(() => {
        const now = document.activeElement;
        return [now?.role, now?.parentElement?.ariaRowIndex, now?.ariaColIndex, now?.textContent];
      });
    await page.waitForFunction(() => document.activeElement?.role === 'gridcell');
    assert.deepEqual((await focused()).slice(0, 3), ['gridcell', '2', '2']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await focused(), ['gridcell', '3', '3', '404']);
    await page.keyboard.press('Control+End');
    await page.waitForSelector('.slick-row[data-row="4999"] .slick-cell.l6:not(:has(.pending))');
    assert.deepEqual((await focused()).slice(0, 3), ['gridcell', '5001', '7']);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForFunction(() => document.activeElement?.textContent === '500');
    assert.deepEqual(await focused(), ['gridcell', '2', '3', '500']);
    await page.evaluate(() =>
      document.querySelector('.slick-viewport-top.slick-viewport-right')?.scrollTo(0, 40_000),
    );
    await page.waitForSelector('.slick-row[data-row="1825"]');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('.slick-row[data-row="1"]');
    assert.deepEqual((await focused()).slice(0, 3), ['gridcell', '3', '3']);
    await page.close();
  });
});
