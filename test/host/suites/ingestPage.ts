// The ingest page in VS Code, over the real reader, run and local deployment: files of other projects are stored
// with their counts, values and times, which are computed from the files by other means.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { ingest, ingestPage, setDataset } from '../../../scripts/host/ingestPage.ts';
import { parseCsv } from '../csv.ts';
import { rowsOf, runQuery, workspaceFile } from '../editing.ts';
import { withWindow } from '../window.ts';

type Row = Readonly<Record<string, unknown>>;

interface Dated {
  readonly file: string;
  /** The time of a row, in ms since 1970. */
  readonly time: (row: Row) => number;
  /** A number of a row that is summed. */
  readonly number?: string;
}

/** What precedes a zone: `2012-01-01`, `2001/01/01 00:47` or `Jan 1 2000`, in UTC. */
const utc = (text: unknown): number => Date.parse(`${String(text).replaceAll('/', '-')} UTC`);
const byField =
  (field: string, parse: (text: unknown) => number = utc) =>
  (row: Row) =>
    parse(row[field]);
const year = (text: unknown): number => Date.UTC(Number(text), 0);
const iso = (text: unknown): number => Date.parse(`${String(text).replace(/Z?$/, 'Z')}`);

/** Files of the package vega-datasets that have a date. Without the page, `test/ingest/preview/` reads all. */
const usual: readonly Dated[] = [
  { file: 'seattle-weather-hourly-normals.csv', time: byField('date', iso), number: 'temperature' },
  { file: 'stocks.csv', time: byField('date'), number: 'price' },
  { file: 'disasters.csv', time: byField('Year', year), number: 'Deaths' },
  { file: 'flights-5k.json', time: byField('date'), number: 'delay' },
];
const others: readonly Dated[] = [
  { file: 'seattle-weather.csv', time: byField('date'), number: 'precipitation' },
  { file: 'co2-concentration.csv', time: byField('Date'), number: 'CO2' },
  { file: 'sp500.csv', time: byField('date'), number: 'price' },
  { file: 'sp500-2000.csv', time: byField('date'), number: 'close' },
  { file: 'github.csv', time: byField('time'), number: 'count' },
  { file: 'us-employment.csv', time: byField('month'), number: 'nonfarm' },
  { file: 'birdstrikes.csv', time: byField('Flight Date'), number: 'Cost Other' },
  { file: 'iowa-electricity.csv', time: byField('year'), number: 'net_generation' },
  { file: 'cars.json', time: byField('Year'), number: 'Horsepower' },
  {
    file: 'crimea.json',
    time: byField('date', (text) => Date.parse(String(text))),
    number: 'wounds',
  },
  { file: 'football.json', time: byField('date'), number: 'home_score' },
  { file: 'ohlc.json', time: byField('date'), number: 'open' },
  { file: 'gapminder.json', time: byField('year', year), number: 'pop' },
  {
    file: 'unemployment-across-industries.json',
    time: byField('date', (text) => Date.parse(String(text))),
    number: 'count',
  },
];
const dated = process.env['APLOMB_LONG'] === '1' ? [...usual, ...others] : usual;

async function packageFile(
  path: string,
): Promise<{ readonly uri: vscode.Uri; readonly text: string }> {
  const extension = vscode.extensions.getExtension('aplomb.aplomb');
  assert.ok(extension);
  const text = await readFile(join(extension.extensionPath, 'node_modules', path), 'utf8');
  return { uri: await workspaceFile(basename(path), text), text };
}

const read = (name: string, text: string): readonly Row[] =>
  name.endsWith('.csv') ? parseCsv(text) : JSON.parse(text);

interface ForeignFile {
  /** In `node_modules`. */
  readonly path: string;
  readonly rows: (text: string) => readonly Row[];
  /** Events of the file that cannot be read. */
  readonly skipped?: number;
  /** Of a row, in ms since 1970. Absent: the file has no times. */
  readonly time?: (row: Row) => number;
  /** A field and the row whose value is looked up. */
  readonly value: readonly [field: string, row: number];
}

const jsonLines = (text: string): Row[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const lines = (text: string): Row[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((message) => ({ message }));

/** A file of each of seven more packages. */
const foreign: readonly ForeignFile[] = [
  // With leading zeros.
  { path: 'csv-spectrum/csvs/comma_in_quotes.csv', rows: parseCsv, value: ['zip', 0] },
  {
    path: 'papaparse/tests/verylong-sample.csv',
    rows: (text) => parseCsv(text).filter((row) => row.TLD !== ''),
    skipped: 4,
    value: ['meaning of life', 1_995],
  },
  {
    path: 'japanese-public-holidays/index.csv',
    rows: parseCsv,
    time: byField('date'),
    value: ['name', 1_049],
  },
  {
    path: 'node-releases/data/processed/envs.json',
    rows: (text) => JSON.parse(text),
    time: byField('date'),
    value: ['version', 385],
  },
  { path: 'fs-ndjson/lib/__tests__/input.ndjson', rows: jsonLines, value: ['hero', 3] },
  { path: 'logfmt/examples/r14.logfmt', rows: lines, value: ['message', 12] },
  { path: 'nginxparser/test.log', rows: lines, value: ['message', 0] },
];

describe('a file of another project on the ingest page', () => {
  before(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1700-01-01 to 2200-01-01'));
  after(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1h'));
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  for (const { file, time, number } of dated) {
    it(`is stored at its dates with its numbers: ${file}`, () =>
      withWindow(async (page) => {
        const { uri, text } = await packageFile(`vega-datasets/data/${file}`);
        const rows = read(file, text);
        const dataset = `page-${file.replaceAll(/\W+/g, '-')}`;
        await vscode.commands.executeCommand('aplomb.ingestFiles', uri, [uri]);
        const frame = await ingestPage(page, file);
        await setDataset(frame, dataset);
        const { headline, counts } = await ingest(frame);
        const all = rows.length.toLocaleString('en-US');
        assert.equal(headline, `Ingested ${all} events from ${file} into '${dataset}'.`);
        assert.deepEqual([counts.Read, counts.Stored, counts.Failed], [all, all, '0']);
        const sum = number === undefined ? '0' : `sum(['${number}'])`;
        const [stored = []] = rowsOf(
          await runQuery(
            `['${dataset}'] | summarize count(), min(_time), max(_time), dcount(_time), ${sum}`,
          ),
        );
        const times = rows.map(time).sort((a, b) => a - b);
        assert.equal(stored[0], rows.length);
        assert.deepEqual(
          stored.slice(1, 3).map((at) => Date.parse(String(at))),
          [times[0], times.at(-1)],
        );
        assert.ok(Math.abs(Number(stored[3]) - new Set(times).size) <= 0.05 * times.length);
        if (number !== undefined) {
          const expected = rows.reduce((total, row) => total + Number(row[number] ?? 0), 0);
          assert.equal(Number(stored[4]).toPrecision(10), expected.toPrecision(10));
        }
      }));
  }

  for (const { path, rows: rowsIn, skipped = 0, time, value } of foreign) {
    it(`is stored with its events, times and values: ${path}`, () =>
      withWindow(async (page) => {
        const { uri, text } = await packageFile(path);
        const rows = rowsIn(text);
        const file = basename(path);
        const dataset = `page-${file.replaceAll(/\W+/g, '-')}`;
        await vscode.commands.executeCommand('aplomb.ingestFiles', uri, [uri]);
        const frame = await ingestPage(page, file);
        await setDataset(frame, dataset);
        const started = Date.now();
        const { counts } = await ingest(frame);
        const all = rows.length.toLocaleString('en-US');
        assert.deepEqual(
          [counts.Read, counts.Stored, counts.Failed, counts.Skipped],
          [all, all, '0', String(skipped)],
        );
        const [field, at] = value;
        const wanted = String(rows[at]?.[field]);
        const [stored = []] = rowsOf(
          await runQuery(
            `['${dataset}'] | summarize count(), min(_time), max(_time), countif(tostring(['${field}']) == ${JSON.stringify(wanted)})`,
          ),
        );
        const [first = 0, last = 0] = stored
          .slice(1, 3)
          .map((written) => Date.parse(String(written)));
        assert.deepEqual(
          [stored[0], stored[3]],
          [rows.length, rows.filter((row) => String(row[field]) === wanted).length],
        );
        if (time === undefined) assert.ok(first >= started, `${first} is before the arrival.`);
        else {
          const times = rows.map(time).sort((a, b) => a - b);
          assert.deepEqual([first, last], [times[0], times.at(-1)]);
        }
      }));
  }
});
