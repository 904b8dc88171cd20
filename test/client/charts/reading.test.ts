/** Numbers, times, offsets and marks as charts show and find them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { earlierRange } from '../../../client/src/charts/host/earlierAnswers.ts';
import { isAfter, queryKey } from '../../../client/src/charts/host/marksSource.ts';
import { earlierLabel } from '../../../client/src/charts/marks.ts';
import { offsetMinutes } from '../../../client/src/charts/offset.ts';
import { columnNumbers } from '../../../client/src/charts/view/columnNumbers.ts';
import {
  exactNumber,
  shortNumber,
  spanText,
  timeText,
} from '../../../client/src/charts/view/format.ts';
import { nearestIndex } from '../../../client/src/charts/view/kinds/nearestIndex.ts';
import { isolated } from '../../../client/src/charts/view/options/isolated.ts';
import { places } from '../../../client/src/charts/view/options/places.ts';
import { figureNumber, roundedNumber, shareText } from '../../../table/src/numberText.ts';

const valueName = (value: number | string, unit: string | undefined) =>
  unit === undefined ? String(value) : `${value} (${unit})`;

describe('the numbers of a chart', () => {
  const short: readonly (readonly [number, string | undefined, string])[] = [
    [0, undefined, '0'],
    [9_999, undefined, '9,999'],
    [1_234_567, undefined, '1.235M'],
    [-1_234_567, undefined, '-1.235M'],
    [1e21, undefined, '1.00e21'],
    [1e-7, undefined, '1.00e-7'],
    [1_204.5, 'ms', '1.205 s'],
    [2_048, 'bytes', '2 KiB'],
    [Number.NaN, undefined, ''],
    [Number.POSITIVE_INFINITY, 'ms', ''],
  ];
  for (const [value, unit, wanted] of short) {
    it(`on an axis show ${valueName(value, unit)} as "${wanted}"`, () =>
      assert.equal(shortNumber(value, unit), wanted));
  }

  const exact: readonly (readonly [string, string | undefined, string])[] = [
    ['9223372036854775807', undefined, '9,223,372,036,854,775,807'],
    ['-9007199254740993', undefined, '-9,007,199,254,740,993'],
    ['12.5', undefined, '12.5'],
    ['1e300', undefined, '1e300'],
    ['12.5', 'furlong', '12.5 furlong'],
    ['3023.2459999999996', undefined, '3,023.246'],
    ['1204.5', 'ms', '1.205 s'],
  ];
  for (const [text, unit, wanted] of exact) {
    it(`in a tooltip show ${valueName(text, unit)} as "${wanted}"`, () =>
      assert.equal(exactNumber(text, unit), wanted));
  }
});

describe('the numbers of a legend column', () => {
  const texts = (values: readonly (string | undefined)[], unit?: string) =>
    columnNumbers(values.map((text) => ({ text, unit }))).map(({ text }) => text);

  for (const [values, unit, wanted] of [
    [['1204000.5', '800000', '1200000.25'], undefined, ['1,204,001', '800,000', '1,200,000']],
    [['261.75', '5', '12.123'], undefined, ['261.75', '5.00', '12.12']],
    [
      ['9223372036854775807', '1.5', undefined],
      undefined,
      ['9,223,372,036,854,775,807.0', '1.5', ''],
    ],
    [['34.864000000000004', '3'], undefined, ['34.86', '3.00']],
    [['0.0123', '0.5'], undefined, ['0.0123', '0.5000']],
    [['0.000001', '5000.5'], undefined, ['0.000001', '5,000.5']],
    [['1204.5', '12345', '100'], 'ms', ['1.20 s', '12.35 s', '100 ms']],
    [['1.5e-9', 'text'], undefined, ['1.5e-9', 'text']],
  ] as const)
    it(`have the same number of decimals: ${values.map((value) => value ?? 'none').join(', ')}${unit ? ` (${unit})` : ''}`, () =>
      assert.deepEqual(texts(values, unit), wanted));

  it('keep their omitted digits for the hover', () => {
    assert.deepEqual(columnNumbers([{ text: '190.00019586898594' }, { text: '5' }]), [
      { text: '190', exact: '190.00019586898594' },
      { text: '5' },
    ]);
  });
});

describe('numbers of a chart or a table', () => {
  for (const [text, rounded, figure] of [
    ['3023.2459999999996', '3023.246', '3,023.246'],
    ['34.864000000000004', '34.864', '34.864'],
    ['9223372036854775807', '9223372036854775807', '9,223,372,036,854,775,807'],
    ['0.00012345678901234', '0.00012345678901234', '0.00012345678901234'],
    ['1200000.50', '1200000.50', '1,200,000.50'],
    ['-0.0', '-0.0', '-0.0'],
    ['1e300', '1e300', '1e300'],
  ] as const)
    it(`are rounded from ${text} to ${rounded} and shown as ${figure}`, () =>
      assert.deepEqual([roundedNumber(text), figureNumber(text)], [rounded, figure]));

  it('have one decimal if they are shown as percentages', () => {
    assert.deepEqual([0, 0.25, 0.008089, 0.0001, 0.9999, 1, -0.5, 12.345].map(shareText), [
      '0.0%',
      '25.0%',
      '0.8%',
      '<0.1%',
      '>99.9%',
      '100.0%',
      '-50.0%',
      '1,234.5%',
    ]);
  });
});

describe('the times of a chart', () => {
  const day = Date.UTC(2026, 0, 31);
  it('omit units smaller than the step between them', () => {
    assert.equal(timeText(day, 'utc', 86_400_000), '2026-01-31');
    assert.equal(timeText(day + 30_600_000, 'utc', 60_000), '2026-01-31 08:30');
    assert.equal(timeText(day + 1_234, 'utc'), '2026-01-31 00:00:01.234');
    assert.equal(timeText(Number.NaN, 'utc'), '');
  });
  it('state the day of a range once if it starts and ends on the same day', () => {
    assert.equal(spanText(day, day + 300_000, 'utc'), '2026-01-31 00:00 – 00:05');
    assert.equal(spanText(day - 300_000, day, 'utc'), '2026-01-30 23:55 – 2026-01-31 00:00');
  });
});

describe('the point of a chart that is found for a time', () => {
  const times = [10, 20, 40];
  it('is the nearest one if the chart has no bins', () => {
    assert.deepEqual(
      [-5, 14, 16, 29, 31, 99].map((time) => nearestIndex(times, time, 0)),
      [0, 0, 1, 1, 2, 2],
    );
  });
  it('is the bin that contains the time', () => {
    assert.deepEqual(
      [14, 19, 20, 39, 40].map((time) => nearestIndex(times, time, 10)),
      [0, 0, 1, 1, 2],
    );
  });
  it('is undefined in a chart without points', () =>
    assert.equal(nearestIndex([], 1, 0), undefined));
});

describe('the offset of an earlier range', () => {
  it('is labeled in its largest whole unit', () => {
    assert.deepEqual(
      [1, 60, 90, 1_440, 2_880, 10_080, 20_160].map((minutes) => earlierLabel({ minutes })),
      [
        '1 minute earlier',
        '1 hour earlier',
        '90 minutes earlier',
        '1 day earlier',
        '2 days earlier',
        '1 week earlier',
        '2 weeks earlier',
      ],
    );
  });
  it('is parsed from a positive number and a single unit', () => {
    assert.deepEqual(
      ['90m', ' 6 H', '3d', '4w', '0m', '-1h', '1y', '', '1h30m', '9999999h'].map(offsetMinutes),
      [90, 360, 4_320, 40_320, undefined, undefined, undefined, undefined, undefined, undefined],
    );
  });
  it('moves both ends of an absolute range back, and keeps nanoseconds', () => {
    const range = { startTime: '2026-03-01T00:30:00.123456789Z', endTime: '2026-03-01T01:00:00Z' };
    assert.deepEqual(earlierRange(range, { minutes: 60 }), {
      startTime: '2026-02-28T23:30:00.123456789Z',
      endTime: '2026-03-01T00:00:00Z',
    });
    assert.equal(earlierRange({ startTime: 'now-1h', endTime: 'now' }, { minutes: 1 }), undefined);
  });
});

describe('the key that finds the monitors of a query', () => {
  it('ignores line breaks and comment lines', () => {
    const written = "// errors\n['http-logs']\n| where status >= 500\r\n| summarize count()";
    assert.equal(queryKey(written), "['http-logs'] | where status >= 500 | summarize count()");
    assert.notEqual(queryKey(written), queryKey(`${written} by method`));
  });
});

describe('a chart', () => {
  it('shows a mark at a point between gaps, because no line connects it', () => {
    assert.deepEqual([...isolated([1, null, 2, 3, null, 4])], [0, 5]);
    assert.deepEqual([...isolated([null, 7, null])], [1]);
  });
  it('has a cell inside its area for each statistic', () => {
    for (const count of [1, 2, 3, 5, 12]) {
      const cells = places(count, 900, 300);
      assert.equal(cells.length, count);
      for (const { left, top, width, height } of cells) {
        assert.ok(left + width <= 900.01 && top + height <= 300.01);
        assert.ok(width > 0 && height > 0);
      }
    }
  });
});

describe('an annotation', () => {
  it('is included if it ends at or after the start of the range', () => {
    const start = '2026-01-02T00:00:00Z';
    const at = (day: number) => Date.UTC(2026, 0, day);
    assert.equal(isAfter({ time: at(1) }, start), false);
    assert.equal(isAfter({ time: at(1), endTime: at(2) }, start), true);
    assert.equal(isAfter({ time: at(2) }, start), true);
    assert.equal(isAfter({ time: at(1) }, undefined), true);
  });
});
