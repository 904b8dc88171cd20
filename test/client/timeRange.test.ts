// Time ranges as people type them, as they are shown, and as they are sent.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isQueryTime } from '../../api/src/index.ts';
import {
  parseTimeRange,
  rangeLabel,
  rangeParameters,
  rangeText,
  type TimeRange,
  timeRangePresets,
} from '../../client/src/timeRange.ts';

function range(text: string): TimeRange {
  const parsed = parseTimeRange(text);
  assert.equal(typeof parsed, 'object', `${text}: ${parsed}`);
  return parsed as TimeRange;
}

describe('a typed time range', () => {
  const understood: readonly (readonly [string, string, string, string])[] = [
    ['45m', 'last 45 minutes', 'now-45m', 'now'],
    [' 1h ', 'last 1 hour', 'now-1h', 'now'],
    ['last 2 Days', 'last 2 days', 'now-2d', 'now'],
    ['last hour', 'last 1 hour', 'now-1h', 'now'],
    ['week', 'last 1 week', 'now-1w', 'now'],
    ['now-30s', 'last 30 seconds', 'now-30s', 'now'],
    ['90 min', 'last 90 minutes', 'now-90m', 'now'],
    [
      '2026-01-31 to 2026-02-01',
      '2026-01-31 to 2026-02-01',
      '2026-01-31T00:00:00Z',
      '2026-02-01T00:00:00Z',
    ],
    [
      '2026-01-31 08:00 to 2026-01-31 09:30',
      '2026-01-31 08:00 to 2026-01-31 09:30',
      '2026-01-31T08:00:00Z',
      '2026-01-31T09:30:00Z',
    ],
    [
      '2026-01-31T08:00:00.123456789Z .. now',
      'since 2026-01-31 08:00:00.123456789',
      '2026-01-31T08:00:00.123456789Z',
      'now',
    ],
    [
      '2026-01-31T08:00+0200..2026-01-31T09:00:05+02:00',
      '2026-01-31 08:00:00+02:00 to 2026-01-31 09:00:05+02:00',
      '2026-01-31T08:00:00+02:00',
      '2026-01-31T09:00:05+02:00',
    ],
  ];
  for (const [text, label, start, end] of understood) {
    it(`"${text}" is ${label}`, () => {
      const parsed = range(text);
      assert.equal(rangeLabel(parsed), label);
      assert.deepEqual(rangeParameters(parsed), { startTime: start, endTime: end });
      assert.ok(isQueryTime(start) && isQueryTime(end));
    });
  }

  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /Write a length/],
    ['yesterday', /no unit of time/],
    ['constructor', /no unit of time/],
    ['5 parsecs', /no unit of time/],
    ['0h', /from 1 to/],
    ['9999999999h', /Write a length|from 1 to/],
    ['h', /Write a length/],
    ['-5m', /Write a length/],
    ['2026-02-30 to 2026-03-01', /"2026-02-30" is no time/],
    ['2026-01-31 to 2026-01-31', /must end after it starts/],
    ['2026-02-01 to 2026-01-31', /must end after it starts/],
    ['2026-01-31 to soon', /"soon" is no time/],
    ['2026-01-31', /Write a length/],
    ['a to b to c', /Write a length/],
    [`${'9'.repeat(100_000)}h`, /Write a length/],
  ];
  for (const [text, message] of refused) {
    it(`"${text.slice(0, 40)}" is refused with what to write instead`, () => {
      const answer = parseTimeRange(text);
      assert.match(String(answer), message);
    });
  }

  it('can be written again as it is kept', () => {
    const texts = understood.map(([text]) => text);
    for (const one of [...timeRangePresets, ...texts.map(range)]) {
      assert.deepEqual(range(rangeText(one)), one);
    }
  });
});
