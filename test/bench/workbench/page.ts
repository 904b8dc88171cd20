/**
 * The results page in a real browser over the real store: frames of a scroll, last byte to first rows, and
 * memory, of an answer with many rows against one with few.
 */
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.ts';
import { openView, type ViewPage } from '../../client/results/viewPage.ts';
import { about } from '../../client/store/stores.ts';
import { type Measure, measure, middle } from '../measure.ts';
import { now, painted } from './painted.ts';

const rounds = 3;
/** Frames of a scroll, and pixels of each: three rows, so that 1,000 rows are nearly used up. */
const frames = 300;
const stepPixels = 66;

export type Body = readonly Uint8Array[];

export interface Bodies {
  readonly few: Body;
  readonly some: Body;
  readonly many: Body;
}

/** Shows an answer in a tab, as a run does. Gives milliseconds from its last bytes to its first rows. */
async function show({ page, store, tabs }: ViewPage, body: Body): Promise<number> {
  const last = body.at(-1) as Uint8Array;
  let lastByte = 0;
  const { all: done } = await painted(page, async () => {
    const { run } = tabs.start(
      { text: 'logs', title: 'logs', place: { uri: 'file:///logs.apl' } },
      { startedAt: Date.now(), deployment: 'Local', rangeLabel: 'last 1 hour' },
    );
    const arriving = store.begin(about('logs'), false);
    for (const chunk of body.slice(0, -1)) await arriving.write(chunk);
    lastByte = now();
    await arriving.write(last);
    const { id } = await arriving.finish({ roundTripMilliseconds: 20 });
    tabs.settle(run, { kind: 'result', answer: id });
  });
  return done - lastByte;
}

/** Times of the frames of a scroll, from its event until the page is painted, in milliseconds. */
async function scroll(
  { page }: ViewPage,
  from: number,
  count = frames,
): Promise<readonly number[]> {
  await page.evaluate((part) => {
    const viewport = document.querySelector('.slick-viewport-right') as HTMLElement;
    viewport.scrollTop = part * (viewport.scrollHeight - viewport.clientHeight);
  }, from);
  // The rows of the place, and what follows a jump.
  await page.waitForTimeout(500);
  await page.waitForSelector('.slick-row .slick-cell:not(:has(.pending)):not(.row-number)');
  return page.evaluate(
    async ({ count, by }) => {
      const viewport = document.querySelector('.slick-viewport-right') as HTMLElement;
      const times: number[] = [];
      for (let frame = 0; frame < count; frame++) {
        const time = await new Promise<number>((resolve) => {
          let start = 0;
          // Events of scrolling come at the beginning of a frame.
          const began = () => {
            start = performance.now();
          };
          window.addEventListener('scroll', began, { capture: true, once: true });
          viewport.scrollTop += by;
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(start === 0 ? Number.NaN : performance.now() - start);
            port2.postMessage(null);
          });
        });
        times.push(time);
      }
      return times;
    },
    { count, by: stepPixels },
  );
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.filter((time) => !Number.isNaN(time)).sort((a, b) => a - b);
  if (sorted.length < times.length * 0.9) throw new Error('The grid did not scroll.');
  return sorted[Math.floor(sorted.length * part)] as number;
}

/** Bytes of the page's heap that are in use after a collection. */
async function heap({ page }: ViewPage): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
}

async function withViews<T>(
  browser: Browser,
  count: number,
  work: (views: readonly ViewPage[]) => Promise<T>,
): Promise<T> {
  const views = await Promise.all(Array.from({ length: count }, () => openView(browser)));
  try {
    const result = await work(views);
    const [complaint] = views.flatMap(({ complaints }) => complaints);
    if (complaint !== undefined) throw new Error(`The page complains: ${complaint}`);
    return result;
  } finally {
    for (const { page } of views) await page.close();
  }
}

async function firstRows(browser: Browser, { some, many }: Bodies): Promise<Measure[]> {
  return withViews(browser, 2, async (views) => {
    const [ofMany, ofSome] = views as readonly [ViewPage, ViewPage];
    const found: Measure[] = [];
    // The first answers warm both up.
    await show(ofSome, some);
    await show(ofMany, some);
    for (let round = 0; round < rounds; round++) {
      const theirs = await show(ofSome, some);
      const ours = await show(ofMany, many);
      found.push(measure('workbench', 'last byte to first rows, by rows', 'ms', ours, theirs, 3));
    }
    // More places than the page keeps blocks of rows for.
    for (let place = 0; place < 14; place++) {
      await scroll(ofSome, place / 15, 10);
      await scroll(ofMany, place / 15, 10);
    }
    const [ours, theirs] = [await heap(ofMany), await heap(ofSome)];
    return [
      middle(found),
      measure('workbench', 'memory of the page, by rows', 'MB', ours / 1e6, theirs / 1e6, 1.2),
    ];
  });
}

async function scrolling(browser: Browser, { few, many }: Bodies): Promise<Measure[]> {
  return withViews(browser, 2, async (views) => {
    const [ofMany, ofFew] = views as readonly [ViewPage, ViewPage];
    await show(ofFew, few);
    await show(ofMany, many);
    await scroll(ofFew, 0);
    await scroll(ofMany, 0.2);
    const medians: Measure[] = [];
    const slow: Measure[] = [];
    for (let round = 0; round < rounds; round++) {
      const theirs = await scroll(ofFew, 0);
      const ours = await scroll(ofMany, 0.3 + round / 10);
      const at = (part: number) => [percentile(ours, part), percentile(theirs, part)] as const;
      medians.push(measure('workbench', 'scroll frame, by rows', 'ms', ...at(0.5), 1.3));
      slow.push(
        measure('workbench', 'scroll frame, 95th percentile, by rows', 'ms', ...at(0.95), 1.3),
      );
    }
    return [middle(medians), middle(slow)];
  });
}

export async function pageMeasures(
  bodies: Bodies,
  progress: (text: string) => void,
): Promise<Measure[]> {
  const browser = await launchBrowser();
  try {
    progress('first rows in a browser');
    const first = await firstRows(browser, bodies);
    progress('scrolling in a browser');
    return [...first, ...(await scrolling(browser, bodies))];
  } finally {
    await browser.close();
  }
}
