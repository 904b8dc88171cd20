/** A followed query in a real browser: new rows, a stable scroll position, and the buttons of the bar. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { EventsService } from '../follow/eventsService.ts';
import { FakeClock } from '../follow/fakeClock.ts';
import { Followed } from '../follow/followed.ts';
import { openView, type ViewOptions } from './viewPage.ts';
import { cell, rowCount } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

/** Opens a page that follows a query, with `earlier` events at the start. */
async function open(
  earlier: number,
  settings: Partial<Followed['settings']> = {},
  options: ViewOptions = {},
) {
  const clock = new FakeClock();
  const service = await EventsService.start(() => clock.now());
  const parts: { followed?: Followed } = {};
  const view = await openView(browser, {
    ...options,
    follow: ({ tabs, store }) => {
      const followed = new Followed(clock, { tabs, store }, service.client);
      followed.settings = { ...followed.settings, ...settings };
      parts.followed = followed;
      const { follows } = followed;
      return {
        view: (tab) => follows.view(tab),
        onDidChange: (listener) => follows.onDidChange(listener),
        act: (tab, action) => {
          if (action === 'newestFirst' || action === 'newestLast') {
            followed.settings = { ...followed.settings, newestFirst: action === 'newestFirst' };
            void follows.orderChanged();
          } else follows[action](tab);
        },
      };
    },
  });
  const followed = parts.followed as Followed;
  service.arrive(earlier);
  clock.advance(1);
  const tab = await followed.start();
  await followed.step();
  const { page } = view;
  await page.waitForSelector(earlier > 0 ? '.slick-row .slick-cell.l3' : '.message');
  // The focus is outside the grid, because a focused row would keep the rows in place.
  await page.locator('[role="tab"]').first().focus();
  const [n, level] = [3, 2];
  return {
    ...view,
    ...followed,
    tab,
    service,
    clock,
    followed,
    n,
    level,
    /** Sends events, and waits until the page has `rows` rows. */
    async arrive(count: number, rows: number): Promise<void> {
      clock.advance(1);
      service.arrive(count);
      await followed.step();
      await page.waitForFunction(
        (wanted) =>
          document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === wanted,
        String(rows + 1),
      );
    },
    async [Symbol.asyncDispose]() {
      followed.follows.dispose();
      await page.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Waits until the event with this number is visible. */
async function sees({ page, n }: Opened, number: number): Promise<void> {
  await page.waitForFunction(
    ([column, wanted]) =>
      [...document.querySelectorAll(`.slick-row .slick-cell.l${column}`)].some((found) => {
        const { top, bottom } = found.getBoundingClientRect();
        const pane = document.querySelector('.slick-viewport-top.slick-viewport-right');
        const view = pane?.getBoundingClientRect();
        if (found.textContent !== wanted || view === undefined) return false;
        return top >= view.top - 1 && bottom <= view.bottom + 1;
      }),
    [n, String(number)] as const,
  );
}

/** Returns the number of the event in the first fully visible row. */
const firstSeen = ({ page, n }: Opened) =>
  page.evaluate((column) => {
    const pane = document.querySelector('.slick-viewport-top.slick-viewport-right');
    const { top = 0 } = pane?.getBoundingClientRect() ?? {};
    const cells = [...document.querySelectorAll(`.slick-row .slick-cell.l${column}`)];
    const seen = cells.filter((found) => found.getBoundingClientRect().top >= top - 1);
    seen.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
    return seen[0]?.textContent;
  }, n);

const scrollTo = ({ page }: Opened, row: number) =>
  page.evaluate((top) => {
    const pane = document.querySelector('.slick-viewport-top.slick-viewport-right');
    if (pane) pane.scrollTop = top;
  }, row * 22);

describe('a followed query', () => {
  it('scrolls to new rows while the end is visible, and highlights them briefly', async () => {
    await using session = await open(100);
    const { page } = session;
    await sees(session, 99);
    await session.arrive(30, 130);
    await sees(session, 129);
    assert.ok((await page.locator('.slick-row.arrived').count()) > 0);
    assert.equal(await page.textContent('.follow-state'), 'Following');
    assert.match((await page.textContent('.follow-bar .summary')) ?? '', /^30 new events/);
    await page.waitForFunction(() => document.querySelector('.slick-row.arrived') === null);
    assert.deepEqual(session.complaints, []);
  });

  it('widens the row number column when row numbers get more digits', async () => {
    await using session = await open(90);
    await sees(session, 89);
    await session.arrive(9_950, 10_040);
    await sees(session, 10_039);
    const cut = await session.page
      .locator('.slick-cell.row-number')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );
    assert.deepEqual(cut, []);
    assert.deepEqual(session.complaints, []);
  });

  for (const isResized of [false, true])
    it(`${isResized ? 'does not widen a time column that the user resized' : 'widens the time column'} when times with milliseconds arrive`, async () => {
      await using session = await open(20);
      const { page } = session;
      await sees(session, 19);
      const [header, handle] = ['', ' .slick-resizable-handle'].map((part) =>
        page.locator(`.slick-header-column[aria-colindex="2"]${part}`),
      );
      if (isResized) {
        const box = await handle?.boundingBox();
        assert.ok(box);
        await page.mouse.move(box.x + 2, box.y + 5);
        await page.mouse.down();
        await page.mouse.move(box.x - 18, box.y + 5, { steps: 4 });
        await page.mouse.up();
      }
      const before = (await header?.boundingBox())?.width ?? 0;
      const times = page.locator('.slick-row .slick-cell.l1');
      assert.match((await times.first().textContent()) ?? '', /:00$/);
      await session.arrive(5, 25);
      await sees(session, 24);
      assert.match((await times.first().textContent()) ?? '', /:00\.00\d$/);
      const after = (await header?.boundingBox())?.width ?? 0;
      if (isResized) assert.equal(after, before);
      else {
        const cut = await times.evaluateAll((cells) =>
          cells
            .filter((cell) => cell.scrollWidth > cell.clientWidth)
            .map((cell) => cell.textContent),
        );
        assert.deepEqual(cut, []);
        assert.ok(after > before);
      }
      assert.deepEqual(session.complaints, []);
    });

  it('keeps its buttons in place when Pause becomes Resume', async () => {
    await using session = await open(20);
    const { page } = session;
    const left = async (name: string) =>
      (await page.getByRole('button', { name, exact: true }).boundingBox())?.x;
    const [pause, stop] = [await left('Pause'), await left('Stop')];
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.waitForSelector('.follow-bar[data-state="paused"]');
    assert.deepEqual([await left('Resume'), await left('Stop')], [pause, stop]);
  });

  it('keeps the end visible when the page shrinks', async () => {
    await using session = await open(100);
    await sees(session, 99);
    await session.page.setViewportSize({ width: 380, height: 300 });
    await session.arrive(3, 103);
    await sees(session, 102);
    assert.equal(await session.page.locator('.tail').isHidden(), true);
  });

  it('keeps the scroll position if the end is not visible, and shows the number of new rows', async () => {
    await using session = await open(200, { maxRows: 300 });
    const { page } = session;
    await scrollTo(session, 120);
    await sees(session, 121);
    const before = await firstSeen(session);
    await session.arrive(80, 280);
    assert.equal(await firstSeen(session), before);
    await page.waitForSelector('.tail-new:text-is("80 new")');
    // The oldest rows are removed: 240 of 310 stay.
    await session.arrive(30, 240);
    assert.equal(await firstSeen(session), before);
    assert.equal(await page.textContent('.tail-new'), '110 new');
    await page.click('.tail-new');
    await sees(session, 309);
    await page.waitForSelector('.tail', { state: 'hidden' });
    await session.arrive(5, 245);
    await sees(session, 314);
    assert.deepEqual(session.complaints, []);
  });

  it('keeps the focus on the same event while rows arrive', async () => {
    await using session = await open(200, { maxRows: 1_000 });
    const { page, until } = session;
    const focused = () =>
      page.evaluate(() => {
        const row = document.activeElement?.closest<HTMLElement>('.slick-row');
        const pane = document.querySelector('.slick-viewport-top.slick-viewport-right');
        const view = pane?.getBoundingClientRect();
        const cell = document.activeElement?.getBoundingClientRect();
        const seen = view && cell && cell.top >= view.top - 1 && cell.bottom <= view.bottom + 1;
        return row && seen ? row.ariaRowIndex : undefined;
      });
    /** Returns the number of the event in the focused row. */
    const event = () =>
      page.evaluate((column) => {
        const index = document.activeElement?.closest<HTMLElement>('.slick-row')?.dataset.row;
        return document.querySelector(
          `.slick-pane-right .slick-row[data-row="${index}"] .slick-cell.l${column}`,
        )?.textContent;
      }, session.n);
    await sees(session, 199);
    await cell(page, 196, session.n).click();
    await until(async () => (await focused()) !== undefined);
    let count = 200;
    for (const key of ['PageUp', 'ArrowDown', 'PageUp', 'Control+End', 'ArrowUp', 'Home']) {
      await page.keyboard.press(key);
      await until(async () => (await focused()) !== undefined);
      await until(async () => /^\d+$/.test((await event()) ?? ''));
      const before = await event();
      count += 40;
      await session.arrive(40, count);
      await until(async () => /^\d+$/.test((await event()) ?? ''));
      assert.deepEqual([await event(), (await focused()) !== undefined], [before, true], key);
    }
    // The button moves the focus to the newest row, and the focus then follows new rows.
    await page.locator('.tail-new').focus();
    await page.keyboard.press('Enter');
    await sees(session, count - 1);
    await session.arrive(40, count + 40);
    await sees(session, count + 39);
    assert.notEqual(await focused(), undefined);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.follow-bar[data-state="stopped"]');
    assert.deepEqual(session.complaints, []);
  });

  it('keeps the active cell and the selection on their rows when old rows are removed', async () => {
    await using session = await open(290, { maxRows: 300, newestFirst: false });
    const { page, level, n } = session;
    await scrollTo(session, 150);
    await cell(page, 152, n).click();
    await cell(page, 154, level).click({ modifiers: ['Shift'] });
    await session.arrive(20, 240);
    // 70 rows were removed.
    await page.waitForFunction(() => {
      const active = document.querySelector('.slick-cell.active');
      return active?.textContent === '152' && active === document.activeElement;
    });
    session.host.act('copy', {});
    await session.until(() => session.copied.length > 0);
    assert.deepEqual(session.copied, ['info\t152\nerror\t153\ninfo\t154']);
  });

  it('shows new rows at the top in newest-first order, or at their position in a sorted table', async () => {
    await using session = await open(100);
    const { page, n } = session;
    await page.click('.follow-order');
    // The event was in view before, too, at the end.
    await session.until(async () => (await firstSeen(session)) === '99');
    await session.arrive(10, 110);
    await session.until(async () => (await firstSeen(session)) === '109');
    await scrollTo(session, 30);
    await sees(session, 75);
    const before = await firstSeen(session);
    await session.arrive(15, 125);
    await page.waitForSelector('.tail.first .tail-new:text-is("15 new")');
    assert.equal(await firstSeen(session), before);
    await page.locator('.slick-header-column', { hasText: 'level' }).first().click();
    await page.waitForFunction(
      (column) =>
        document.querySelector(`.slick-row[data-row="0"] .l${column}`)?.textContent === '123',
      n,
    );
    await session.arrive(2, 127);
    await page.waitForFunction(
      (column) =>
        document.querySelector(`.slick-row[data-row="0"] .l${column}`)?.textContent === '125',
      n,
    );
  });

  it('pauses, resumes and stops with its buttons, and stops with Escape', async () => {
    await using session = await open(10);
    const { page } = session;
    const press = (name: string) =>
      page.locator('.follow-actions button', { hasText: name }).click();
    await press('Pause');
    await page.waitForSelector('.follow-state:text-is("Paused")');
    assert.equal(session.clock.next, undefined);
    session.service.arrive(5);
    await press('Resume');
    await page.waitForSelector('.follow-state:text-is("Following")');
    await session.until(() => session.clock.next !== undefined);
    await session.followed.step();
    await sees(session, 14);
    await press('Stop');
    await page.waitForSelector('.follow-state:text-is("Stopped")');
    await press('Resume');
    await page.waitForSelector('.follow-state:text-is("Following")');
    await cell(page, 0, session.n).click();
    await page.keyboard.press('Escape');
    await page.waitForSelector('.follow-state:text-is("Stopped")');
    assert.equal(await rowCount(page), '16');
  });

  it('adds a column for a new field', async () => {
    await using session = await open(5);
    const { page } = session;
    session.service.hasNote = true;
    await session.arrive(1, 6);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.slick-cell')].some((found) => found.textContent === 'note 5'),
    );
    await sees(session, 5);
    assert.equal(await page.textContent('.follow-state'), 'Following');
    assert.deepEqual(session.complaints, []);
  });

  it('can start without rows, and does not animate new rows with reduced motion', async () => {
    await using session = await open(0);
    const { page } = session;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.match((await page.textContent('.message')) ?? '', /No events yet/);
    session.service.arrive(3);
    await session.followed.step();
    await sees(session, 2);
    await session.arrive(3, 6);
    const style = await page
      .locator('.slick-row.arrived .slick-cell')
      .first()
      .evaluate((found) => {
        const { animationName, backgroundColor } = getComputedStyle(found);
        return { animationName, backgroundColor };
      });
    assert.equal(style.animationName, 'none');
    assert.notEqual(style.backgroundColor, 'rgba(0, 0, 0, 0)');
  });
});
