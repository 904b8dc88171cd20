/**
 * Checks every state of the landing page in light, dark and forced colors, narrow and wide, with
 * axe.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { overflowOf, picture, pictures, violationsOf } from '../../client/pageAudit.ts';
import { buildLandingPage, call, Processes, type Running } from '../processes.ts';
import { becomes, newCode, type Options, openPage, run } from './landingPage.ts';

let processes: Processes;
let browser: Browser;
let local: Running;

before(async () => {
  processes = await Processes.create();
  await buildLandingPage(processes.folder);
  browser = await pageBrowser();
  local = await processes.start('data');
});
after(async () => {
  await browser?.close();
  await processes?.dispose();
});

async function fillDatasets(): Promise<void> {
  const description = 'Orders of the shop, from its database';
  for (const body of [{ name: 'orders', description }, { name: 'empty' }]) {
    await call(local, 'POST', '/v2/datasets', JSON.stringify(body));
  }
  const events = Array.from({ length: 300 }, (_, i) => ({
    _time: new Date(Date.now() - i * 60_000).toISOString(),
    order: { id: 48_000 + i, total: i * 1.37 },
    country: ['PT', 'FR', null][i % 3],
    tags: ['a', i],
    note: i % 5 ? '' : 'two\nlines',
  }));
  await call(local, 'POST', '/v1/ingest/orders', JSON.stringify(events));
}

/** The states of the page, each reached from the previous one. */
const states: readonly (readonly [name: string, reach: (page: Page) => Promise<void>])[] = [
  ['not connected', async () => undefined],
  [
    'a wrong token',
    async (page) => {
      await page.getByLabel('API token').fill('xaat-wrong');
      await page.keyboard.press('Enter');
      await page.getByText('The token is not valid').waitFor();
    },
  ],
  [
    'no datasets',
    async (page) => {
      const code = await newCode(local);
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `code=${code}`);
      await page.getByText('There are no datasets that this token may query').waitFor();
    },
  ],
  [
    'datasets',
    async (page) => {
      await fillDatasets();
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByLabel('Fields of orders').click();
      await page.waitForSelector('.fields');
    },
  ],
  [
    'a result',
    async (page) => {
      await run(page, "// the newest\n['orders']\n| where ['order.total'] > 3\n| take 50");
      await becomes(page, /examined/);
    },
  ],
  [
    'a message and totals',
    async (page) => {
      await run(page, "['orders'] | summarize count() by bin(_time, 1h), country");
      await becomes(page, /examined/);
    },
  ],
  [
    'running',
    async (page) => {
      const expand = '| extend a = range(1, 2000, 1) | mv-expand a to typeof(long)';
      await run(page, `['orders'] ${expand} ${expand.replaceAll(' a ', ' b ')} | count`);
      await becomes(page, /^Running/);
    },
  ],
  [
    'an error',
    async (page) => {
      await page.keyboard.press('Escape');
      await run(page, "['orders']\n| where totla > 3");
      await page.waitForSelector('.problem');
    },
  ],
  [
    'no rows',
    async (page) => {
      await run(page, "['empty']");
      await becomes(page, /^0 rows/);
    },
  ],
];

const looks: Readonly<Record<string, Options>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark', reducedMotion: 'reduce' },
  'forced colors': { colorScheme: 'dark', forcedColors: 'active' },
  'more contrast': { colorScheme: 'light', contrast: 'more' },
};

/** The look and width of each run, or all combinations if pictures are taken. */
const runs: readonly (readonly [look: string, width: number])[] = pictures
  ? Object.keys(looks).flatMap((look) => [320, 800, 1_600].map((width) => [look, width] as const))
  : [
      ['light', 320],
      ['dark', 1_100],
      ['forced colors', 800],
      ['more contrast', 320],
    ];

describe('the landing page', () => {
  for (const [look, width] of runs)
    it(`has no violation of axe's rules in ${look} at ${width} pixels`, async () => {
      for (const name of ['orders', 'empty']) {
        await fetch(`${local.url}/v2/datasets/${name}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${local.token}` },
        });
      }
      const viewport = { width, height: 900 };
      const { page } = await openPage(browser, local, { ...looks[look], viewport });
      for (const [index, [name, reach]] of states.entries()) {
        await reach(page);
        await picture(page, `${index}-${name}-${look}-${width}`, { fullPage: true });
        assert.deepEqual(await violationsOf(page), [], name);
        assert.equal(await overflowOf(page), 0, `${name}: nothing is wider than the page`);
      }
      const animated = await page.evaluate(() => document.getAnimations().length);
      assert.equal(animated, 0, 'nothing moves');
      await page.context().close();
    });
});
