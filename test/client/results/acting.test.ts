/** Commands that are sent right after a run act on its result, not on the one before it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { answerIn } from '../../../client/src/results/slots.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { byPath } from './chartSamples.ts';
import { requests, result } from './samples.ts';
import { openView } from './viewPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

describe('a command sent after a run', () => {
  it('acts on its result, in the order of the commands', async () => {
    const { page, host, tabs, show, contents, until, complaints } = await openView(browser);
    const shown = () => contents('chartChosen').map(({ answer, shown }) => [answer, shown]);
    await show({ kind: 'result', result: result([byPath], { title: 'first' }) });
    await page.waitForSelector('[data-mode="chart"]');
    await show({ kind: 'result', query: 'second', result: result([byPath], { title: 'second' }) });
    host.act('showChart', {});
    host.act('showTable', {});
    host.act('showChart', {});
    await until(() => shown().length === 3);
    const second = tabs.active && answerIn(tabs.active.state);
    assert.deepEqual(shown(), [
      [second, 'chart'],
      [second, 'table'],
      [second, 'chart'],
    ]);
    await page.locator('.plot[aria-label^="second"]').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('acts on the result activated meanwhile', async () => {
    const { page, host, tabs, show, contents, until } = await openView(browser);
    await show({ kind: 'result', result: result([byPath], { title: 'first' }) });
    const first = tabs.active;
    await show({ kind: 'result', query: 'second', result: result([requests(5)]) });
    tabs.activate(first?.id ?? '');
    host.act('showChart', {});
    await until(() => contents('chartChosen').length === 1);
    assert.equal(contents('chartChosen')[0]?.['answer'], first && answerIn(first.state));
    await page.close();
  });

  it('acts when the page has its first result, also after a reload', async () => {
    const { page, show, contents, until } = await openView(browser);
    await show({ kind: 'result', result: result([byPath], { title: 'first' }) });
    await page.waitForSelector('[data-mode="chart"]');
    // What is posted while the page loads reaches it before its first screen.
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        const content = { action: 'showChart', place: {} };
        window.postMessage({ kind: 'event', name: 'action', content }, '*');
      });
    });
    await page.reload();
    await until(() => contents('chartChosen').length === 1);
    await page.waitForSelector('.plot[aria-label]');
    await page.close();
  });
});
