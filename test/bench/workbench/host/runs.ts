/** From a run to its rows on the screen, in parts, and against a plain client that reads the same answer. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import type { HeldAnswer } from '../../../../client/src/answers/heldAnswer.ts';
import { focusEditor } from '../../../../scripts/host/driver.ts';
import { context, endOf, openApl } from '../../../host/editing.ts';
import { storageFolder } from '../../../host/local.ts';
import type { KeyToRows, RunToRows } from '../figures.ts';
import { now, painted } from '../painted.ts';
import { shortAnswer, twelveColumns } from './queries.ts';

const rounds = 5;
/** The rows that a plain client's answer is compared with; fewer where there are fewer events. */
const longRows = 200_000;

/** The frame of the results page. */
export async function resultsFrame(page: Page): Promise<Frame> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    for (const frame of page.frames()) {
      const found = await frame.$('#app .grid').catch(() => null);
      if (found !== null) return frame;
    }
    await page.waitForTimeout(100);
  }
  throw new Error('No frame shows the results.');
}

/** The answer that a run comes to, with the time since 1970 at which the store had it. */
function nextAnswer(): Promise<{ answer: HeldAnswer; at: number }> {
  return new Promise((resolve) => {
    const listening = context().store.onDidChange((event) => {
      if (event.type !== 'added') return;
      listening.dispose();
      resolve({ answer: event.answer, at: now() });
    });
  });
}

interface Pressed extends Window {
  pressedAt?: number;
}

export async function keysToRows(page: Page): Promise<readonly KeyToRows[]> {
  await openApl(shortAnswer);
  await endOf('aplomb.runQuery');
  const frame = await resultsFrame(page);
  await page.evaluate(() => {
    const pressed = () => {
      (window as Pressed).pressedAt = performance.timeOrigin + performance.now();
    };
    window.addEventListener('keydown', pressed, { capture: true });
  });
  const found: KeyToRows[] = [];
  for (let round = 0; round < rounds; round++) {
    await focusEditor(page, 'Untitled');
    await page.waitForTimeout(1_000);
    const answered = nextAnswer();
    let askedAt = 0;
    const asked = context().runner.onDidStart(() => {
      askedAt = now();
    });
    const { all: done } = await painted(frame, () => page.keyboard.press('Shift+Enter'));
    asked.dispose();
    const { answer, at } = await answered;
    const pressedAt = (await page.evaluate(() => (window as Pressed).pressedAt)) as number;
    const server = (answer.head.status.elapsedTime ?? Number.NaN) / 1000;
    const trip = answer.arrival.roundTripMilliseconds;
    found.push({
      total: done - pressedAt,
      before: askedAt - pressedAt,
      server,
      http: trip - server,
      // The body is decoded while it arrives; this is what is left after its last byte.
      decode: at - askedAt - trip,
      paint: done - at,
    });
  }
  return found.slice(1);
}

/** Reads the answer to the same question in the same format and drops it; milliseconds until its last byte. */
async function plainClient({ about }: HeldAnswer): Promise<number> {
  const lock = await readFile(join(storageFolder(), 'local', 'deployment.json'), 'utf8');
  const { url, token } = JSON.parse(lock) as { url: string; token: string };
  const { query: apl, startTime, endTime } = about;
  const from = performance.now();
  await new Promise<void>((resolve, reject) => {
    const asking = request(`${url}/v1/query/_apl?format=tabular-rows`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    asking.on('response', (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`The service answered ${response.statusCode}.`));
      response
        .on('data', () => {})
        .on('end', resolve)
        .on('error', reject);
    });
    asking.on('error', reject);
    asking.end(JSON.stringify({ apl, startTime, endTime }));
  });
  return performance.now() - from;
}

export async function runsToRows(page: Page, events: number): Promise<readonly RunToRows[]> {
  await openApl(twelveColumns(Math.min(events, longRows)));
  const answered = nextAnswer();
  await endOf('aplomb.runQuery');
  const { answer } = await answered;
  const frame = await resultsFrame(page);
  await plainClient(answer);
  const found: RunToRows[] = [];
  for (let round = 0; round < 3; round++) {
    await page.waitForTimeout(1_000);
    const theirs = await plainClient(answer);
    await openApl(twelveColumns(1_000));
    const few = await runToRows(page, frame);
    await openApl(twelveColumns(Math.min(events, longRows)));
    const { from, firstBytes, held, first, all } = await runToRows(page, frame);
    found.push({
      ours: all - from,
      held: held - from,
      afterFirstBytes: first - firstBytes,
      afterFirstBytesOfFew: few.first - few.firstBytes,
      theirs,
    });
  }
  return found;
}

/** Runs the query of the editor. Returns times since 1970: the start, the first bytes, the store's answer, painted rows. */
async function runToRows(page: Page, frame: Frame) {
  await page.waitForTimeout(1_000);
  const { store } = context();
  const holding = nextAnswer();
  let firstBytes = Number.NaN;
  const { begin } = store;
  store.begin = (...call) => {
    const arriving = begin.apply(store, call);
    const { give } = arriving;
    arriving.give = (bytes) => {
      if (Number.isNaN(firstBytes)) firstBytes = now();
      return give.call(arriving, bytes);
    };
    return arriving;
  };
  try {
    const from = now();
    let ended: Thenable<unknown> | undefined;
    const rows = await painted(frame, async () => {
      ended = vscode.commands.executeCommand('aplomb.runQuery');
    });
    await ended;
    return { from, firstBytes, held: (await holding).at, ...rows };
  } finally {
    store.begin = begin;
  }
}
