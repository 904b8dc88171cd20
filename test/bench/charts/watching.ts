/** Functions for a browser's page: when a chart is painted, and how long the frames of a pointer take. */
import type { Page } from 'playwright-core';

interface Watched {
  /** Milliseconds since 1970. */
  readonly arrived: number;
  readonly painted: number;
}

interface Watching extends Window {
  chartPainted?: Promise<Watched>;
  frameTimes?: number[];
}

/** In the page: the next chart data that arrives, and the chart of another description that is painted. */
function watchChart(): void {
  const now = () => performance.timeOrigin + performance.now();
  const label = () => document.querySelector('.plot')?.getAttribute('aria-label');
  const before = label();
  let arrived = 0;
  const receive = ({ data }: MessageEvent) => {
    if (data?.kind !== 'reply' || typeof data.content !== 'string') return;
    if (!data.content.startsWith('{"kind":"timeSeries"')) return;
    arrived = now();
    window.removeEventListener('message', receive, { capture: true });
  };
  window.addEventListener('message', receive, { capture: true });
  (window as Watching).chartPainted = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!label() || label() === before) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        // The message comes after the frame that this callback belongs to.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve({ arrived, painted: now() });
        port2.postMessage(null);
      });
    });
    observer.observe(document.body, { attributes: true, childList: true, subtree: true });
  });
}

/** Calls `show` and gives the times at which its data arrived and its chart was painted. */
export async function chartPainted(page: Page, show: () => Promise<unknown>): Promise<Watched> {
  await page.evaluate(watchChart);
  await show();
  return (await page.evaluate(() => (window as Watching).chartPainted)) as Watched;
}

/** In the page: the time from each event of the pointer until its frame is painted. */
function watchFrames(): void {
  const times: number[] = [];
  (window as Watching).frameTimes = times;
  let isWaiting = false;
  window.addEventListener(
    'pointermove',
    () => {
      if (isWaiting) return;
      isWaiting = true;
      const start = performance.now();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          isWaiting = false;
          times.push(performance.now() - start);
        };
        port2.postMessage(null);
      });
    },
    { capture: true },
  );
}

/** Frames while `move` moves the pointer, in milliseconds. */
export async function framesWhile(
  page: Page,
  move: () => Promise<unknown>,
): Promise<readonly number[]> {
  await page.evaluate(watchFrames);
  await move();
  await page.waitForTimeout(200);
  return page.evaluate(() => (window as Watching).frameTimes ?? []);
}
