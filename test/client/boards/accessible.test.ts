/** The pages of dashboards and monitors in every theme, wide and narrow: axe finds nothing, and pictures to look at. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.ts';
import { picture, violationsOf } from '../pageAudit.ts';
import { type Theme, themes } from '../results/themes.ts';
import { answerTo, everything, monitor } from './boardSamples.ts';
import { openDashboard, openMonitor, settled } from './boardsPage.ts';
import { monitorAnswers } from './monitorSamples.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

const at = Date.UTC(2026, 10, 21, 10, 2);
/** Tall enough for everything, so that everything is drawn. */
const sizes = [
  ['wide', 1280, 1820],
  ['narrow', 420, 4_300],
] as const;

describe('the pages of dashboards and monitors are accessible', () => {
  for (const theme of Object.keys(themes) as Theme[]) {
    for (const [size, width, height] of sizes) {
      it(`a dashboard of every type, ${theme}, ${size}`, async () => {
        const opened = await openDashboard(browser, {
          record: () => ({ ok: true, value: everything }),
          answer: (question) =>
            question.title === 'Latency'
              ? {
                  kind: 'refused',
                  host: 'localhost',
                  status: 503,
                  message: 'The service is busy.',
                  retryAfterSeconds: 5,
                }
              : answerTo(question),
          theme,
          width,
          height,
          now: () => at,
        });
        await settled(opened);
        await picture(opened.page, `board-${theme}-${size}`);
        assert.deepEqual(await violationsOf(opened.page), []);
        assert.deepEqual(opened.complaints, []);
        await opened.page.close();
      });

      it(`a monitor that was tested, ${theme}, ${size}`, async () => {
        const opened = await openMonitor(browser, {
          record: () => ({ ok: true, value: monitor }),
          answer: monitorAnswers,
          theme,
          width,
          height: size === 'wide' ? 1_000 : 1_300,
          now: () => at,
        });
        await settled(opened);
        await opened.page.getByRole('button', { name: 'Test against Data' }).click();
        await opened.page.getByText('would have sent').waitFor();
        await opened.page.waitForSelector('.test-chart .plot[aria-label]');
        await picture(opened.page, `monitor-${theme}-${size}`);
        assert.deepEqual(await violationsOf(opened.page), []);
        assert.deepEqual(opened.complaints, []);
        await opened.page.close();
      });
    }
  }
});
