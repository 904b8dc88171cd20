/**
 * Shows that a page with answers and charts takes one file (`scratchSurface.ts`). The page runs in a real browser and
 * queries a real local deployment.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { noMarks } from '../../../client/src/charts/marks.ts';
import { StoredAnswers } from '../../../client/src/query/storedAnswers.ts';
import { Arrangements } from '../../../client/src/results/arrangements.ts';
import type { TimeRange } from '../../../client/src/time/timeRange.ts';
import type { Pipe } from '../../../client/src/webview/hostChannel.ts';
import { bundlePage, storeWorker, workerAddress } from '../../../scripts/host/bundles.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { Deployment } from '../../local/deployment.ts';
import { whenClosed } from '../lentPages.ts';
import { type LoopbackServer, serveDeployment } from '../loopback.ts';
import { newStore } from '../store/stores.ts';
import { openWebview } from '../webviewPage.ts';
import { plotBox } from './chartPage.ts';
import { minute, start, time } from './chartSamples.ts';
import { openScratch } from './scratchSurface.ts';
import { becomes, drawn, header, rowCount } from './workPage.ts';

const query = "['requests'] | summarize count() by bin(_time, 1m)";
const bins = 60;
const hour: TimeRange = {
  start: { kind: 'at', time: time(0) },
  end: { kind: 'at', time: time(bins) },
};

describe('a results page in one file', () => {
  let browser: Browser;
  let deployment: Deployment;
  let server: LoopbackServer;
  before(async () => {
    browser = await pageBrowser();
    deployment = await Deployment.open();
    await deployment.dataset('requests');
    // The first minute has one event, the second minute two, and so on.
    const events = Array.from({ length: bins }, (_, bin) =>
      Array.from({ length: bin + 1 }, () => ({ _time: time(bin) })),
    );
    await deployment.ingest('requests', events.flat());
    server = await serveDeployment(deployment);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await deployment?.close();
    await browser?.close();
  });

  /** Opens the surface and waits for its chart. */
  async function open() {
    server.received.length = 0;
    const [bundle, { script }, worker] = await Promise.all([
      bundlePage('client/src/results/view/main.ts'),
      bundlePage('client/src/charts/view/main.ts'),
      workerAddress(storeWorker),
    ]);
    const { page, pipe, complaints, load } = await openWebview(browser, {
      ...bundle,
      scripts: { 'charts.js': script },
      title: 'Scratch',
      theme: 'dark',
      width: 900,
      height: 420,
    });
    const { counted, counts } = countedPipe(pipe);
    const store = newStore({ worker });
    const kept = new Map<string, unknown>();
    const onProblem = (problem: string) => void complaints.push(problem);
    const surface = openScratch(query, hour, counted, {
      store,
      answers: new StoredAnswers(store),
      service: server.service(),
      arrangements: new Arrangements({
        get: (key) => kept.get(key),
        update: (key, value) => kept.set(key, value),
      }),
      effects: {
        copy: async () => undefined,
        guardsFormulas: () => true,
        openDocument: async () => undefined,
        openLink: () => undefined,
        runAction: () => undefined,
        pathText: async (name) => name,
        setTimeZone: () => undefined,
        inform: onProblem,
        warn: onProblem,
      },
      shared: {
        annotate: async () => undefined,
        marks: async () => noMarks,
        savePicture: async () => undefined,
      },
      timeZone: () => 'utc',
      onProblem,
    });
    whenClosed(page, () => {
      surface.dispose();
      void store.dispose();
    });
    await load();
    await page.waitForSelector('.plot[aria-label]');
    /** Drags over a part of the chart's width, given as fractions. */
    const drag = async (from: number, to: number) => {
      const box = await plotBox(page);
      await page.mouse.move(box.x + box.width * from, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, box.y + 80, { steps: 4 });
      await page.mouse.up();
    };
    const close = async () => {
      await page.close();
      assert.deepEqual(complaints, []);
    };
    return { page, store, surface, counts, drag, close };
  }

  /** Returns the bounds of the queries that the deployment received, in minutes after the first event. */
  const ranges = () =>
    server.received.map(({ body }) => {
      const { startTime, endTime } = JSON.parse(body.toString());
      return [startTime, endTime].map((sent) => (Date.parse(sent) - start) / minute);
    });

  it('draws the chart of its answer, without tabs', async () => {
    const { page, close } = await open();
    assert.equal(await page.locator('[data-tool="Chart"]').inputValue(), 'timeSeries');
    assert.equal(await page.locator('.tab-bar').isVisible(), false);
    assert.deepEqual(ranges(), [[0, bins]]);
    await close();
  });

  it('shows its rows, and sorts them by a clicked header', async () => {
    const { page, close } = await open();
    await page.click('[data-mode="table"]');
    await drawn(page);
    assert.equal(await rowCount(page), `${bins + 1}`);
    await header(page, 'count_').click();
    await becomes(page, 0, 2, '1');
    await header(page, 'count_').click();
    await becomes(page, 0, 2, `${bins}`);
    await close();
  });

  it('runs the query again for a range dragged in the chart, and for the previous range on Back', async () => {
    const { page, store, drag, close } = await open();
    await drag(0.4, 0.8);
    await page.waitForSelector('.back');
    const [, [from = 0, to = 0] = []] = ranges();
    assert.ok(from > 15 && from < 30, `from ${from}`);
    assert.ok(to > 40 && to < 56, `to ${to}`);
    await page.click('[data-mode="table"]');
    await drawn(page);
    assert.ok(Number(await rowCount(page)) <= to - from + 3);
    await page.click('.back');
    await page.waitForFunction(
      (rows) => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === rows,
      `${bins + 1}`,
    );
    assert.deepEqual(ranges()[2], [0, bins]);
    // The previous answers are dropped.
    assert.equal(store.answers.length, 1);
    await close();
  });

  it('drops its answer, cancels its running query and closes its channel on disposal', async () => {
    const { page, store, surface, counts, drag, close } = await open();
    const removed = new Promise<void>((resolve) => {
      store.onDidChange(({ type }) => type === 'removed' && resolve());
    });
    assert.equal(counts.listeners, 1);
    await drag(0.4, 0.8);
    while (server.received.length < 2) await setTimeout(1);
    surface.dispose();
    await removed;
    const { posted } = counts;
    assert.equal(counts.listeners, 0);
    assert.deepEqual(store.answers, []);
    await page.click('[data-mode="table"]');
    await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.deepEqual(counts, { listeners: 0, posted });
    assert.deepEqual(store.answers, []);
    await close();
  });

  it('is implemented in at most 80 lines', async () => {
    const text = await readFile(new URL('scratchSurface.ts', import.meta.url), 'utf8');
    const lines = text.trimEnd().split('\n').length;
    assert.ok(lines <= 80, `${lines} lines`);
  });
});

/** Counts the listeners of a pipe and the messages to the page. */
function countedPipe(pipe: Pipe) {
  const counts = { listeners: 0, posted: 0 };
  const counted: Pipe = {
    post: (message) => {
      counts.posted += 1;
      pipe.post(message);
    },
    onMessage: (listener) => {
      const listening = pipe.onMessage(listener);
      counts.listeners += 1;
      return {
        dispose: () => {
          listening.dispose();
          counts.listeners -= 1;
        },
      };
    },
  };
  return { counted, counts };
}
