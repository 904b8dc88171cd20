/** The results page while a run's rows arrive: it shows the first rows, adds the rest in place, and shows a failure. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { ArrivingAnswer } from '../../../client/src/answers/arrivingAnswer.ts';
import type { RunId } from '../../../client/src/answers/tabs.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { numberedColumns, rowsBodyOf } from '../../table/tables.ts';
import { about } from '../store/stores.ts';
import type { ViewPage } from './viewPage.ts';
import { becomes, cell, drawn, header, openResult, rowCount } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const rows = 50_000;
const columns = numberedColumns(rows);
const body = Buffer.from(rowsBodyOf(columns));

interface Arriving extends ViewPage {
  readonly run: RunId;
  readonly arriving: ArrivingAnswer;
  /** Writes a further quarter of the body and waits until the page shows its count. */
  more(): Promise<void>;
  /** Writes the rest of the body and shows the complete result. */
  complete(): Promise<void>;
}

/** Opens a page with an earlier result, and runs its query again until the first rows of the answer are shown. */
async function openArriving(): Promise<Arriving> {
  const view = await openResult(browser);
  const { page, tabs, store } = view;
  const { query } = tabs.active ?? {};
  assert.ok(query);
  const { run } = tabs.start(query, { startedAt: Date.now(), deployment: 'Local', rangeLabel: '' });
  await page.waitForSelector('.dimmed');
  const arriving = store.begin(about('logs'), false, () => tabs.arriving(run, arriving.id));
  let written = body.length >> 1;
  const write = async (to: number) => {
    const part = body.subarray(written, to);
    written = to;
    await arriving.write(part);
  };
  await arriving.write(body.subarray(0, written));
  await page.waitForFunction(() =>
    document.querySelector('.status.running')?.textContent?.includes('so far'),
  );
  await drawn(page);
  const more = async () => {
    const count = async () => /[\d,]+ rows/.exec((await page.textContent('.status')) ?? '')?.[0];
    const before = await count();
    // Reports are at least a second apart.
    await page.waitForTimeout(1_100);
    await write(written + (body.length >> 2));
    await view.until(async () => (await count()) !== before);
  };
  const complete = async () => {
    await write(body.length);
    const { id } = await arriving.finish({ roundTripMilliseconds: 1 });
    tabs.settle(run, { kind: 'result', answer: id });
    await page.waitForSelector('.status.running', { state: 'detached' });
  };
  return { ...view, run, arriving, more, complete };
}

async function openColumnPanel(page: Page, name: string): Promise<void> {
  await header(page, name).focus();
  await page.keyboard.press(' ');
  await page.waitForSelector('.column-panel');
}

describe('the first rows of a run', () => {
  it('are shown with their count before the last row has arrived, and are not dimmed', async () => {
    const { page, complete, complaints } = await openArriving();
    await becomes(page, 0, 1, '0');
    assert.equal(await page.locator('.dimmed').count(), 0);
    assert.match(
      (await page.textContent('.status.running')) ?? '',
      /^Receiving rows(?:[\d,]+) rows so far.*Cancel$/,
    );
    assert.equal(await page.locator('[role="grid"][aria-disabled="true"]').count(), 0);
    await complete();
    assert.match((await page.textContent('.status')) ?? '', /50,000 rows/);
    assert.equal(await rowCount(page), '50001');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('stay in place with the selection when the rest arrives', async () => {
    const { page, complete } = await openArriving();
    await cell(page, 2, 2).click();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Shift+ArrowDown');
    const seen = () =>
      page.evaluate(() => ({
        grid: document.querySelector('.grid')?.getAttribute('data-kept'),
        top: document.querySelector('.slick-viewport')?.scrollTop,
        selected: [...document.querySelectorAll('.slick-cell.selected')].map(
          (one) => one.textContent,
        ),
        active: document.querySelector('.slick-cell.active')?.textContent,
      }));
    await page.evaluate(() => document.querySelector('.grid')?.setAttribute('data-kept', 'yes'));
    const before = await seen();
    assert.ok((before.top ?? 0) > 0 && before.active?.startsWith('row '), JSON.stringify(before));
    await complete();
    assert.deepEqual(await seen(), before);
    assert.equal(await page.locator('.tail').isVisible(), false, 'no rows are called new');
    await page.keyboard.press('Control+End');
    await becomes(page, rows - 1, 2, `row ${rows - 1}`);
    await page.close();
  });

  it('are sorted once all rows have arrived, and the page says so', async () => {
    const { page, complete } = await openArriving();
    await header(page, 'n').click();
    await header(page, 'n').click();
    await becomes(page, 0, 1, '0');
    assert.equal(await page.textContent('.loaded'), 'Waiting for all rows to arrive');
    await complete();
    await becomes(page, 0, 1, String(rows - 1));
    assert.equal(await page.textContent('.loaded'), '');
    await page.close();
  });

  it('are searched, summarized and measured once all rows have arrived, and the page says so', async () => {
    const { page, complete } = await openArriving();
    const waits = 'Waiting for all rows to arrive';
    await cell(page, 1, 1).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.waitForFunction(
      (text) => document.querySelector('.figures')?.textContent === text,
      waits,
    );
    await openColumnPanel(page, 'n');
    assert.equal(await page.textContent('.full-summary'), waits);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+F');
    await page.keyboard.type('row 7');
    await page.waitForFunction(
      (text) => document.querySelector('.find-count')?.textContent === text,
      waits,
    );
    await complete();
    await page.waitForFunction(() =>
      /^1 of /.test(document.querySelector('.find-count')?.textContent ?? ''),
    );
    await page.close();
  });

  it('stay while the user shows a chart, which is drawn once all rows have arrived', async () => {
    const { page, host, tabs, more, complete } = await openArriving();
    host.act('showChart', { tab: tabs.active?.id ?? '' });
    await page.waitForSelector('.chart-view');
    await more();
    assert.equal(await page.locator('.chart-view').count(), 1);
    assert.equal(await page.locator('.dimmed').count(), 0);
    await complete();
    assert.match((await page.textContent('.status')) ?? '', /50,000 rows/);
    assert.equal(await page.locator('.chart-view').count(), 1);
    await page.close();
  });

  it('keep their columns, the progress bar and the Cancel button in place while they are counted', async () => {
    const { page, more } = await openArriving();
    const places = () =>
      page.evaluate(() => [
        ...[...document.querySelectorAll('.slick-header-column')].map(
          (column) => column.getBoundingClientRect().left,
        ),
        ...[...document.querySelectorAll('.progress, .cancel')].map((part) =>
          part.getAttribute('data-kept'),
        ),
      ]);
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('.progress, .cancel'))
        part.setAttribute('data-kept', 'yes');
    });
    const before = await places();
    // The count grows from four digits to five.
    await more();
    assert.deepEqual(await places(), before);
    await page.close();
  });

  it('are replaced by the error if the rest fails', async () => {
    const { page, tabs, run, arriving } = await openArriving();
    await arriving.abort();
    tabs.settle(run, { kind: 'failed', message: 'The connection ended.', actions: [] });
    await page.waitForSelector('.message');
    assert.match((await page.textContent('.message')) ?? '', /The connection ended\./);
    assert.equal(await page.locator('.grid').count(), 0);
    await page.close();
  });

  it('are replaced by the previous result after a cancellation, which the page states', async () => {
    const { page, tabs, run, arriving, cancelled, until } = await openArriving();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await until(() => cancelled.length === 1);
    await arriving.abort();
    tabs.cancelled(run);
    await page.waitForFunction(() => document.body.textContent?.includes('Cancelled after'));
    await becomes(page, 0, 2, 'info');
    assert.equal(await rowCount(page), '301');
    await page.close();
  });

  it('are not shown in place of a previous result that is sorted, which requires all rows', async () => {
    const view = await openResult(browser);
    const { page, tabs, store } = view;
    await header(page, 'duration').click();
    await header(page, 'duration').click();
    await page.waitForSelector('[aria-sort="descending"]');
    const { query } = tabs.active ?? {};
    assert.ok(query);
    const asked = { startedAt: Date.now(), deployment: 'Local', rangeLabel: '' };
    const { run } = tabs.start(query, asked);
    const numbers = columns.flatMap(([name, , values]) => (name === 'n' ? values : []));
    const body = Buffer.from(rowsBodyOf([...columns, ['duration', 'float', numbers]]));
    const ofQuery = { ...about('logs'), query: query.text };
    const arriving = store.begin(ofQuery, false, () => tabs.arriving(run, arriving.id));
    await arriving.write(body.subarray(0, body.length >> 1));
    await view.until(() => store.get(arriving.id)?.state === 'arriving');
    await page.waitForTimeout(300);
    assert.equal(await rowCount(page), '301');
    assert.equal(await page.locator('.dimmed').count(), 1);
    await arriving.write(body.subarray(body.length >> 1));
    const { id } = await arriving.finish({ roundTripMilliseconds: 1 });
    tabs.settle(run, { kind: 'result', answer: id });
    await becomes(page, 0, 1, String(rows - 1));
    await page.close();
  });
});
