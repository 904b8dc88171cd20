// Finds time formats, as many programs write them, from samples.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findTimeFields } from '../../../ingest/src/preview/timeFields.ts';
import { findFormats } from '../../../ingest/src/preview/timeFormats.ts';
import { formatInstant } from '../../../ingest/src/read/times/instant.ts';
import { timeReader } from '../../../ingest/src/read/times/reader.ts';
import type { TimeFormat } from '../../../ingest/src/settings.ts';

/** Returns a short name for a format: its layout, `rfc3339`, or the unit of an epoch. */
function textOf(format: TimeFormat): string {
  return format.kind === 'layout'
    ? format.layout
    : format.kind === 'epoch'
      ? format.unit
      : 'rfc3339';
}

// Samples, the expected formats, and the last sample's time in the first format (UTC if no zone is
// given).
const cases: readonly (readonly [
  samples: readonly string[],
  formats: readonly string[],
  time: string,
])[] = [
  [
    ['2024-03-01T10:20:30Z', '2024-03-01T10:20:30.123456789+02:00'],
    ['rfc3339'],
    '2024-03-01T08:20:30.123456789Z',
  ],
  [['2024-03-01'], ['2006-01-02'], '2024-03-01T00:00:00.000000000Z'],
  [['2024-3-1', '2024-12-31'], ['2006-1-2'], '2024-12-31T00:00:00.000000000Z'],
  [['2024/03/01 10:20:30'], ['2006/01/02 15:04:05'], '2024-03-01T10:20:30.000000000Z'],
  [['2024-03-01 10:20:30,123'], ['2006-01-02 15:04:05,000'], '2024-03-01T10:20:30.123000000Z'],
  [
    ['2024-03-01 10:20:30.1', '2024-03-01 10:20:30.123456'],
    ['2006-01-02 15:04:05.999999999'],
    '2024-03-01T10:20:30.123456000Z',
  ],
  [['2024-03-01T10:20'], ['2006-01-02T15:04'], '2024-03-01T10:20:00.000000000Z'],
  [['2024-03-01 10:20:30+0200'], ['2006-01-02 15:04:05-0700'], '2024-03-01T08:20:30.000000000Z'],
  [['2024-03-01 10:20:30 -05'], ['2006-01-02 15:04:05 -07'], '2024-03-01T15:20:30.000000000Z'],
  [['2024-03-01 10:20:30 UTC'], ['2006-01-02 15:04:05 MST'], '2024-03-01T10:20:30.000000000Z'],
  [
    ['2024-03-01 10:20:30.5 +0000 UTC'],
    ['2006-01-02 15:04:05.0 -0700 MST'],
    '2024-03-01T10:20:30.500000000Z',
  ],
  [['20240301T102030Z'], ['20060102T150405Z07:00'], '2024-03-01T10:20:30.000000000Z'],
  [['20240301102030'], ['20060102150405'], '2024-03-01T10:20:30.000000000Z'],
  [['20240301'], ['20060102'], '2024-03-01T00:00:00.000000000Z'],
  [['2024-061'], ['2006-002'], '2024-03-01T00:00:00.000000000Z'],
  [
    ['01/Mar/2024:10:20:30 +0100'],
    ['02/Jan/2006:15:04:05 -0700'],
    '2024-03-01T09:20:30.000000000Z',
  ],
  [
    ['Fri Mar  1 10:20:30 2024', 'Fri Mar 15 10:20:30 2024'],
    ['Mon Jan _2 15:04:05 2006'],
    '2024-03-15T10:20:30.000000000Z',
  ],
  [
    ['Fri Mar 01 10:20:30 +0000 2024'],
    ['Mon Jan 02 15:04:05 -0700 2006'],
    '2024-03-01T10:20:30.000000000Z',
  ],
  [
    ['Fri, 01 Mar 2024 10:20:30 GMT'],
    ['Mon, 02 Jan 2006 15:04:05 MST'],
    '2024-03-01T10:20:30.000000000Z',
  ],
  [
    ['Friday, 01-Mar-24 10:20:30 UTC'],
    ['Monday, 02-Jan-06 15:04:05 MST', 'Monday, 06-Jan-02 15:04:05 MST'],
    '2024-03-01T10:20:30.000000000Z',
  ],
  [['Fri Mar 1 2024 10:20:30 GMT+0100'], [], ''],
  [['Mar 1, 2024', 'Dec 31, 2024'], ['Jan 2, 2006'], '2024-12-31T00:00:00.000000000Z'],
  [['March 1, 2024 10:20 PM'], ['January 2, 2006 03:04 PM'], '2024-03-01T22:20:00.000000000Z'],
  [['1 March 2024'], ['2 January 2006'], '2024-03-01T00:00:00.000000000Z'],
  [['01-Mar-2024'], ['02-Jan-2006'], '2024-03-01T00:00:00.000000000Z'],
  [['Jan 1 2000', 'Feb 1 2000'], ['Jan 2 2006'], '2000-02-01T00:00:00.000000000Z'],
  [['Mar 2024'], ['Jan 2006'], '2024-03-01T00:00:00.000000000Z'],
  [['2024-03'], ['2006-01'], '2024-03-01T00:00:00.000000000Z'],
  [['2024'], ['2006'], '2024-01-01T00:00:00.000000000Z'],
  [['3/1/2024', '12/31/2024'], ['1/2/2006'], '2024-12-31T00:00:00.000000000Z'],
  [['1/3/2024', '31/12/2024'], ['2/1/2006'], '2024-12-31T00:00:00.000000000Z'],
  [['3/4/2024', '5/6/2024'], ['1/2/2006', '2/1/2006'], '2024-05-06T00:00:00.000000000Z'],
  [
    ['03/04/2024 01:02:03 PM'],
    ['01/02/2006 03:04:05 PM', '02/01/2006 03:04:05 PM'],
    '2024-03-04T13:02:03.000000000Z',
  ],
  [['3.4.2024'], ['2.1.2006', '1.2.2006'], '2024-04-03T00:00:00.000000000Z'],
  [['31.12.2024 23:59'], ['2.1.2006 15:04'], '2024-12-31T23:59:00.000000000Z'],
  [['12/31/24'], ['1/2/06'], '2024-12-31T00:00:00.000000000Z'],
  [['1709288430'], ['s'], '2024-03-01T10:20:30.000000000Z'],
  [['1709288430.123456'], ['s'], '2024-03-01T10:20:30.123456000Z'],
  [['1709288430123'], ['ms'], '2024-03-01T10:20:30.123000000Z'],
  [['1709288430123456'], ['us'], '2024-03-01T10:20:30.123456000Z'],
  [['1709288430123456789'], ['ns'], '2024-03-01T10:20:30.123456789Z'],
  [['1.709288430e9'], ['s'], '2024-03-01T10:20:30.000000000Z'],
  // These are not times.
  [['10:20:30'], [], ''],
  [['Mar  1 10:20:30'], [], ''],
  [['12345'], [], ''],
  [['hello', 'world'], [], ''],
  [['2024-13-01'], [], ''],
  [['2024-02-30'], [], ''],
  [['192.168.1.1'], [], ''],
  [['May the 4th 2024'], [], ''],
  [['0', '1', '2'], [], ''],
];

describe('time formats', () => {
  for (const [samples, formats, time] of cases) {
    it(samples.join(' and '), () => {
      const found = findFormats(samples, { timeName: true });
      assert.deepEqual(
        found.map(({ format }) => textOf(format)),
        formats,
      );
      const [first] = found;
      if (first === undefined) return;
      const read = timeReader({ format: first.format, zone: 'UTC' })(samples.at(-1) as string);
      assert.equal(read && formatInstant(read), time);
    });
  }

  it("must be unambiguous if the field's name does not suggest a time", () => {
    for (const sample of ['1709288430', '20240301', '2024', '1.2.03', '01/2024']) {
      assert.deepEqual(findFormats([sample], { timeName: false }), [], sample);
    }
    assert.equal(findFormats(['2024-03-01'], { timeName: false }).length, 1);
  });

  it('are found even if a few values are not times', () => {
    const samples = Array.from(
      { length: 40 },
      (_, index) =>
        `2024-01-${String((index % 28) + 1).padStart(2, '0')} 10:${String(index + 10)}:00`,
    );
    assert.equal(
      textOf(findFormats([...samples, 'unknown'], { timeName: true })[0]?.format as TimeFormat),
      '2006-01-02 15:04:05',
    );
  });
});

describe('the time field', () => {
  const rfc = ['2024-03-01T10:20:30Z'];
  const names: readonly (readonly [
    fields: Readonly<Record<string, readonly string[]>>,
    chosen: string | undefined,
  ])[] = [
    [{ name: ['x'], _time: rfc, timestamp: rfc }, '_time'],
    [{ created_at: rfc, '@timestamp': rfc }, '@timestamp'],
    [{ updated: rfc, ts: ['1709288430'] }, 'ts'],
    [{ id: ['1709288430'], when: ['2024-03-01'] }, 'when'],
    [{ birthday: ['1980-05-05'], event: { length: 0 } as never, eventTime: rfc }, 'eventTime'],
    [{ day: ['2024-03-01'], note: ['x'] }, 'day'],
    [{ a: ['2024-03-01 10:20:30'] }, 'a'],
    [{ 'request.start_time': ['1709288430123'], duration: ['12'] }, 'request.start_time'],
    [{ time: ['0.5', '3'], date: ['2024-03-01'] }, 'date'],
    [{ order: ['1709288430'] }, undefined],
    [{ year: ['2023', '2024'], month: ['1', '2'] }, 'year'],
    [{ model_year: ['2023'], sold: ['2024-03-01'] }, 'sold'],
    [{ timestamp: ['yesterday'], logged: rfc }, 'logged'],
  ];
  for (const [fields, chosen] of names) {
    it(`is found among ${Object.keys(fields).join(', ')}`, () => {
      const samples = Object.entries(fields).map(([name, texts]) => ({
        name,
        values: Array.from(texts),
        events: 2,
      }));
      assert.equal(findTimeFields(samples)[0]?.settings.field, chosen);
    });
  }

  it('has a sample, hasZone, and candidates for both orders of day and month', () => {
    const found = findTimeFields([{ name: 'date', values: ['3/4/2024'], events: 1 }]);
    assert.deepEqual(
      found.map(({ settings, sample, hasZone }) => [textOf(settings.format), sample, hasZone]),
      [
        ['1/2/2006', '3/4/2024', false],
        ['2/1/2006', '3/4/2024', false],
      ],
    );
  });
});
