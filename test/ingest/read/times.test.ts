// Times are parsed exactly: to the nanosecond, with Go layouts, and in zones with daylight saving
// time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseStrictRfc3339 } from '../../../formats/src/rfc3339.ts';
import { parseEpoch } from '../../../ingest/src/read/times/epoch.ts';
import { goLayout } from '../../../ingest/src/read/times/goLayout.ts';
import { formatInstant } from '../../../ingest/src/read/times/instant.ts';
import { timeReader } from '../../../ingest/src/read/times/reader.ts';
import { fromLocal, isZone } from '../../../ingest/src/read/times/zone.ts';
import { random } from '../reading.ts';

const text = (instant: Parameters<typeof formatInstant>[0] | undefined): string | undefined =>
  instant && formatInstant(instant);

describe('RFC 3339', () => {
  const cases: Readonly<Record<string, string | undefined>> = {
    '2024-02-29T23:59:59.123456789Z': '2024-02-29T23:59:59.123456789Z',
    '2024-02-29T23:59:59.9999999999Z': '2024-02-29T23:59:59.999999999Z',
    '1969-12-31T23:59:59.5-01:30': '1970-01-01T01:29:59.500000000Z',
    '1678-01-01T00:00:00+23:59': '1677-12-31T00:01:00.000000000Z',
    '2023-02-29T00:00:00Z': undefined,
    '2024-01-01T24:00:00Z': undefined,
    '2024-01-01T00:00:60Z': undefined,
    '2024-01-01T00:00:00': undefined,
    '2024-01-01 00:00:00Z': undefined,
    '2024-01-01T00:00:00.Z': undefined,
    '2024-01-01T00:00:00+24:00': undefined,
  };
  for (const [written, expected] of Object.entries(cases)) {
    it(written, () => assert.equal(text(parseStrictRfc3339(written)), expected));
  }

  it('agrees with Date on 10,000 times', () => {
    const next = random(1);
    for (let count = 0; count < 10_000; count += 1) {
      const ms = (next(2 ** 31) - 2 ** 30) * 8_000 + next(1_000);
      const written = new Date(ms).toISOString();
      assert.equal(text(parseStrictRfc3339(written)), written.replace('Z', '000000Z'));
    }
  });
});

describe('epoch times', () => {
  const cases: readonly (readonly [string, 's' | 'ms' | 'us' | 'ns', string | undefined])[] = [
    ['0', 's', '1970-01-01T00:00:00.000000000Z'],
    ['-1', 'ns', '1969-12-31T23:59:59.999999999Z'],
    ['-0.5', 's', '1969-12-31T23:59:59.500000000Z'],
    ['1709288430.123456789', 's', '2024-03-01T10:20:30.123456789Z'],
    ['1709288430.1234567891', 's', '2024-03-01T10:20:30.123456789Z'],
    ['-0.0000000001', 's', '1969-12-31T23:59:59.999999999Z'],
    ['1709288430123.5', 'ms', '2024-03-01T10:20:30.123500000Z'],
    ['1.709288430123e9', 's', '2024-03-01T10:20:30.123000000Z'],
    ['1709288430123456789', 'ns', '2024-03-01T10:20:30.123456789Z'],
    ['9223372036854775807', 'ns', '2262-04-11T23:47:16.854775807Z'],
    ['9223372036854775808', 'ns', undefined],
    ['9223372037', 's', undefined],
    ['1e300', 's', undefined],
    ['1e-300', 's', '1970-01-01T00:00:00.000000000Z'],
    ['', 's', undefined],
    ['x', 's', undefined],
    ['0x10', 's', undefined],
  ];
  for (const [written, unit, expected] of cases) {
    it(`are parsed or rejected: ${written} ${unit}`, () =>
      assert.equal(text(parseEpoch(written, unit)), expected));
  }
});

describe('Go layouts', () => {
  // The results of Go's time.Parse, in UTC. Unlike in Go, an unknown abbreviation is rejected
  // instead of treated as UTC.
  const cases: readonly (readonly [
    layout: string,
    written: string,
    expected: string | undefined,
  ])[] = [
    ['2006-01-02 15:04:05', '2024-03-01 10:20:30', '2024-03-01T10:20:30.000000000Z'],
    ['2006-01-02 15:04:05', '2024-03-01 10:20:30.25', '2024-03-01T10:20:30.250000000Z'],
    ['2006-01-02 15:04:05.000', '2024-03-01 10:20:30.250', '2024-03-01T10:20:30.250000000Z'],
    ['2006-01-02 15:04:05,999', '2024-03-01 10:20:30,5', '2024-03-01T10:20:30.500000000Z'],
    ['2006-01-02', '2024-3-1', undefined],
    ['2006-1-2', '2024-03-01', '2024-03-01T00:00:00.000000000Z'],
    ['Jan _2 2006', 'Mar  1 2024', '2024-03-01T00:00:00.000000000Z'],
    ['Jan _2 2006', 'MAR 11 2024', '2024-03-11T00:00:00.000000000Z'],
    ['January 2, 2006', 'may 1, 2024', '2024-05-01T00:00:00.000000000Z'],
    ['Mon Jan 2 2006', 'Fri Mar 1 2024', '2024-03-01T00:00:00.000000000Z'],
    ['Monday, 02-Jan-06', 'Friday, 01-Mar-24', '2024-03-01T00:00:00.000000000Z'],
    ['02-Jan-06', '01-Mar-69', '1969-03-01T00:00:00.000000000Z'],
    ['02-Jan-06', '01-Mar-68', '2068-03-01T00:00:00.000000000Z'],
    ['2006-002', '2024-366', '2024-12-31T00:00:00.000000000Z'],
    ['2006-002', '2024-000', undefined],
    ['2006-002', '2023-366', undefined],
    ['3:04PM 2006', '12:30AM 2024', '2024-01-01T00:30:00.000000000Z'],
    ['3:04pm 2006', '12:30pm 2024', '2024-01-01T12:30:00.000000000Z'],
    ['3:04PM 2006', '13:30PM 2024', undefined],
    ['2006-01-02T15:04:05Z07:00', '2024-03-01T10:20:30Z', '2024-03-01T10:20:30.000000000Z'],
    ['2006-01-02T15:04:05Z07:00', '2024-03-01T10:20:30-01:30', '2024-03-01T11:50:30.000000000Z'],
    ['2006-01-02T15:04:05-0700', '2024-03-01T10:20:30Z', undefined],
    ['2006-01-02 15:04 MST', '2024-03-01 10:20 PST', '2024-03-01T18:20:00.000000000Z'],
    ['2006-01-02 15:04 MST', '2024-03-01 10:20 XYZ', undefined],
    ['2006-01-02 15:04 -0700 MST', '2024-03-01 10:20 +0530 IST', '2024-03-01T04:50:00.000000000Z'],
    ['2006-01-02', '2024-03-01 ', undefined],
    ['2006-01-02', '2024-00-01', undefined],
    ['2006-01-02', '2024-04-31', undefined],
    ['15:04', '24:00', undefined],
    ['Month 2006', 'Month 2024', '2024-01-01T00:00:00.000000000Z'],
  ];
  for (const [layout, written, expected] of cases) {
    it(`parse or reject ${written} as ${layout}`, () => {
      const read = timeReader({ format: { kind: 'layout', layout }, zone: 'UTC' });
      assert.equal(text(read(written)), expected);
    });
  }

  it('report whether they have a zone and a year', () => {
    assert.deepEqual(
      ['2006-01-02', '2006 -0700', 'Jan 2 15:04 MST'].map((layout) => {
        const { hasZone, hasYear } = goLayout(layout);
        return [hasZone, hasYear];
      }),
      [
        [false, true],
        [true, true],
        [true, false],
      ],
    );
  });
});

describe('time zones', () => {
  const layout = { kind: 'layout', layout: '2006-01-02 15:04:05' } as const;
  // An ambiguous time means its first occurrence. A skipped time is read with the offset before the
  // change.
  const cases: readonly (readonly [zone: string, written: string, expected: string])[] = [
    ['UTC', '2024-07-01 12:00:00', '2024-07-01T12:00:00.000000000Z'],
    ['Europe/Berlin', '2024-01-01 12:00:00', '2024-01-01T11:00:00.000000000Z'],
    ['Europe/Berlin', '2024-07-01 12:00:00', '2024-07-01T10:00:00.000000000Z'],
    ['Europe/Berlin', '2024-03-31 01:59:59', '2024-03-31T00:59:59.000000000Z'],
    ['Europe/Berlin', '2024-03-31 02:30:00', '2024-03-31T01:30:00.000000000Z'],
    ['Europe/Berlin', '2024-03-31 03:00:00', '2024-03-31T01:00:00.000000000Z'],
    ['Europe/Berlin', '2024-10-27 02:30:00', '2024-10-27T00:30:00.000000000Z'],
    ['Europe/Berlin', '2024-10-27 03:00:00', '2024-10-27T02:00:00.000000000Z'],
    ['America/New_York', '2024-11-03 01:30:00', '2024-11-03T05:30:00.000000000Z'],
    ['America/New_York', '2024-03-10 02:30:00', '2024-03-10T07:30:00.000000000Z'],
    ['Asia/Kolkata', '2024-07-01 12:00:00', '2024-07-01T06:30:00.000000000Z'],
    ['Australia/Lord_Howe', '2024-04-07 01:45:00', '2024-04-06T14:45:00.000000000Z'],
    ['Pacific/Apia', '2011-12-30 12:00:00', '2011-12-30T22:00:00.000000000Z'],
    ['America/Sao_Paulo', '2018-11-04 00:30:00', '2018-11-04T03:30:00.000000000Z'],
  ];
  for (const [zone, written, expected] of cases) {
    it(`convert ${written} in ${zone} to UTC`, () => {
      assert.equal(text(timeReader({ format: layout, zone })(written)), expected);
    });
  }

  it('convert back to the local time that Intl shows, for 5,000 times', () => {
    const next = random(2);
    const zones = [
      'Europe/London',
      'America/Los_Angeles',
      'Asia/Tehran',
      'Africa/Casablanca',
      'America/St_Johns',
      'Pacific/Chatham',
    ];
    for (let count = 0; count < 5_000; count += 1) {
      const zone = zones[next(zones.length)] as string;
      const seconds = next(2 ** 31);
      const shown = (at: number) => new Date(at * 1000).toLocaleString('sv-SE', { timeZone: zone });
      const local = Date.parse(`${shown(seconds).replace(' ', 'T')}Z`) / 1000;
      const read = fromLocal(zone, local);
      // The same local time, the first one if there are two.
      assert.equal(shown(read), shown(seconds));
      assert.ok(read <= seconds);
    }
  });

  it('that do not exist are rejected', () => {
    assert.throws(
      () => timeReader({ format: layout, zone: 'Mars/Base' }),
      /"Mars\/Base" is not a time zone/,
    );
  });

  it('are recognized by name', () => {
    assert.deepEqual(['UTC', 'Europe/Berlin', 'Mars/Base', ''].map(isZone), [
      true,
      true,
      false,
      false,
    ]);
  });
});
