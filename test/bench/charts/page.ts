/** Charts in the results page, over the real store, against a page that has the drawing library alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.ts';
import { summary } from '../../client/results/chartSamples.ts';
import { bodyOf, result } from '../../client/results/samples.ts';
import { openView, type ViewPage } from '../../client/results/viewPage.ts';
import { type Measure, measure, median, middle } from '../measure.ts';
import { now } from '../workbench/painted.ts';
import type { Lines } from './theirs.ts';
import { chartPainted, framesWhile } from './watching.ts';

const seriesCount = 100;
const pointCount = 1_000;
const rounds = 7;
const barOfPaint = 1.5;
/** Milliseconds. */
const barOfFrame = 50;
const size = { width: 1_440, height: 600 };
const start = Date.UTC(2026, 10, 21);
const step = 10_000;

/** Walks that are the same in each run. */
function lines(points: number): Lines {
  let seed = 17;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return {
    times: Array.from({ length: points }, (_, at) => start + at * step),
    values: Array.from({ length: seriesCount }, (_, series) => {
      let value = 100 + series;
      return Array.from({ length: points }, () => {
        value += random() * 10 - 5;
        return Math.round(value * 1000) / 1000;
      });
    }),
  };
}

/** The body of an answer with a row for each point, by time. */
function bodyOfLines({ times, values }: Lines): Buffer {
  const at = (row: number) => Math.floor(row / seriesCount);
  const iso = times.map((time) => new Date(time).toISOString());
  const table = summary(
    times.length * seriesCount,
    {
      _time: ['datetime', (row) => iso[at(row)] as string],
      host: ['string', (row) => `host-${row % seriesCount}`],
      load: ['float', (row) => values[row % seriesCount]?.[at(row)] as number],
    },
    { groups: ['_time', 'host'], aggregates: { load: 'avg' } },
  );
  return Buffer.from(bodyOf(result([table])));
}

interface Paint {
  readonly all: number;
  /** Until the page has the screen and asks for the chart. */
  readonly screen: number;
  readonly worker: number;
  readonly message: number;
  readonly draw: number;
}

/** Shows an answer that the store has by then; milliseconds from there until its chart is painted. */
async function showChart({ page, store, tabs }: ViewPage, body: Buffer): Promise<Paint> {
  const { run } = tabs.start(
    { text: 'load', title: 'load', place: { uri: 'file:///load.apl' } },
    { startedAt: Date.now(), deployment: 'Local', rangeLabel: 'last 3 hours' },
  );
  const arriving = store.begin(
    {
      title: 'load',
      query: 'load',
      deployment: 'Local',
      startTime: 'now-3h',
      endTime: 'now',
      rangeLabel: 'last 3 hours',
      askedAt: Date.now(),
      statesColumnOrder: false,
    },
    false,
  );
  await arriving.write(body);
  const { id } = await arriving.finish({ roundTripMilliseconds: 20 });
  const computed = { from: 0, to: 0 };
  const rows = store.rows;
  store.rows = async (...call) => {
    if (call[0] !== 'chart') return rows.apply(store, call);
    computed.from = now();
    try {
      return await rows.apply(store, call);
    } finally {
      computed.to = now();
    }
  };
  let begun = 0;
  const { arrived, painted } = await chartPainted(page, async () => {
    begun = now();
    tabs.settle(run, { kind: 'result', answer: id });
  });
  store.rows = rows;
  return {
    all: painted - begun,
    screen: computed.from - begun,
    worker: computed.to - computed.from,
    message: arrived - computed.to,
    draw: painted - arrived,
  };
}

/** A page with the library and nothing else, as large as the canvas of ours. */
async function openTheirs(
  browser: Browser,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Page> {
  const bundle = await build({
    entryPoints: [`${import.meta.dirname}/theirs.ts`],
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'chrome138',
  });
  const page = await browser.newPage({ viewport: size });
  await page.setContent(
    `<body style="margin:0"><div id="chart" style="width:${width}px;height:${height}px"></div></body>`,
  );
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
  return page;
}

async function firstPaint(browser: Browser, view: ViewPage): Promise<Measure[]> {
  const few = lines(20);
  const many = lines(pointCount);
  const body = bodyOfLines(many);
  // The first chart loads the bundle.
  await showChart(view, bodyOfLines(few));
  const canvas = await view.page.locator('.plot canvas').boundingBox();
  if (canvas === null) throw new Error('The chart is not in view.');
  const peer = await openTheirs(browser, canvas);
  const draw = (data: Lines) => peer.evaluate((given) => globalThis.theirs.draw(given), data);
  await draw(few);
  const found: Measure[] = [];
  const paints: Paint[] = [];
  const other = bodyOfLines(lines(pointCount - 1));
  for (let round = 0; round <= rounds; round++) {
    // Another chart between two of the same, so that each is painted for the first time.
    await showChart(view, other);
    await sleep(500);
    const theirs = await draw(many);
    const paint = await showChart(view, body);
    await sleep(500);
    if (round === 0) continue;
    paints.push(paint);
    found.push(measure('charts', paintName, 'ms', paint.all, theirs, barOfPaint));
  }
  await peer.close();
  const all = middle(found);
  const part = (name: 'screen' | 'worker' | 'message' | 'draw') =>
    measure('charts', `of that, ${name}`, 'ms', median(paints.map((p) => p[name])), all.theirs);
  return [all, part('screen'), part('worker'), part('message'), part('draw')];
}

const paintName = `first paint of ${seriesCount} series of ${pointCount.toLocaleString('en-US')} points`;

async function pointer({ page }: ViewPage): Promise<Measure[]> {
  const box = await page.locator('.plot').boundingBox();
  if (box === null) throw new Error('The chart is not in view.');
  const steps = 60;
  const place = (at: number) =>
    [
      box.x + box.width * (0.1 + 0.8 * (at / steps)),
      box.y + box.height * (0.3 + 0.2 * Math.sin(at)),
    ] as const;
  const move = async () => {
    for (let at = 0; at <= steps; at++) {
      await page.mouse.move(...place(at));
      await page.waitForTimeout(20);
    }
  };
  await move();
  const hover = await framesWhile(page, move);
  await page.mouse.move(...place(0));
  await page.mouse.down();
  const drag = await framesWhile(page, move);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  if (hover.length < steps / 2 || drag.length < steps / 2)
    throw new Error('The pointer moved without frames.');
  const points = (seriesCount * pointCount).toLocaleString('en-US');
  return [
    ...[['hover', hover] as const, ['drag', drag] as const].flatMap(([name, frames]) => [
      measure(
        'charts',
        `longest frame of a ${name}, ${points} points`,
        'ms',
        Math.max(...frames),
        barOfFrame,
        1,
      ),
      measure('charts', `median frame of a ${name}`, 'ms', median(frames), barOfFrame),
    ]),
  ];
}

export async function pageMeasures(progress: (text: string) => void): Promise<Measure[]> {
  const browser = await launchBrowser();
  try {
    const view = await openView(browser, { ...size, chartsFirst: true, minify: true });
    progress('first paint in a browser');
    const paint = await firstPaint(browser, view);
    progress('the pointer over a chart');
    const frames = await pointer(view);
    const [complaint] = view.complaints;
    if (complaint !== undefined) throw new Error(`The page complains: ${complaint}`);
    await view.page.close();
    return [...paint, ...frames, await tablesAlone(browser)];
  } finally {
    await browser.close();
  }
}

/** Scripts of charts that a page has loaded which shows tables, though they could be charts. */
async function tablesAlone(browser: Browser): Promise<Measure> {
  const view = await openView(browser, { ...size, chartsFirst: false, minify: true });
  await view.show({
    kind: 'result',
    result: result([
      summary(
        60,
        {
          _time: ['datetime', (row) => new Date(start + row * step).toISOString()],
          count_: ['integer', (row) => row],
        },
        { groups: ['_time'], aggregates: { count_: 'count' } },
      ),
    ]),
  });
  await view.page.waitForSelector('.slick-row .slick-cell');
  await view.page.waitForSelector('[data-mode="chart"]');
  const loaded = await view.page.locator('script[src$="charts.js"]').count();
  await view.page.close();
  return measure('charts', 'bundles of charts that a page of tables loads', '', loaded, 1, 0);
}
