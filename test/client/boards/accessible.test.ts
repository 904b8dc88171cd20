/** Checks the pages of dashboards and monitors with axe in every theme, wide and narrow, and saves pictures. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { type Look, looksOf, PageAudit, picture } from '../pageAudit.ts';
import { answerTo, everything, monitor } from './boardSamples.ts';
import { openDashboard, openMonitor, settled } from './boardsPage.ts';
import { monitorAnswers } from './monitorSamples.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const at = Date.UTC(2026, 10, 21, 10, 2);
/** Sizes tall enough for the entire page, because only charts in view are drawn. */
const sizes = {
  board: { wide: { width: 1280, height: 1820 }, narrow: { width: 420, height: 4_300 } },
  monitor: { wide: { width: 1280, height: 1_000 }, narrow: { width: 420, height: 1_300 } },
} as const;

const looks = {
  board: looksOf(Object.values(sizes.board)),
  monitor: looksOf(Object.values(sizes.monitor)),
};
const nameOf = ({ theme, size }: Look) => `${theme}, ${size?.width === 420 ? 'narrow' : 'wide'}`;

describe('the accessibility of dashboard and monitor pages', () => {
  const audits = { board: new PageAudit(looks.board), monitor: new PageAudit(looks.monitor) };
  const complaints: string[] = [];

  async function auditDashboard(): Promise<void> {
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
      ...sizes.board.wide,
      now: () => at,
    });
    await audits.board.add(opened.page, 'a dashboard', async (look) => {
      await settled(opened);
      await picture(opened.page, `board-${nameOf(look).replace(', ', '-')}`);
    });
    complaints.push(...opened.complaints);
    await opened.page.close();
  }

  async function auditMonitor(): Promise<void> {
    const opened = await openMonitor(browser, {
      record: () => ({ ok: true, value: monitor }),
      answer: monitorAnswers,
      ...sizes.monitor.wide,
      now: () => at,
    });
    await settled(opened);
    await opened.page.getByRole('button', { name: 'Test against Data' }).click();
    await opened.page.getByText('would have sent').waitFor();
    await audits.monitor.add(opened.page, 'a monitor', async (look) => {
      await opened.page.waitForSelector('.test-chart .plot[aria-label]');
      await picture(opened.page, `monitor-${nameOf(look).replace(', ', '-')}`);
    });
    complaints.push(...opened.complaints);
    await opened.page.close();
  }

  before(async () => {
    await auditDashboard();
    await auditMonitor();
  });

  for (const look of looks.board)
    it(`a dashboard with every type of chart has no axe violations: ${nameOf(look)}`, () => {
      audits.board.assertClean(look);
      assert.deepEqual(complaints, []);
    });

  for (const look of looks.monitor)
    it(`a monitor with a test report has no axe violations: ${nameOf(look)}`, () => {
      audits.monitor.assertClean(look);
      assert.deepEqual(complaints, []);
    });
});
