// Browser pages that tests reuse one after another. A new page costs half a second, most of it for its process; one
// that is emptied and loaded again costs a tenth of that.
import type { Browser, Page } from 'playwright-core';

export interface PageOptions {
  readonly width: number;
  readonly height: number;
  /** The time zone of the page; that of the machine by default. */
  readonly zone?: string;
  readonly reducedMotion?: boolean;
}

interface Lent {
  /** Called with each message of the page while it is lent. */
  receive?: (message: unknown) => void;
  readonly onClose: (() => void)[];
  /** Whether a test changed the page in a way that emptying does not undo. */
  isSpent: boolean;
}

/** The one function that VS Code gives a webview. The state of a page outlives it. */
const bridge = `window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.toHost(message),
  getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
  setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
});`;

/** Events to which tests listen. */
const events = ['console', 'dialog', 'download', 'pageerror', 'request', 'response'] as const;

/** Methods whose effect stays with a page for as long as it exists. */
const spending = ['addInitScript', 'exposeFunction', 'route'] as const;

const idle = new WeakMap<Browser, Map<string, Page[]>>();
const lent = new WeakMap<Page, Lent>();

/**
 * Lends an empty page of the browser, or makes one. Its `close` gives it back: `blank` is the address of an empty
 * document of the origin where it was used.
 */
export async function lendPage(
  browser: Browser,
  options: PageOptions,
  blank: string,
): Promise<Page> {
  const { width, height, zone = '', reducedMotion = false } = options;
  const pools = idle.get(browser) ?? endedWith(browser);
  const pool = pools.get(zone) ?? [];
  pools.set(zone, pool);
  const page = pool.pop() ?? (await newPage(browser, zone, (some) => giveBack(some, pool, blank)));
  lent.set(page, { onClose: [], isSpent: false });
  await page.setViewportSize({ width, height });
  if (reducedMotion) await page.emulateMedia({ reducedMotion: 'reduce' });
  return page;
}

/**
 * Makes the browser's `close` take back the pages that failed tests left open, because their resources would stay in
 * use.
 */
function endedWith(browser: Browser): Map<string, Page[]> {
  const pools = new Map<string, Page[]>();
  idle.set(browser, pools);
  const close = browser.close.bind(browser);
  browser.close = async (options) => {
    const pages = browser.contexts().flatMap((context) => context.pages());
    for (const page of pages) for (const run of lent.get(page)?.onClose ?? []) run();
    await close(options);
  };
  return pools;
}

/** Calls the function with each message of the page until the page is given back. */
export function receiveFrom(page: Page, receive: (message: unknown) => void): void {
  const state = lent.get(page);
  if (state !== undefined) state.receive = receive;
}

/** Calls the function when the page is given back. */
export function whenClosed(page: Page, run: () => void): void {
  lent.get(page)?.onClose.push(run);
}

async function newPage(
  browser: Browser,
  zone: string,
  close: (page: Page) => Promise<void>,
): Promise<Page> {
  const page = await browser.newPage(zone === '' ? {} : { timezoneId: zone });
  await page.exposeFunction('toHost', (message: unknown) => lent.get(page)?.receive?.(message));
  await page.addInitScript(bridge);
  const end = page.close.bind(page);
  page.close = async () => {
    const state = lent.get(page);
    lent.delete(page);
    for (const run of state?.onClose ?? []) run();
    if (state === undefined || state.isSpent) return end();
    await close(page).catch(() => end());
  };
  for (const name of spending) {
    const method = page[name].bind(page) as (...args: unknown[]) => unknown;
    Object.assign(page, {
      [name]: (...args: unknown[]) => {
        const state = lent.get(page);
        if (state !== undefined) state.isSpent = true;
        return method(...args);
      },
    });
  }
  return page;
}

async function giveBack(page: Page, pool: Page[], blank: string): Promise<void> {
  for (const event of events) page.removeAllListeners(event);
  await page.evaluate(() => sessionStorage.clear());
  await Promise.all([
    page.goto(blank),
    // Outside the page, the pointer hovers over nothing.
    page.mouse.move(-1, -1),
    page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null }),
  ]);
  pool.push(page);
}
