/** The landing page in a real browser, of a deployment that runs as a process. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { call, type Running } from '../processes.ts';

export interface OpenPage {
  readonly page: Page;
  /** What the browser refused or complained of. */
  readonly complaints: string[];
}

export type Options = BrowserContextOptions & { readonly forcedColors?: 'active' };

/** Opens the page as a person does who has no link. */
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

/** A code for a link, as the deployment prints it. */
export async function newCode(running: Running): Promise<string> {
  const { status, body } = await call(running, 'POST', '/_local/page-code');
  assert.equal(status, 200);
  return body.code;
}

/** Opens the page by a link, with the datasets read. */
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

/** Writes a query and runs it by the keyboard. */
export async function run(page: Page, apl: string, range?: string): Promise<void> {
  if (range !== undefined) await page.getByLabel('Time range').selectOption({ label: range });
  await page.getByLabel('APL query').fill(apl);
  await page.getByLabel('APL query').press('Control+Enter');
}

export const stateOf = (page: Page) => page.locator('.results .state');

/** Waits until the state of the query begins so. */
export async function becomes(page: Page, pattern: RegExp): Promise<string> {
  await page.waitForFunction(
    (source) =>
      new RegExp(source).test(document.querySelector('.results .state')?.textContent ?? ''),
    pattern.source,
  );
  return (await stateOf(page).textContent()) ?? '';
}

/** The cells of the result, row by row. */
export function cells(page: Page): Promise<string[][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.results tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent ?? ''),
    ),
  );
}
