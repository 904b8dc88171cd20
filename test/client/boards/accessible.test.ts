/** The pages of dashboards and monitors in every theme, wide and narrow: axe finds nothing, and pictures to look at. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.ts';
import { type Theme, themes } from '../results/themes.ts';
import { answerTo, everything, monitor } from './boardSamples.ts';
import { openDashboard, openMonitor, settled } from './boardsPage.ts';
import { monitorAnswers } from './monitorSamples.ts';

const pictures = process.env.APLOMB_PICTURES;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => {
    const { run } = (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe;
    return run();
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

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
        assert.deepEqual(await violations(opened.page), []);
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
        assert.deepEqual(await violations(opened.page), []);
        assert.deepEqual(opened.complaints, []);
        await opened.page.close();
      });
    }
  }
});
