/** Checks each state of the ingest page with axe in every theme, and saves pictures. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import type { IngestInput } from '../../../client/src/ingest/host/engine.ts';
import { FileProblem } from '../../../ingest/src/contract.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { looksOf, PageAudit, picture } from '../pageAudit.ts';
import { type IngestPage, openIngest } from './ingestPage.ts';
import { completeReport, cutReport, emptySource, logs, weather } from './recorded.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const input = (name: string, size: number, more: Partial<IngestInput> = {}): IngestInput => ({
  source: emptySource(name, size),
  uri: `file:///data/${name}`,
  included: true,
  ...more,
});

const one = [input('weather.csv', 48_219)];
const many = [
  input('app.ndjson', 31_000_000),
  input('weather.csv', 48_219, { folder: 'climate/daily' }),
  input('broken.json.gz', 1_200),
  input('a-file-with-a-rather-long-name-of-2026-11-21.log', 2_000_000_000, { included: false }),
];

const states: readonly (readonly [
  name: string,
  inputs: readonly IngestInput[],
  reach: (view: IngestPage) => Promise<void>,
])[] = [
  ['preview', one, async () => undefined],
  [
    'many files',
    many,
    async ({ page }) => {
      await page.getByRole('button', { name: 'Add Label' }).click();
      await page.getByLabel('Name of label').fill('region');
      await page.getByLabel('Value of label').fill('eu-west-1');
      await page.getByLabel('Dataset').fill('http logs!');
      await page.getByText('A dataset name consists of').first().waitFor();
    },
  ],
  [
    'rejected time zone',
    one,
    async ({ page }) => {
      await page.getByLabel('Zone').fill('Europe/Atlantis');
      await page.getByLabel('Zone').press('Enter');
      await page.getByText('Unknown time zone').waitFor();
    },
  ],
  [
    'unreadable',
    many,
    async ({ page }) => {
      await page.getByRole('button', { name: /broken\.json\.gz/ }).click();
      await page.getByText('The compressed data ends early').waitFor();
    },
  ],
  [
    'sending',
    many,
    async (view) => {
      await view.page.getByRole('button', { name: 'Ingest', exact: true }).click();
      await view.until('a run', () => view.runs.length === 1);
      view.runs[0]?.progress({
        state: 'waiting',
        waiting: { message: 'The service asks to wait (429).', until: Date.now() + 12_000 },
        bytes: 14_000_000,
        events: 18_200,
        eventsPerSecond: 4_512.4,
        secondsLeft: 11,
      });
      await view.page.getByText('The service asks to wait').waitFor();
    },
  ],
  [
    'report',
    one,
    async (view) => {
      await view.page.getByRole('button', { name: 'Ingest', exact: true }).click();
      await view.until('a run', () => view.runs.length === 1);
      view.runs[0]?.end(completeReport);
      await view.page.getByText('Ingested 1,461 events').waitFor();
    },
  ],
  [
    'report with failures',
    [many[0] as IngestInput],
    async (view) => {
      await view.page.getByRole('button', { name: 'Ingest', exact: true }).click();
      await view.until('a run', () => view.runs.length === 1);
      view.runs[0]?.end(cutReport);
      await view.page.getByText('In doubt').first().waitFor();
    },
  ],
];

async function previewOf({ name }: { name: string }) {
  if (name.startsWith('broken')) {
    throw new FileProblem(
      'The compressed data ends early: the file is incomplete. Copy or compress it again.',
    );
  }
  return name.endsWith('.csv') ? weather() : logs();
}

describe('the accessibility of the ingest page', () => {
  const looks = looksOf([1_200, 360].map((width) => ({ width, height: 760 })));
  const audit = new PageAudit(looks);
  const complaints: string[] = [];

  before(async () => {
    for (const [name, inputs, reach] of states) {
      const view = await openIngest(browser, {
        inputs,
        preview: previewOf,
        ...(name === 'many files' && { parts: { production: true, deployment: 'EU' } }),
      });
      await reach(view);
      await audit.add(view.page, name, ({ theme, size }) =>
        picture(view.page, `ingest-${name}-${theme}-${size?.width}`),
      );
      complaints.push(...view.complaints);
      await view.page.close();
    }
  });

  for (const look of looks)
    it(`has no axe violations in the ${look.theme} theme at ${look.size?.width} pixels`, () => {
      audit.assertClean(look);
      assert.deepEqual(complaints, []);
    });
});
