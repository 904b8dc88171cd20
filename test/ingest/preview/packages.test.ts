// Stores files from third-party packages completely, with the settings that the preview guesses.
// The stored events are compared with another reader's: the package's own JSON or DuckDB's CSV
// reader for CSV, JSON.parse for JSON, and lines for logs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { FileSource } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { diskSource } from '../../../ingest/src/read/sources.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import { Deployment } from '../../local/deployment.ts';

type Row = Readonly<Record<string, unknown>>;

/** Another reader's result for a file. */
interface Reading {
  readonly rows: readonly Row[];
  /** Numbers of the lines that the reader skips. */
  readonly broken?: readonly number[];
}

interface ForeignFile {
  readonly read: (path: string) => Reading | Promise<Reading>;
  readonly count: number;
  /** Types of the stored fields. */
  readonly types: Readonly<Record<string, string>>;
  /** Returns a row's time in ms since 1970. Absent if the file has no times. */
  readonly time?: (row: Row) => number;
}

const textOf = (path: string) => readFileSync(path, 'utf8');
const linesOf = (path: string) => textOf(path).split('\n').filter(Boolean);
const json = (path: string): Reading => ({ rows: JSON.parse(textOf(path)) });
const ndjson = (path: string): Reading => ({ rows: linesOf(path).map((line) => JSON.parse(line)) });
const lines = (path: string): Reading => ({
  rows: linesOf(path).map((message) => ({ message })),
});
/** Reads the expected rows that csv-spectrum provides for a file. */
const spectrum = (path: string) => json(path.replace(/csvs\/(.*)\.csv$/, 'json/$1.json'));

/** Reads a CSV file with DuckDB, with every value as a string. */
const csv =
  (options = 'header = true') =>
  async (path: string): Promise<Reading> => {
    const written = "all_varchar = true, nullstr = 'no such value', store_rejects = true";
    const read = await duckdb.runAndReadAll(
      `select * from read_csv('${path}', ${written}, ${options})`,
    );
    const rejected = await duckdb.runAndReadAll(
      `select line::integer from reject_errors join reject_scans using (scan_id, file_id)
       where file_path = '${path}' order by all`,
    );
    return {
      rows: read.getRowObjects(),
      broken: rejected.getRows().map(([line]) => Number(line)),
    };
  };

const named = (type: string, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, type]));
const strings = (...names: readonly string[]) => named('string', ...names);
const integers = (...names: readonly string[]) => named('integer', ...names);

const holidays = {
  types: strings('date', 'name'),
  time: ({ date }: Row) => Date.parse(`${date}T00:00:00Z`),
};

/** Files by path in `node_modules`. */
const files: Readonly<Record<string, ForeignFile>> = {
  'csv-spectrum/csvs/comma_in_quotes.csv': {
    read: spectrum,
    count: 1,
    types: strings('first', 'last', 'address', 'city', 'zip'),
  },
  'csv-spectrum/csvs/empty.csv': {
    read: spectrum,
    count: 2,
    types: { ...integers('a'), ...strings('b', 'c') },
  },
  'csv-spectrum/csvs/empty_crlf.csv': {
    read: spectrum,
    count: 2,
    types: { ...integers('a'), ...strings('b', 'c') },
  },
  'csv-spectrum/csvs/escaped_quotes.csv': {
    read: spectrum,
    count: 2,
    types: { ...integers('a'), ...strings('b') },
  },
  'csv-spectrum/csvs/json.csv': {
    read: spectrum,
    count: 1,
    types: { ...integers('key'), ...strings('val') },
  },
  // The package's JSON has a different telephone number than its CSV.
  'csv-spectrum/csvs/location_coordinates.csv': {
    read: csv(),
    count: 1,
    types: {
      ...integers('Contact Phone Number'),
      ...strings('Location Coordinates', 'Cities', 'Counties'),
    },
  },
  'csv-spectrum/csvs/newlines.csv': {
    read: spectrum,
    count: 3,
    types: { ...strings('a'), ...integers('b', 'c') },
  },
  'csv-spectrum/csvs/newlines_crlf.csv': {
    read: spectrum,
    count: 3,
    types: { ...strings('a'), ...integers('b', 'c') },
  },
  'csv-spectrum/csvs/quotes_and_newlines.csv': {
    read: spectrum,
    count: 2,
    types: { ...integers('a'), ...strings('b') },
  },
  'csv-spectrum/csvs/simple.csv': { read: spectrum, count: 1, types: integers('a', 'b', 'c') },
  'csv-spectrum/csvs/simple_crlf.csv': { read: spectrum, count: 1, types: integers('a', 'b', 'c') },
  'csv-spectrum/csvs/utf8.csv': {
    read: spectrum,
    count: 2,
    types: { ...integers('a', 'b'), ...strings('c') },
  },
  // Has no header line, and its times have zones.
  'papaparse/tests/long-sample.csv': {
    read: csv(
      "header = false, names = ['column1', 'column2', 'column3', 'column4', 'column5', 'column6', 'column7']",
    ),
    count: 8,
    types: strings(...Array.from({ length: 7 }, (_, index) => `column${index + 1}`)),
    time: ({ column4 }) => Date.parse(String(column4)),
  },
  // Every 500th line lacks a value.
  'papaparse/tests/verylong-sample.csv': {
    read: csv(),
    count: 1_996,
    types: { ...strings('placeholder', 'TLD'), ...integers('meaning of life') },
  },
  'papaparse/tests/sample-header.csv': { read: csv(), count: 2, types: strings('title', 'name') },
  'papaparse/tests/utf-8-bom-sample.csv': {
    read: csv(),
    count: 1,
    types: strings('A', 'B', 'C'),
  },
  'japanese-public-holidays/index.csv': { read: csv(), count: 1_050, ...holidays },
  'japanese-public-holidays/index.tsv': {
    read: csv("header = true, delim = '\t'"),
    count: 1_050,
    ...holidays,
  },
  'japanese-public-holidays/index.ltsv': { read: lines, count: 1_050, types: strings('message') },
  'node-releases/data/processed/envs.json': {
    read: json,
    count: 386,
    types: {
      ...strings('name', 'version', 'date', 'v8'),
      lts: 'string|boolean',
      security: 'boolean',
    },
    time: holidays.time,
  },
  'fs-ndjson/lib/__tests__/input.ndjson': {
    read: ndjson,
    count: 4,
    types: strings('name', 'hero'),
  },
  'nginxparser/test.log': { read: lines, count: 1, types: strings('message') },
  'logfmt/examples/r14.logfmt': { read: lines, count: 13, types: strings('message') },
  '@kusto/language-service-next/bridge.report.log': {
    read: lines,
    count: 6,
    types: strings('message'),
  },
};

const { signal } = new AbortController();
let local: Deployment;
let duckdb: DuckDBConnection;
before(async () => {
  local = await Deployment.open();
  duckdb = await (await DuckDBInstance.create()).connect();
});
after(async () => {
  duckdb.closeSync();
  await local.close();
});

/** Stores a complete file and returns the numbers of the skipped lines. */
async function store(
  source: FileSource,
  settings: ReadSettings,
  dataset: string,
): Promise<readonly number[]> {
  const broken: number[] = [];
  for await (const batch of batchReader(source, settings).batches()) {
    broken.push(...batch.broken.map(({ line }) => line));
    const answer = await local.call(
      'POST',
      `/v1/ingest/${dataset}?${new URLSearchParams(batch.query)}`,
      batch.body,
      { type: batch.contentType, headers: batch.headers },
    );
    assert.deepEqual(
      [answer.status, answer.body.ingested, answer.body.failed],
      [200, batch.events, 0],
      answer.text,
    );
  }
  return broken;
}

/** Returns rows as sorted strings, for comparison in any order. */
const sorted = (rows: readonly Row[]): string[] =>
  rows
    .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort();

describe('a file of another package', () => {
  for (const [index, [path, file]] of Object.entries(files).entries()) {
    const { read, count, types, time } = file;
    it(`is stored as other readers read it: ${path}`, async () => {
      const full = `node_modules/${path}`;
      const source = await diskSource(full);
      const { settings } = await previewFile(source, {}, undefined, signal);
      const dataset = await local.dataset(`file-${index}`);
      const started = Date.now();
      const broken = await store(source, settings, dataset);

      const reading = await read(full);
      assert.equal(reading.rows.length, count);
      assert.deepEqual(broken, reading.broken ?? []);
      assert.deepEqual(await local.fields(dataset), types);
      const isWritten = /\.[ct]sv$/.test(path);
      const expected = reading.rows.map((row) => ({ ...row, ...(time && { _time: time(row) }) }));
      const stored = (await local.rows(`['${dataset}'] | limit 10000`)).map(
        ({ _time, _sysTime, ...row }) => {
          const at = Date.parse(String(_time));
          if (!time) assert.ok(at >= started, `${_time} is not the time of arrival.`);
          const values = Object.entries(row).map(([name, value]) => [
            name,
            isWritten && name !== '_time' ? String(value) : value,
          ]);
          return { ...Object.fromEntries(values), ...(time && { _time: at }) };
        },
      );
      assert.deepEqual(sorted(stored), sorted(expected));
    });
  }
});
