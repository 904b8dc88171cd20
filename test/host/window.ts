// The window in which the suites run, seen from outside: Playwright attached to the same browser, or to a desktop VS
// Code, over the DevTools protocol. It attaches once, which takes about as long as a test.
import { type Browser, chromium, type Page } from 'playwright-core';

let attached: Promise<Browser> | undefined;

/** Calls `body` with the page of the workbench. */
export async function withWindow<T>(body: (page: Page) => Promise<T>): Promise<T> {
  const port = process.env.APLOMB_DEBUGGING_PORT;
  attached ??= chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  return body(await workbenchPage(await attached));
}

/** Detaches without closing anything. */
export async function leaveWindow(): Promise<void> {
  const browser = await attached;
  attached = undefined;
  await browser?.close();
}

async function workbenchPage(browser: Browser): Promise<Page> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if ((await page.locator('.monaco-workbench').count()) === 0) continue;
    page.setDefaultTimeout(60_000);
    return page;
  }
  throw new Error('No page of the browser shows the workbench.');
}
