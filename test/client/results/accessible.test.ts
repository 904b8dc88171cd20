/** Checks every state of the results page in every theme with axe, and takes optional screenshots. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { looksOf, PageAudit, picture, pictures } from '../pageAudit.ts';
import { requests, result, table } from './samples.ts';
import { openView } from './viewPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const levels = ['info', 'warn', 'error', 'debug'];

const logs = table(400, {
  _time: ['datetime', (row) => `2026-11-21T09:${10 + (row % 40)}:02.118394221Z`],
  level: ['string', (row) => levels[row % 4] ?? ''],
  status: ['integer', (row) => [200, 404, 500][row % 3] ?? 0],
  duration: ['float', (row) => ((row * 7_919) % 5_000) * 1.25],
  size: ['integer', (row) => (row * 7_919) % 5_000_000],
  'geo.city': ['string', (row) => ['Lisbon', null, '', 'Porto'][row % 4] ?? null],
  'geo.country': ['string', () => 'PT'],
  url: ['string', (row) => `https://example.com/items/${row}`],
  attributes: [
    'map',
    (row) => ({ http: { method: 'GET' }, retry: row % 3 === 0, tags: ['a', row] }),
  ],
});

/** Each state of the page, reached from the one before it. */
const states: readonly (readonly [
  name: string,
  reach: (page: Page, view: Awaited<ReturnType<typeof openView>>) => Promise<void>,
])[] = [
  ['nothing has run', async () => undefined],
  [
    'running',
    (_, { show }) => show({ kind: 'running', title: 'errors', startedAt: Date.now() - 1_500 }),
  ],
  [
    'failed',
    (_, { show }) => {
      const actions = [
        { label: 'Change Token', command: 'aplomb.changeToken' },
        { label: 'Show Log', command: 'aplomb.showLog' },
      ];
      const message = 'The token may ingest but not query.';
      return show({ kind: 'failed', title: 'errors', message, traceId: 'a1', actions });
    },
  ],
  ['cancelled', (_, { show }) => show({ kind: 'cancelled', title: 'other' })],
  [
    'no rows',
    (_, { show }) => {
      const actions = [{ label: 'Query Last 7 Days', command: 'x' }];
      const hint = { message: 'http-logs has no events in this time range.', actions };
      return show({ kind: 'result', result: result([requests(0)], { title: 'none' }), hint });
    },
  ],
  [
    'a result',
    async (page, { show }) => {
      const totals = { ...requests(3), name: '_totals' };
      const units = { duration: 'ms', size: 'decbytes' };
      await show({ kind: 'result', result: result([logs, totals], { units }) });
      await page.waitForSelector('.slick-row .slick-cell:not(:has(.pending)):not(.row-number)');
      await page.waitForFunction(() => document.querySelector('.header-summary:not(:empty)'));
    },
  ],
  [
    'a selection in a sorted result',
    async (page) => {
      await page.locator('.slick-header-column', { hasText: 'status' }).click();
      // Sorted by status, the second row is the fourth of the answer.
      await page.waitForFunction(
        () => document.querySelector('[data-row="1"] .row-number')?.textContent === '4',
      );
      await page.waitForSelector('.slick-row[data-row="6"] .slick-cell.l4:not(:has(.pending))');
      await page.locator('.slick-row[data-row="2"] .slick-cell.l1').click();
      await page.locator('.slick-row[data-row="5"] .slick-cell.l4').click({ modifiers: ['Shift'] });
      await page.waitForSelector('.figure');
    },
  ],
  [
    'figures per column',
    async (page) => {
      await page.locator('.per-column').click();
      await page.waitForFunction(
        () => document.querySelectorAll('.column-figures tbody tr').length === 2,
      );
    },
  ],
  [
    'a copy',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('.slick-row[data-row="4"] .slick-cell.l2').click();
      await page.keyboard.press('ControlOrMeta+c');
      await page.waitForSelector('.note:not(:empty)');
    },
  ],
  [
    'find',
    async (page) => {
      await page.keyboard.press('ControlOrMeta+f');
      await page.keyboard.type('o');
      await page.waitForFunction(() =>
        /of/.test(document.querySelector('.find-count')?.textContent ?? ''),
      );
    },
  ],
  [
    'the panel of numbers',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('.slick-header-column', { hasText: 'duration' }).focus();
      await page.keyboard.press(' ');
      await page.waitForSelector('.column-panel .histogram');
      await page.waitForSelector('.column-panel .value');
    },
  ],
  [
    'a problem in the panel of texts',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('.slick-header-column', { hasText: 'level' }).focus();
      await page.keyboard.press(' ');
      await page.waitForSelector('.column-panel .value');
      await page.locator('.value input').first().check();
      await page.getByLabel('Condition').selectOption('regex');
      await page.getByLabel('Text').fill('(');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('.problem')?.textContent !== '');
    },
  ],
  [
    'filters',
    async (page) => {
      await page.getByLabel('Text').fill('');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.chip');
    },
  ],
  [
    'details',
    async (page) => {
      await page.locator('.slick-row[data-row="1"] .slick-cell').nth(1).click();
      await page.keyboard.press(' ');
      await page.waitForSelector('.detail [role="treeitem"]');
      await page.locator('.detail [role="treeitem"]').nth(2).click();
    },
  ],
  [
    'choosing columns',
    async (page) => {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.waitForSelector('.column-chooser');
    },
  ],
  [
    'exporting',
    async (page, { host }) => {
      await page.keyboard.press('Escape');
      host.act('exportResult', {});
      await page.waitForSelector('.export-form');
    },
  ],
  [
    'parameters with a problem',
    async (page, { parameterForms }) => {
      const declared = [
        { name: 'least', type: 'long', defaultText: '2' },
        { name: 'a_rather_long_name_of_a_parameter', type: 'datetime' },
        { name: 'flag', type: 'bool', defaultText: 'true' },
      ] as const;
      void parameterForms.ask('errors', declared, new Map());
      await page.getByLabel('least').fill('many');
      await page.locator('.popup .problem:not(:empty)').waitFor();
    },
  ],
  [
    'running again',
    async (page, { show }) => {
      await page.keyboard.press('Escape');
      await show({ kind: 'running', title: 'requests by status', startedAt: Date.now() - 2_300 });
      await page.waitForSelector('.dimmed');
    },
  ],
  [
    'the list of all results',
    async (page, { show }) => {
      for (let n = 1; n <= 14; n += 1)
        await show({
          kind: 'result',
          query: `q${n}`,
          result: result([requests(n)], { title: `requests of the last ${n} hours by city` }),
        });
      await page.getByRole('button', { name: 'All Results' }).click();
      await page.waitForSelector('[role="menuitemradio"]:focus');
    },
  ],
];

describe('the results page', () => {
  for (const width of pictures ? [1_440, 1_000, 400] : [1_000]) {
    const looks = looksOf();
    const audit = new PageAudit(looks);
    const complaints: string[] = [];

    before(async () => {
      const view = await openView(browser, { width, height: 460 });
      for (const [index, [name, reach]] of states.entries()) {
        await reach(view.page, view);
        const file = `${String(index).padStart(2, '0')}-${name}`;
        await audit.add(view.page, name, async ({ theme }) => {
          if (pictures) await view.page.waitForTimeout(400);
          await picture(view.page, `${file}-${theme}-${width}`);
        });
      }
      complaints.push(...view.complaints);
      await view.page.close();
    });

    for (const look of looks)
      it(`has no violation of axe's rules in the theme ${look.theme} at a width of ${width} pixels`, () => {
        audit.assertClean(look);
        assert.deepEqual(complaints, []);
      });
  }
});
