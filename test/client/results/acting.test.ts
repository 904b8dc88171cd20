/** Commands that are sent right after a run act on its result, not on the one before it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { answerIn } from '../../../client/src/answers/slots.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { byPath } from './chartSamples.ts';
import { requests, result } from './samples.ts';
import { openView, type ViewPage } from './viewPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

/** Returns the answers for which a table or a chart was chosen, without consecutive duplicates. */
function chosen(views: ReturnType<ViewPage['views']>) {
  const shown = views.flatMap(({ answer, view }) => {
    const choice = view.tables[0]?.shown;
    return choice === undefined ? [] : [[answer, choice] as const];
  });
  return shown.filter((one, index) => String(one) !== String(shown[index - 1]));
}

describe('a command sent after a run', () => {
  it('acts on the result of that run, and several commands act in the order in which they were sent', async () => {
    const { page, host, tabs, show, views, until, complaints } = await openView(browser);
    const shown = () => chosen(views());
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

  it('acts on the result of another tab if that tab was activated in between', async () => {
    const { page, host, tabs, show, views, until } = await openView(browser);
    await show({ kind: 'result', result: result([byPath], { title: 'first' }) });
    const first = tabs.active;
    await show({ kind: 'result', query: 'second', result: result([requests(5)]) });
    tabs.activate(first?.id ?? '');
    host.act('showChart', {});
    await until(() => chosen(views()).length === 1);
    assert.equal(chosen(views())[0]?.[0], first && answerIn(first.state));
    await page.close();
  });

  it('acts after the page has drawn its first result if it arrives during a reload', async () => {
    const { page, show, views, until } = await openView(browser);
    await show({ kind: 'result', result: result([byPath], { title: 'first' }) });
    await page.waitForSelector('[data-mode="chart"]');
    // A message posted while the page loads reaches it before its first screen.
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        const content = { action: 'showChart', place: {} };
        window.postMessage({ kind: 'event', name: 'action', content }, '*');
      });
    });
    await page.reload();
    await until(() => chosen(views()).length === 1);
    await page.waitForSelector('.plot[aria-label]');
    await page.close();
  });
});
