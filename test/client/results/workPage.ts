/** The sample that the tests of the results page open, and the parts of the page that they use. */
import type { Browser, Page } from 'playwright-core';
import { result, type Sample, table } from './samples.ts';
import { openView, type ViewOptions, type ViewPage } from './viewPage.ts';

const levels = ['info', 'warn', 'error', 'debug'];
const cities = ['Lisbon', null, '', 'Porto'];

export const logs = (rows: number) =>
  table(rows, {
    _time: ['datetime', (row) => `2026-11-21T09:${String(10 + (row % 40))}:02.5Z`],
    level: ['string', (row) => levels[row % 4] ?? ''],
    status: ['integer', (row) => [200, 404, 500][row % 3] ?? 0],
    duration: ['float', (row) => row * 1.25],
    city: ['string', (row) => cities[row % 4] ?? null],
    url: ['string', (row) => `https://example.com/${row}`],
    attributes: ['map', (row) => ({ http: { method: 'GET' }, n: row })],
  });

/** Opens a page with a result, and waits until its first rows are drawn. */
export async function openResult(
  browser: Browser,
  sample: Sample = result([logs(300)], { units: { duration: 'ms' } }),
  options: ViewOptions = {},
): Promise<ViewPage> {
  const view = await openView(browser, { width: 1200, ...options });
  await view.show({ kind: 'result', result: sample });
  await drawn(view.page);
  return view;
}

export function drawn(page: Page): Promise<unknown> {
  return page.waitForSelector('.slick-row .slick-cell:not(:has(.pending)):not(.row-number)');
}

export const header = (page: Page, name: string) =>
  page.locator('.slick-header-column', { hasText: name }).first();
export const cell = (page: Page, row: number, column: number) =>
  page.locator(`.slick-row[data-row="${row}"] .slick-cell.l${column}`);
export const rowCount = (page: Page) => page.locator('[role="grid"]').getAttribute('aria-rowcount');

export async function becomes(
  page: Page,
  row: number,
  column: number,
  text: string,
): Promise<void> {
  await page.waitForFunction(
    ([r, c, wanted]) =>
      document.querySelector(`.slick-row[data-row="${r}"] .slick-cell.l${c}`)?.textContent ===
      wanted,
    [row, column, text] as const,
  );
}

/** Opens the panel of a column from its header with the keyboard. */
export async function openPanel(page: Page, name: string): Promise<void> {
  await header(page, name).focus();
  await page.keyboard.press(' ');
  await page.waitForSelector('.column-panel .value');
}
