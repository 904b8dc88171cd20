/** The ingest page in a real browser: settings reach the reader, and runs and reports are shown. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Choices } from '../../../client/src/ingest/host/choices.ts';
import type { IngestEngine, IngestInput } from '../../../client/src/ingest/host/engine.ts';
import type { Preview } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { openIngest } from './ingestPage.ts';
import {
  completeReport,
  cutReport,
  emptySource,
  logs,
  weather,
  weatherSettings,
} from './recorded.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const input = (name: string, more: Partial<IngestInput> = {}): IngestInput => ({
  source: emptySource(name, 48_219),
  uri: `file:///data/${name}`,
  included: true,
  ...more,
});

/** Creates a preview function that applies the chosen settings and records its calls. */
function follower() {
  const asked: {
    readonly file: string;
    readonly choices: Choices;
    readonly signal: AbortSignal;
  }[] = [];
  const preview: IngestEngine['preview'] = async ({ name }, choices, _, signal) => {
    asked.push({ file: name, choices, signal });
    const { csv, time, ...rest } = choices;
    if (!name.endsWith('.csv')) return logs(rest);
    const settings: ReadSettings = {
      ...weatherSettings,
      ...rest,
      ...(weatherSettings.csv && {
        csv: {
          ...weatherSettings.csv,
          ...csv,
          types: { ...weatherSettings.csv.types, ...csv?.types },
        },
      }),
      ...(time && { time }),
    };
    if (time !== null) return weather(settings);
    const { time: _time, ...timeless } = settings;
    return weather(timeless);
  };
  return { asked, preview };
}

/** Presses Tab `count` times, and returns the names of the focused controls. */
async function tabThrough(page: Page, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.press('Tab');
    names.push(
      await page.evaluate(() => {
        const { activeElement: it } = document;
        const label =
          it instanceof HTMLInputElement || it instanceof HTMLSelectElement
            ? it.labels?.[0]?.textContent
            : undefined;
        return label ?? it?.getAttribute('aria-label') ?? it?.textContent ?? '';
      }),
    );
  }
  return names;
}

describe('the preview of a file', () => {
  it('shows the first events with their lines, types and nulls', async () => {
    const { preview } = follower();
    const { page, complaints } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    assert.deepEqual(await page.locator('.preview thead .name').allTextContents(), [
      '_time',
      'precipitation',
      'temp_max',
      'weather',
    ]);
    const row = page.locator('.preview tbody tr').first();
    assert.deepEqual(await row.locator('th, td').allTextContents(), [
      '2',
      '2012-01-01T00:00:00Z',
      '0.0',
      '0.6',
      '∅',
    ]);
    assert.equal(await page.locator('.preview tbody tr').count(), 100);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('shows markup in the file as plain text, and control characters as symbols', async () => {
    const { preview } = follower();
    const { page, complaints } = await openIngest(browser, {
      inputs: [input('a.ndjson')],
      preview,
    });
    const cell = page.locator('.preview tbody tr').nth(3).locator('td').nth(2);
    assert.match((await cell.textContent()) ?? '', /^GET \/items\/very\/long.*…$/);
    assert.equal(await page.locator('.preview script').count(), 0);
    assert.match(
      (await page.locator('.preview tbody tr').nth(0).textContent()) ?? '',
      /request 0⇥done/,
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('is read again with each chosen setting, and drops those of the previous format', async () => {
    const { asked, preview } = follower();
    const view = await openIngest(browser, { inputs: [input('weather.csv')], preview });
    const { page, until } = view;
    await page.getByLabel('Delimiter').selectOption(';');
    await page.getByLabel('First line has the names').uncheck();
    await until('two previews', () => asked.length >= 3);
    assert.deepEqual(asked.at(-1)?.choices, { csv: { delimiter: ';', header: false } });
    await page.getByLabel('Type of temp_max').focus();
    await page.getByLabel('Type of temp_max').selectOption('string');
    await until('a type', () => asked.length >= 4);
    await page.locator('.preview[aria-busy="false"]').waitFor();
    assert.deepEqual(asked.at(-1)?.choices.csv?.types, { temp_max: 'string' });
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Type of temp_max',
    );
    await page.getByLabel('Broken lines').selectOption('stop');
    await page.getByRole('button', { name: 'Add Label' }).click();
    await page.getByLabel('Name of label').fill('region');
    await page.getByLabel('Value of label').fill('eu');
    await page.keyboard.press('Tab');
    await until('labels', () => asked.at(-1)?.choices.labels?.region === 'eu');
    assert.equal(asked.at(-1)?.choices.broken, 'stop');
    // Another format has other columns, so settings of CSV are dropped.
    await page.getByLabel('Format').first().selectOption('lines');
    await until('a format', () => asked.at(-1)?.choices.format === 'lines');
    assert.equal(asked.at(-1)?.choices.csv, undefined);
    assert.deepEqual(asked.at(-1)?.choices.labels, { region: 'eu' });
    await page.close();
  });

  it('is canceled and never shown if settings change while it is read', async () => {
    const slow: { readonly signal: AbortSignal; release: () => void }[] = [];
    const { preview: read } = follower();
    const preview: IngestEngine['preview'] = async (source, choices, target, signal) => {
      if (choices.csv?.delimiter === ';') {
        await new Promise<void>((release) => slow.push({ signal, release }));
        throw new Error('Nobody waits for this.');
      }
      return read(source, choices, target, signal);
    };
    const { page, until, complaints } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    await page.getByLabel('Delimiter').selectOption(';');
    await until('a slow preview', () => slow.length === 1);
    await page.locator('.preview[aria-busy="true"]').waitFor();
    assert.equal(await page.getByLabel('Delimiter').inputValue(), ';');
    await page.getByLabel('Delimiter').selectOption('|');
    await page.locator('.preview[aria-busy="false"]').waitFor();
    assert.equal(slow[0]?.signal.aborted, true);
    slow[0]?.release();
    assert.equal(await page.locator('.message.error').isVisible(), false);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

describe('the time of events', () => {
  it('has a button that sets the time range if it is outside the current one', async () => {
    const { preview } = follower();
    const { page, ranges } = await openIngest(browser, { inputs: [input('weather.csv')], preview });
    assert.match(
      (await page.textContent('.outside')) ?? '',
      /outside of the current time range, last 1 hour/,
    );
    await page.getByRole('button', { name: 'Set Time Range to 2012-01-01 to 2012-04-09' }).click();
    await page.locator('.outside').waitFor({ state: 'hidden' });
    assert.deepEqual(ranges, [
      {
        start: { kind: 'at', time: '2012-01-01T00:00:00Z' },
        end: { kind: 'at', time: '2012-04-10T00:00:00Z' },
      },
    ]);
    await page.close();
  });

  it('is read with the day or the month first after one click, if no value shows the order', async () => {
    const asked: Choices[] = [];
    const text = 'day,n\n03/04/2025,1\n05/06/2025,2\n';
    const { page, until } = await openIngest(browser, {
      inputs: [{ source: memorySource('days.csv', text), included: true }],
      preview: (source, choices, target, signal) => {
        asked.push(choices);
        return previewFile(source, choices, target, signal);
      },
    });
    await page
      .getByText(
        'No value of day shows whether the day or the month comes first. 03/04/2025 is read with the month first.',
      )
      .waitFor();
    assert.equal(
      await page.locator('.preview tbody td').first().textContent(),
      '2025-03-04T00:00:00Z',
    );
    await page.getByRole('button', { name: 'Read the Day First' }).focus();
    await page.keyboard.press('Enter');
    await until('a choice', () => asked.length > 1);
    await page.getByText('2025-04-03T00:00:00Z').waitFor();
    await page.getByRole('button', { name: 'Read the Month First' }).waitFor();
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      'Read the Month First',
    );
    assert.deepEqual(asked.at(-1)?.time?.format, { kind: 'layout', layout: '02/01/2006' });
    await page.close();
  });

  it('can be the arrival time, another field, another format or another zone', async () => {
    const { asked, preview } = follower();
    const { page, until } = await openIngest(browser, { inputs: [input('weather.csv')], preview });
    const field = page.getByLabel('Time', { exact: true });
    await page.getByLabel('Zone').fill('Nowhere/Land');
    assert.equal(await page.getByLabel('Zone').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Zone').fill('Europe/Lisbon');
    await page.keyboard.press('Tab');
    await until('a zone', () => asked.at(-1)?.choices.time?.zone === 'Europe/Lisbon');
    await page.getByLabel('Format').nth(1).selectOption('epoch ms');
    await until('a unit', () => asked.at(-1)?.choices.time?.format.kind === 'epoch');
    await field.selectOption('none');
    await page.getByText('Each event gets the time of its arrival.').waitFor();
    assert.equal(asked.at(-1)?.choices.time, null);
    assert.equal(await page.getByLabel('Zone').isVisible(), false);
    await field.selectOption('field weather');
    await until('a field', () => asked.at(-1)?.choices.time?.field === 'weather');
    await page.close();
  });
});

describe('the zone of times without an offset', () => {
  it('keeps an unknown zone with an error, and is applied only once it is valid', async () => {
    const { asked, preview } = follower();
    const { page, until, contents } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    const zone = page.getByLabel('Zone');
    const problem = page.getByText('Unknown time zone. Times are still read in UTC.');
    await zone.fill('Europe/Atlantis');
    assert.equal(await problem.count(), 0, 'text that is being typed is not criticized');
    await zone.press('Tab');
    await problem.waitFor();
    assert.equal(await zone.inputValue(), 'Europe/Atlantis');
    assert.equal(await zone.getAttribute('aria-invalid'), 'true');
    assert.deepEqual(contents('choose'), []);
    await zone.fill('Europe/Berlin');
    await zone.press('Tab');
    await until('the zone', () => asked.at(-1)?.choices.time?.zone === 'Europe/Berlin');
    assert.equal(await problem.count(), 0);
    assert.equal(await zone.getAttribute('aria-invalid'), 'false');
    await page.close();
  });
});

describe('the target dataset', () => {
  it('is validated while it is typed, and is marked as new or existing', async () => {
    const { preview } = follower();
    const { page } = await openIngest(browser, { inputs: [input('weather.csv')], preview });
    const ingest = page.getByRole('button', { name: 'Ingest', exact: true });
    await page.getByText('New dataset on Local').waitFor();
    await page.getByLabel('Dataset').fill('-weather');
    await page.getByText(/A dataset name consists of/).waitFor();
    assert.equal(await page.getByLabel('Dataset').getAttribute('aria-invalid'), 'true');
    assert.equal(await ingest.isDisabled(), true);
    await page.getByLabel('Dataset').fill('http-logs');
    await page.getByText('Existing dataset on Local').waitFor();
    assert.equal(await ingest.isDisabled(), false);
    await page.close();
  });

  it('causes a new preview if its schema differs from the previous one', async () => {
    const targets: (string | undefined)[] = [];
    const { preview: read } = follower();
    const { page, until } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview: (source, choices, target, signal) => {
        targets.push(target?.fields[0]?.name);
        return read(source, choices, target, signal);
      },
      effects: {
        targetSchema: async () => ({
          fields: [{ name: 'status', type: 'integer' }],
          mapFields: [],
        }),
      },
    });
    assert.deepEqual(targets, [undefined]);
    await page.getByLabel('Dataset').fill('http-logs');
    await until('a preview for the target', () => targets.at(-1) === 'status');
    await page.close();
  });
});

describe('several files', () => {
  const files = [
    input('app.ndjson'),
    input('weather.csv', { folder: 'climate' }),
    input('more.csv', { folder: 'climate' }),
  ];

  it('have separate settings, which can be applied to all files', async () => {
    const { asked, preview } = follower();
    const { page, until } = await openIngest(browser, { inputs: files, preview });
    await until('all previews', () => asked.length === 3);
    await page.getByRole('button', { name: /climate\/weather\.csv/ }).click();
    await page.getByRole('heading', { name: 'weather.csv' }).waitFor();
    await page.getByLabel('Delimiter').selectOption(';');
    await until('a preview', () => asked.length === 4);
    await page.getByRole('button', { name: 'Apply to All Files' }).click();
    await until('all previews again', () => asked.length === 6);
    assert.deepEqual(
      asked.slice(4).map(({ file, choices }) => [file, choices.csv?.delimiter, choices.format]),
      [
        ['app.ndjson', ';', 'csv'],
        ['more.csv', ';', 'csv'],
      ],
    );
    await page.getByRole('button', { name: /^app\.ndjson/ }).click();
    await page.getByRole('heading', { name: 'app.ndjson' }).waitFor();
    await page.getByLabel('Format').first().selectOption({ label: 'Plain lines' });
    await page.locator('.files .status', { hasText: 'kB · plain lines' }).waitFor();
    await page.close();
  });

  it('are sent concurrently, except deselected ones, with shared progress and one report', async () => {
    const { preview } = follower();
    const { page, until, runs } = await openIngest(browser, { inputs: files, preview });
    await page.getByLabel('Ingest weather.csv').uncheck();
    await page.getByText("2 files, 96.4 kB into 'weather' on Local").waitFor();
    await page.keyboard.press('Control+Enter');
    await until('both runs', () => runs.length === 2);
    runs.sort((a, b) => a.job.source.name.localeCompare(b.job.source.name));
    const names = runs.map(({ job }) => [job.source.name, job.settings.format]);
    assert.deepEqual(names, [
      ['app.ndjson', 'ndjson'],
      ['more.csv', 'csv'],
    ]);
    runs[0]?.progress({ bytes: 24_000, events: 300 });
    runs[1]?.progress({ bytes: 24_000, events: 700 });
    await page.getByText('File 1 of 2 · 48.0 kB of 96.4 kB · 1,000 events').waitFor();
    runs[0]?.end({ ...completeReport, file: 'app.ndjson', read: 10, stored: 10 });
    await page.getByText('File 2 of 2').waitFor();
    runs[1]?.end({ ...completeReport, file: 'more.csv', read: 5, stored: 4, failed: 1 });
    await page.getByText("Ingested 2 of 2 files into 'weather'.").waitFor();
    const counts = await page.locator('.report > .counts').textContent();
    assert.match(counts ?? '', /Read15Stored14Failed1/);
    await page.close();
  });
});

describe('an ingest run', () => {
  it('shows its progress, and can be paused, resumed and canceled', async () => {
    const { preview } = follower();
    const { page, until, runs, complaints } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    await page.getByRole('button', { name: 'Ingest', exact: true }).click();
    await until('a run', () => runs.length === 1);
    const [run] = runs;
    run?.progress({ bytes: 24_110, events: 730, eventsPerSecond: 1_234.5, secondsLeft: 2 });
    await page
      .getByText('50% · 24.1 kB of 48.2 kB · 730 events · 1,235 events/s · 2 s left')
      .waitFor();
    assert.equal(await page.getByRole('progressbar').getAttribute('aria-valuenow'), '50');
    await page.getByRole('button', { name: 'Pause' }).click();
    run?.progress({ state: 'paused', bytes: 24_110 });
    await page.getByRole('button', { name: 'Resume' }).click();
    run?.progress({ bytes: 24_110 });
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelling.').waitFor();
    assert.deepEqual(run?.calls, ['pause', 'resume', 'cancel']);
    run?.end({ ...completeReport, outcome: 'cancelled', read: 900, stored: 730, unsent: 170 });
    await page
      .getByText("Cancelled. 730 events of weather.csv were stored in 'weather'.")
      .waitFor();
    await page.getByText('900 read = 730 stored + 0 failed + 170 not sent.').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('ends with a report whose links open lines, failed events and queries, and that can resume the run', async () => {
    const { preview } = follower();
    const { page, until, runs, opened, queried } = await openIngest(browser, {
      inputs: [input('app.ndjson')],
      preview,
      effects: { actionsFor: () => [{ label: 'Change Token', command: 'aplomb.changeToken' }] },
    });
    await page.getByRole('button', { name: 'Ingest', exact: true }).click();
    await until('a run', () => runs.length === 1);
    runs[0]?.end(cutReport);
    await page
      .getByText(
        '40,000 read = 28,995 stored + 5 failed + 10,000 in doubt + 1,000 not sent. 3 events',
      )
      .waitFor();
    await page.getByRole('button', { name: 'Lines 1,204 to 1,206' }).click();
    await page.getByRole('button', { name: 'Lines 20,001 to 30,000 (10,000 events)' }).click();
    await page.getByRole('button', { name: 'Open Failed Events' }).click();
    await page.getByRole('button', { name: 'Open Query That Counts Them' }).click();
    await page.getByRole('button', { name: 'Change Token' }).click();
    await page.getByRole('button', { name: 'Query What Arrived' }).click();
    await until('everything', () => queried.length === 1);
    assert.deepEqual(opened, [
      'app.ndjson:1204',
      'app.ndjson:20001',
      '/data/app.failed.ndjson',
      'doubt of app.ndjson',
      'aplomb.changeToken',
    ]);
    const [{ dataset, first, last } = { dataset: '' }] = queried;
    assert.deepEqual([dataset, first, last], ['app-logs', cutReport.firstTime, cutReport.lastTime]);
    await page.getByRole('button', { name: 'Resume at Line 30,001' }).click();
    await until('a resumed run', () => runs.length === 2);
    assert.equal(runs[1]?.job.resume, 'run-1');
    await page.close();
  });

  it('states in the headline of its report how many events may or may not be stored', async () => {
    const { preview } = follower();
    const { page, until, runs } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    await page.getByRole('button', { name: 'Ingest', exact: true }).click();
    await until('a run', () => runs.length === 1);
    const doubt = [{ firstLine: 11, lastLine: 20, events: 10 }];
    runs[0]?.end({ ...completeReport, read: 30, stored: 20, doubt });
    await page
      .getByText(
        "Ingested 20 events from weather.csv into 'weather'; 10 events may or may not be stored.",
      )
      .waitFor();
    await page.close();
  });

  it('sends nothing if it only checks, and can be followed by one that ingests', async () => {
    const { preview } = follower();
    const { page, until, runs, checks } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    await page.getByRole('button', { name: 'Check Only' }).click();
    await until('a check', () => checks.length === 1);
    checks[0]?.end({ ...completeReport, stored: 0, skipped: 2, bytes: 0 });
    await page
      .getByText('weather.csv has 1,461 events and 2 broken events. Nothing was sent.')
      .waitFor();
    await page.getByText('2012-01-01 to 2015-12-31').waitFor();
    assert.equal(runs.length, 0);
    await page.getByRole('button', { name: 'Ingest', exact: true }).click();
    await until('a run', () => runs.length === 1);
    await page.close();
  });

  it('does not start if no connection is established', async () => {
    const { preview } = follower();
    const { page, until, contents, session } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
      effects: { connect: async () => undefined },
    });
    await page.getByRole('button', { name: 'Ingest', exact: true }).click();
    await until('the start', () => contents('start').length === 1);
    assert.equal(session.state.phase, 'preview');
    assert.equal(await page.getByRole('button', { name: 'Ingest', exact: true }).isVisible(), true);
    await page.close();
  });
});

/** Untrusted text from a file, a dataset or a service: control characters, a bidirectional mark, and markup. */
const hostile = 'a\u202e\u0007\u200b<img src=x onerror=alert(1)>';
const made = 'a[U+202E]␇[U+200B]<img src=x onerror=alert(1)>';

describe('the preview after a report', () => {
  it('still shows all fields, at the same scroll positions', async () => {
    const fields = Array.from({ length: 120 }, (_, n) => ({
      name: `f${n}`,
      types: ['integer' as const],
      eventCount: 100,
    }));
    const wide = (): Preview => {
      const plain = weather();
      const events = plain.events.map((event) => ({ ...event, cells: fields.map(() => '1') }));
      return { ...plain, fields, events };
    };
    const { page, until, runs } = await openIngest(browser, {
      inputs: [input('wide.csv')],
      preview: async () => wide(),
      height: 420,
    });
    await page.getByRole('button', { name: 'Show All 120 Fields' }).click();
    const scrolled = () =>
      page.evaluate(() =>
        ['.main', '.preview .scroll'].map((selector) => {
          const { scrollTop, scrollLeft } = document.querySelector(selector) as HTMLElement;
          return [scrollTop, scrollLeft];
        }),
      );
    await page.evaluate(() => {
      document.querySelector('.main')?.scrollTo(0, 90);
      document.querySelector('.preview .scroll')?.scrollTo(700, 500);
    });
    const before = await scrolled();
    assert.deepEqual(before, [
      [90, 0],
      [500, 700],
    ]);
    await page.getByRole('button', { name: 'Ingest', exact: true }).click();
    await until('a run', () => runs.length === 1);
    await page.getByText("Ingesting wide.csv into 'weather'").waitFor();
    assert.equal(await page.locator('.preview').isVisible(), false);
    runs[0]?.end(completeReport);
    await page.getByRole('button', { name: 'Back to Preview' }).click();
    await page.getByLabel('Dataset').waitFor();
    assert.equal(await page.locator('.preview thead .name').count(), 120);
    assert.deepEqual(await scrolled(), before);
    await page.close();
  });
});

describe('untrusted text with markup and invisible characters', () => {
  /** Opens a page whose files, deployment and messages contain untrusted text. */
  async function openHostile() {
    const previewed = logs();
    const [first] = previewed.fields;
    const [candidate] = previewed.time.candidates;
    assert.ok(first && candidate);
    const preview: IngestEngine['preview'] = async () => ({
      ...previewed,
      fields: [first, { name: hostile, nameInFile: hostile, types: ['string'], eventCount: 1 }],
      events: [
        {
          line: 1,
          cells: ['"2026-11-21T09:14:00Z"', JSON.stringify(`${hostile}\n\t${'x'.repeat(40)}`)],
        },
      ],
      time: {
        ...previewed.time,
        candidates: [
          { ...candidate, settings: { ...candidate.settings, field: hostile }, sample: hostile },
        ],
      },
      broken: [{ line: 1, lastLine: 1, reason: hostile, text: hostile }],
      notices: [{ code: 'deep', message: hostile, fields: [] }],
    });
    const link = { target: hostile, isOutside: true };
    return openIngest(browser, {
      inputs: [
        input('a.ndjson', { source: emptySource(`${hostile}.ndjson`, 1), folder: hostile, link }),
        input('b.ndjson'),
      ],
      preview,
      parts: { deployment: hostile, notice: `${hostile}\nnext` },
      effects: {
        actionsFor: () => [{ label: hostile, command: 'aplomb.changeToken' }],
        datasets: async () => [hostile],
      },
    });
  }

  it('is shown as plain text in each part of the preview', async () => {
    const { page, complaints } = await openHostile();
    const texts = (selector: string) => page.locator(selector).allTextContents();
    for (const [selector, expected] of [
      ['.files .name >> nth=0', `${made}/${made}.ndjson`],
      ['.files .linked-path >> nth=0', `link to ${made}, outside the folder`],
      ['.main > .message', `${made}next`],
      ['.target .about', `New dataset on ${made}`],
      ['.file-name', `${made}.ndjson`],
      ['.notices li span', made],
      ['.broken .reason', made],
      ['.broken code', made],
      ['.preview thead .name >> nth=1', made],
      ['.preview tbody td >> nth=1', `${made}⏎⇥${'x'.repeat(40)}`],
      ['.file select option[value="candidate 0"]', `${made} (${made})`],
      ['.actions .about', `1 file, 48.2 kB into 'weather' on ${made}`],
    ] as const) {
      if (selector.startsWith('.actions')) {
        await page.locator('.files input').first().uncheck();
        await page.getByText('1 file, ').waitFor();
      }
      const [text] = await texts(selector);
      assert.equal(text, expected, selector);
    }
    const titles = await page
      .locator('[title], [aria-label]')
      .evaluateAll((all) => all.map((one) => `${one.getAttribute('title')} ${one.ariaLabel}`));
    assert.ok(titles.some((title) => title.includes(made)));
    assert.equal(
      titles.some((title) => title.includes('\u202e')),
      false,
    );
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('is shown as plain text in progress and reports', async () => {
    const { page, runs, until, complaints } = await openHostile();
    await page.locator('.files input').nth(1).uncheck();
    await page.getByRole('button', { name: 'Ingest', exact: true }).click();
    await until('a run', () => runs.length === 1);
    runs[0]?.progress({ state: 'waiting', waiting: { message: hostile, until: Date.now() } });
    await page.locator('.run .message').waitFor();
    assert.equal(await page.locator('.run .message').textContent(), made);
    assert.equal(
      await page.locator('.run h2').textContent(),
      `Waiting to send more of ${made}.ndjson`,
    );
    const [failure] = cutReport.failures;
    assert.ok(failure);
    runs[0]?.end({
      ...cutReport,
      dataset: hostile,
      problem: `${hostile}\nnext`,
      failures: [{ ...failure, reason: hostile, text: hostile }],
      reasons: [{ reason: hostile, count: 1 }],
      messages: [hostile],
    });
    await page.locator('.report').waitFor();
    for (const [selector, expected] of [
      [
        '.report h2',
        `${made}.ndjson was not ingested completely. 28,995 events were stored in '${made}'.`,
      ],
      ['.report > .message', `${made}next`],
      ['.report .reasons li', `1 event${made}`],
      ['.report .broken .reason', made],
      ['.report .broken code', made],
      ['.report .messages li', made],
    ] as const)
      assert.equal(await page.locator(selector).textContent(), expected, selector);
    await page.getByRole('button', { name: made }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

describe('the keyboard on the ingest page', () => {
  it('reaches every control in order with Tab, and the lines of the preview with arrow keys', async () => {
    const { preview } = follower();
    const { page, until, opened } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    await page.getByLabel('Dataset').focus();
    assert.deepEqual(await tabThrough(page, 14), [
      'Format',
      'Delimiter',
      'First line has the names',
      'Compression',
      'Encoding',
      'Time',
      'Format',
      'Go layout of the time',
      'Zone',
      'Set Time Range to 2012-01-01 to 2012-04-09',
      'Add Label',
      'Broken lines',
      'First 100 events',
      'Type of precipitation',
    ]);
    assert.deepEqual((await tabThrough(page, 6)).slice(2), [
      'Open line 2',
      'Ingest',
      'Check Only',
      'Cancel',
    ]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until('a line', () => opened.length === 1);
    assert.deepEqual(opened, ['weather.csv:3']);
    await page.close();
  });

  it('moves the focus to the run, its report, and the preview when each is shown', async () => {
    const { preview } = follower();
    const { page, until, runs } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.getByRole('button', { name: 'Ingest', exact: true }).focus();
    await page.keyboard.press('Enter');
    await until('a run', () => runs.length === 1);
    await page.getByText("Ingesting weather.csv into 'weather'").waitFor();
    assert.match(await focused(), /Ingesting weather\.csv/);
    runs[0]?.end(completeReport);
    await page.getByText('Ingested 1,461 events').waitFor();
    assert.match(await focused(), /Ingested 1,461 events/);
    await page.getByRole('button', { name: 'Back to Preview' }).press('Enter');
    await page.getByLabel('Dataset').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
    await page.close();
  });
});

describe('a reloaded ingest page', () => {
  it('shows the dataset and the settings that were entered before', async () => {
    const { preview } = follower();
    const { page, until, contents } = await openIngest(browser, {
      inputs: [input('weather.csv')],
      preview,
    });
    await page.getByLabel('Dataset').fill('seattle');
    await page.getByLabel('Encoding').selectOption('utf-16le');
    await until('the choice', () => contents('choose').length === 1);
    await page.reload();
    await page.waitForSelector('.preview table');
    assert.equal(await page.getByLabel('Dataset').inputValue(), 'seattle');
    assert.equal(await page.getByLabel('Encoding').inputValue(), 'utf-16le');
    await page.close();
  });
});
