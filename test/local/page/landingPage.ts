/** Opens the landing page of a deployment process in a real browser. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { call, type Running } from '../processes.ts';

export interface OpenPage {
  readonly page: Page;
  /** Errors and policy violations reported by the browser. */
  readonly complaints: string[];
}

export type Options = BrowserContextOptions & { readonly forcedColors?: 'active' };

/** Opens the page without a link. */
export async function openPage(
  browser: Browser,
  { url }: Running,
  options: Options = {},
  fragment = '',
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1100, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(`${url}/${fragment}`);
  return { page, complaints };
}

/** Returns a code for a link, as printed by the deployment. */
export async function newCode(running: Running): Promise<string> {
  const { status, body } = await call(running, 'POST', '/_local/page-code');
  assert.equal(status, 200);
  return body.code;
}

/** Opens the page with a link and waits for the datasets. */
export async function openConnected(
  browser: Browser,
  running: Running,
  options: Options = {},
): Promise<OpenPage> {
  const opened = await openPage(browser, running, options, `#code=${await newCode(running)}`);
  await opened.page.waitForSelector('#datasets tbody tr');
  return opened;
}

export async function enterToken(page: Page, token: string): Promise<void> {
  await page.getByLabel('API token').fill(token);
  await page.keyboard.press('Enter');
}

/** Enters a query and runs it with the keyboard. */
export async function run(page: Page, apl: string, range?: string): Promise<void> {
  if (range !== undefined) await page.getByLabel('Time range').selectOption({ label: range });
  await page.getByLabel('APL query').fill(apl);
  await page.getByLabel('APL query').press('Control+Enter');
}

export const stateOf = (page: Page) => page.locator('.results .state');

/** Waits until the query's state matches the pattern. Returns the state. */
export async function becomes(page: Page, pattern: RegExp): Promise<string> {
  await page.waitForFunction(
    (source) =>
      new RegExp(source).test(document.querySelector('.results .state')?.textContent ?? ''),
    pattern.source,
  );
  return (await stateOf(page).textContent()) ?? '';
}

/** Returns the cells of the result, row by row. */
export function cells(page: Page): Promise<string[][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.results tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent ?? ''),
    ),
  );
}
