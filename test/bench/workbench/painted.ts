/** When the rows of a result are on the screen: functions for a browser's page and what calls them. */
import type { Frame, Page } from 'playwright-core';

/** When rows of a new result were painted, in milliseconds since 1970. */
interface Painted {
  /** The first rows, while more may still arrive. */
  readonly first: number;
  /** The rows in view after all have arrived. */
  readonly all: number;
}

interface Watching extends Window {
  rowsPainted?: Promise<Painted>;
}

/**
 * In the page: waits for the rows of a grid other than the one that is there now, and for the end of its run. Looks when
 * the page changes, because a look at every frame would have the browser draw all the time, which takes a processor from
 * what is measured.
 */
function watch(): void {
  const before = document.querySelector('.grid');
  const isDrawn = () => {
    const grid = document.querySelector('.grid');
    const row = grid !== before && grid?.querySelector('.slick-row[data-row="0"] .slick-cell');
    return Boolean(row) && !grid?.querySelector('.slick-row .pending');
  };
  const isComplete = () => isDrawn() && !document.querySelector('.status.running');
  const paintedWhen = (isShown: () => boolean) =>
    new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isShown()) return;
        observer.disconnect();
        requestAnimationFrame(() => {
          // The message comes after the frame that this callback belongs to.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
          port2.postMessage(null);
        });
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
  (window as Watching).rowsPainted = Promise.all([
    paintedWhen(isDrawn),
    paintedWhen(isComplete),
  ]).then(([first, all]) => ({ first, all }));
}

/** Milliseconds since 1970 on the clock that the pages of this machine have too. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Calls `show` and gives the times at which its rows were painted. */
export async function painted(page: Page | Frame, show: () => Promise<unknown>): Promise<Painted> {
  await page.evaluate(watch);
  await show();
  return (await page.evaluate(() => (window as Watching).rowsPainted)) as Painted;
}
