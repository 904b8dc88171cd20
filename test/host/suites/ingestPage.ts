// The ingest page in VS Code, over the real reader, run and local deployment: files of other projects are stored
// with their counts, types and times, which are computed from the files by other means.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Files of the package vega-datasets that have a date. */
const dated: readonly Dated[] = [
  { file: 'seattle-weather.csv', time: byField('date'), number: 'precipitation' },
  { file: 'seattle-weather-hourly-normals.csv', time: byField('date', iso), number: 'temperature' },
  { file: 'co2-concentration.csv', time: byField('Date'), number: 'CO2' },
  { file: 'sp500.csv', time: byField('date'), number: 'price' },
  { file: 'sp500-2000.csv', time: byField('date'), number: 'close' },
  { file: 'stocks.csv', time: byField('date'), number: 'price' },
  { file: 'github.csv', time: byField('time'), number: 'count' },
  { file: 'us-employment.csv', time: byField('month'), number: 'nonfarm' },
  { file: 'birdstrikes.csv', time: byField('Flight Date'), number: 'Cost Other' },
  { file: 'disasters.csv', time: byField('Year', year), number: 'Deaths' },
  { file: 'iowa-electricity.csv', time: byField('year'), number: 'net_generation' },
  { file: 'cars.json', time: byField('Year'), number: 'Horsepower' },
  {
    file: 'crimea.json',
    time: byField('date', (text) => Date.parse(String(text))),
    number: 'wounds',
  },
  { file: 'flights-5k.json', time: byField('date'), number: 'delay' },
  { file: 'football.json', time: byField('date'), number: 'home_score' },
  { file: 'ohlc.json', time: byField('date'), number: 'open' },
  { file: 'gapminder.json', time: byField('year', year), number: 'pop' },
  {
    file: 'unemployment-across-industries.json',
    time: byField('date', (text) => Date.parse(String(text))),
    number: 'count',
  },
];

async function vegaFile(
  name: string,
): Promise<{ readonly uri: vscode.Uri; readonly rows: readonly Row[] }> {
  const extension = vscode.extensions.getExtension('aplomb.aplomb');
  assert.ok(extension);
  const path = join(extension.extensionPath, 'node_modules/vega-datasets/data', name);
  const text = await readFile(path, 'utf8');
  const rows: readonly Row[] = name.endsWith('.csv') ? parseCsv(text) : JSON.parse(text);
  return { uri: await workspaceFile(name, text), rows };
}

describe('a dated file of another project on the ingest page', () => {
  before(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1700-01-01 to 2200-01-01'));
  after(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1h'));
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  for (const { file, time, number } of dated) {
    it(`is stored at its dates with its numbers: ${file}`, () =>
      withWindow(async (page) => {
        const { uri, rows } = await vegaFile(file);
        const dataset = `page-${file.replaceAll(/\W+/g, '-')}`;
        await vscode.commands.executeCommand('aplomb.ingestFiles', uri, [uri]);
        const frame = await ingestPage(page, file);
        await setDataset(frame, dataset);
        const { headline, counts } = await ingest(frame);
        const all = rows.length.toLocaleString('en-US');
        assert.equal(headline, `Ingested ${all} events from ${file} into ${dataset}.`);
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
});
