// The window in which the suite runs, seen from outside: Playwright attached to the same browser, or to
// a desktop VS Code, over the DevTools protocol.
import { type Browser, chromium, type Page } from 'playwright-core';

/** Calls `body` with the page of the workbench, and detaches afterwards without closing anything. */
export async function withWindow<T>(body: (page: Page) => Promise<T>): Promise<T> {
  const port = process.env.APLOMB_DEBUGGING_PORT;
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  try {
    return await body(await workbenchPage(browser));
  } finally {
    await browser.close();
  }
}

async function workbenchPage(browser: Browser): Promise<Page> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if ((await page.locator('.monaco-workbench').count()) > 0) return page;
  }
  throw new Error('No page of the browser shows the workbench.');
}
