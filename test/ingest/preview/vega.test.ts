// Tests every CSV and JSON file of the third-party package vega-datasets. Files with dates are
// stored with these as event times. The expected values were determined by inspecting the files.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Batch } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import { checkFile } from '../../../ingest/src/read/checkFile.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { diskSource } from '../../../ingest/src/read/sources.ts';
import { valueAt } from '../../../ingest/src/read/valueAt.ts';
import type { TimeFormat } from '../../../ingest/src/settings.ts';
import { linesOf } from '../reading.ts';

const folder = 'node_modules/vega-datasets/data';
const { signal } = new AbortController();

const layout = (text: string): TimeFormat => ({ kind: 'layout', layout: text });
const day = layout('2006-01-02');
const year = layout('2006');
const minute = layout('2006/01/02 15:04');

type Dated = readonly [
  events: number,
  field: string,
  format: TimeFormat,
  first: string,
  last: string,
];

/** Expected results by file name, with the first and last time in UTC to the second. */
const dated: Readonly<Record<string, Dated>> = {
  'barley.json': [120, 'year', year, '1931-01-01T00:00:00', '1932-01-01T00:00:00'],
  'birdstrikes.csv': [10_000, 'Flight Date', day, '1990-01-08T00:00:00', '2002-07-25T00:00:00'],
  'budgets.json': [230, 'budgetYear', year, '1980-01-01T00:00:00', '2010-01-01T00:00:00'],
  'cars.json': [406, 'Year', day, '1970-01-01T00:00:00', '1982-01-01T00:00:00'],
  'co2-concentration.csv': [741, 'Date', day, '1958-03-01T00:00:00', '2020-04-01T00:00:00'],
  'countries.json': [620, 'year', year, '1955-01-01T00:00:00', '2000-01-01T00:00:00'],
  'crimea.json': [24, 'date', day, '1854-04-01T00:00:00', '1856-03-01T00:00:00'],
  'disasters.csv': [803, 'Year', year, '1900-01-01T00:00:00', '2017-01-01T00:00:00'],
  'driving.json': [55, 'year', year, '1956-01-01T00:00:00', '2010-01-01T00:00:00'],
  // A GeoJSON document is one event, with its creation time.
  'earthquakes.json': [
    1,
    'metadata.generated',
    { kind: 'epoch', unit: 'ms' },
    '2018-02-07T01:49:14',
    '2018-02-07T01:49:14',
  ],
  'flights-10k.json': [10_000, 'date', minute, '2001-01-01T00:47:00', '2001-03-31T22:27:00'],
  'flights-20k.json': [20_000, 'date', minute, '2001-01-01T00:47:00', '2001-03-31T22:27:00'],
  'flights-2k.json': [2_000, 'date', minute, '2001-01-01T06:55:00', '2001-03-31T21:42:00'],
  'flights-5k.json': [5_000, 'date', minute, '2001-01-01T01:10:00', '2001-03-31T21:42:00'],
  'football.json': [6_508, 'date', day, '2013-07-20T00:00:00', '2017-05-28T00:00:00'],
  'gapminder.json': [682, 'year', year, '1955-01-01T00:00:00', '2005-01-01T00:00:00'],
  'github.csv': [
    955,
    'time',
    layout('2006/01/02 15:04:05'),
    '2015-01-01T01:00:00',
    '2015-05-30T11:00:00',
  ],
  'global-temp.csv': [144, 'year', year, '1880-01-01T00:00:00', '2023-01-01T00:00:00'],
  'iowa-electricity.csv': [51, 'year', day, '2001-01-01T00:00:00', '2017-01-01T00:00:00'],
  'jobs.json': [7_650, 'year', year, '1850-01-01T00:00:00', '2000-01-01T00:00:00'],
  'la-riots.csv': [63, 'death_date', day, '1992-04-29T00:00:00', '1993-11-24T00:00:00'],
  // The file really has release dates up to 2046.
  'movies.json': [
    3_201,
    'Release Date',
    layout('Jan 02 2006'),
    '1928-12-31T00:00:00',
    '2046-12-31T00:00:00',
  ],
  'ohlc.json': [44, 'date', day, '2009-06-01T00:00:00', '2009-07-31T00:00:00'],
  'political-contributions.json': [
    58,
    'Coverage_End_Date',
    layout('01/02/2006'),
    '2015-01-01T00:00:00',
    '2015-12-31T00:00:00',
  ],
  'population.json': [570, 'year', year, '1850-01-01T00:00:00', '2000-01-01T00:00:00'],
  'seattle-weather-hourly-normals.csv': [
    8_759,
    'date',
    layout('2006-01-02T15:04:05'),
    '2010-01-01T01:00:00',
    '2010-12-31T23:00:00',
  ],
  'seattle-weather.csv': [1_461, 'date', day, '2012-01-01T00:00:00', '2015-12-31T00:00:00'],
  'sp500-2000.csv': [5_105, 'date', day, '2000-01-03T00:00:00', '2020-04-17T00:00:00'],
  'sp500.csv': [123, 'date', layout('Jan 2 2006'), '2000-01-01T00:00:00', '2010-03-01T00:00:00'],
  'stocks.csv': [560, 'date', layout('Jan 2 2006'), '2000-01-01T00:00:00', '2010-03-01T00:00:00'],
  'unemployment-across-industries.json': [
    1_708,
    'date',
    { kind: 'rfc3339' },
    '2000-01-01T08:00:00',
    '2010-02-01T08:00:00',
  ],
  'us-employment.csv': [120, 'month', day, '2006-01-01T00:00:00', '2015-12-01T00:00:00'],
  'weather.csv': [2_922, 'date', day, '2012-01-01T00:00:00', '2015-12-31T00:00:00'],
};

/** Event counts of files without dates, or with years too early to be stored. */
const undated: Readonly<Record<string, number>> = {
  'airports.csv': 3_376,
  'annual-precip.json': 1,
  'anscombe.json': 44,
  // Years are column names here.
  'budget.json': 237,
  'burtin.json': 16,
  'flare-dependencies.json': 764,
  'flare.json': 252,
  // `time` is the hour of the day.
  'flights-200k.json': 200_000,
  'flights-airport.csv': 5_366,
  'gapminder-health-income.csv': 187,
  'income.json': 520,
  'londonBoroughs.json': 1,
  'londonCentroids.json': 33,
  'londonTubeLines.json': 1,
  'lookup_groups.csv': 9,
  'lookup_people.csv': 9,
  'miserables.json': 1,
  // Reigns since 1565.
  'monarchs.json': 12,
  'normal-2d.json': 500,
  'obesity.json': 50,
  'penguins.json': 344,
  'platformer-terrain.json': 7_514,
  'population_engineers_hurricanes.csv': 52,
  'species.csv': 12_360,
  'udistrict.json': 182,
  'unemployment.tsv': 3_218,
  'uniform-2d.json': 500,
  'us-10m.json': 1,
  'us-state-capitals.json': 50,
  'volcano.json': 1,
  'weekly-weather.json': 10,
  // Years since 1565.
  'wheat.json': 52,
  'windvectors.csv': 4_800,
  'world-110m.json': 1,
  'zipcodes.csv': 42_049,
};

describe('vega-datasets', () => {
  it('has no CSV or JSON files without an expectation here', () => {
    const files = readdirSync(folder).filter((name) => /\.(?:csv|tsv|json)$/.test(name));
    assert.deepEqual([...Object.keys(dated), ...Object.keys(undated)].sort(), files.sort());
  });

  for (const [name, [events, field, format, first, last]] of Object.entries(dated)) {
    it(`${name} is stored with the expected event times`, async () => {
      const source = await diskSource(join(folder, name));
      const {
        settings,
        time,
        events: shown,
        broken,
      } = await previewFile(source, {}, undefined, signal);
      assert.deepEqual(settings.time, { field, format, zone: 'UTC' });
      assert.equal(time.withoutTime, 0);
      assert.deepEqual(broken, []);
      assert.equal(shown.length, Math.min(events, 100));

      const check = await checkFile(source, settings, signal);
      assert.deepEqual(
        [
          check.events,
          check.brokenCount,
          check.withoutTime,
          check.firstTime?.slice(0, 19),
          check.lastTime?.slice(0, 19),
        ],
        [events, 0, 0, first, last],
      );
      for await (const batch of batchReader(source, settings).batches()) {
        for (const line of linesOf(batch)) {
          const event = JSON.parse(line) as Record<string, unknown>;
          const stored = Date.parse(sentTime(batch, event));
          assert.equal(stored, plainTime(valueAt(event, field)), line.slice(0, 200));
        }
      }
    });
  }

  for (const [name, events] of Object.entries(undated)) {
    it(`${name} has no field that can be the event time`, async () => {
      const source = await diskSource(join(folder, name));
      const { settings, notices, broken } = await previewFile(source, {}, undefined, signal);
      assert.equal(settings.time, undefined);
      assert.ok(notices.some(({ code }) => code === 'no-time'));
      assert.deepEqual(broken, []);
      assert.equal((await checkFile(source, settings, signal)).events, events);
    });
  }
});

/** Returns the time that the service uses for an event. */
function sentTime({ query }: Batch, event: Readonly<Record<string, unknown>>): string {
  return String(event[query['timestamp-field'] ?? '_time']);
}

/** Parses a time with JavaScript's own parser, in UTC. */
function plainTime(value: unknown): number {
  const text = String(value);
  if (/^\d{13}$/.test(text)) return Number(text);
  return Date.parse(
    /Z$/.test(text) ? text : /^\d{4}-\d\d-\d\dT/.test(text) ? `${text}Z` : `${text} UTC`,
  );
}
