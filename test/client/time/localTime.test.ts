// Time ranges in the time zone of the machine: New York here, whose clocks change on 2026-03-08 and
// 2026-11-01.
process.env.TZ = 'America/New_York';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTimeRange } from '../../../client/src/time/parseTimeRange.ts';
import {
  boundNanoseconds,
  rangeDetail,
  rangeLabel,
  rangeParameters,
  rangeText,
  type TimeRange,
  timestamp,
} from '../../../client/src/time/timeRange.ts';
import { fromWall, offsetName, toWall, wallText } from '../../../client/src/time/timeZone.ts';

/** Wednesday 2026-02-04, 22:30:15 in New York, and the next day in UTC. */
const evening = Date.UTC(2026, 1, 5, 3, 30, 15);

function local(text: string, at = evening): TimeRange {
  const range = parseTimeRange(text, at, 'local');
  assert.equal(typeof range, 'object', `${text}: ${range}`);
  return range as TimeRange;
}

function bounds({ start, end }: TimeRange, at = evening): (string | undefined)[] {
  return [start, end].map((bound) => timestamp(boundNanoseconds(bound, at, 'local')));
}

const NOW = '2026-02-05T03:30:15Z';

describe('a time range in local time', () => {
  for (const [text, label, start, end] of [
    ['24h', 'last 24 hours', '2026-02-04T03:30:15Z', NOW],
    ['today', 'today', '2026-02-04T05:00:00Z', NOW],
    ['yesterday', 'yesterday', '2026-02-03T05:00:00Z', '2026-02-04T05:00:00Z'],
    ['this week', 'this week', '2026-02-02T05:00:00Z', NOW],
    ['last month', 'last month', '2026-01-01T05:00:00Z', '2026-02-01T05:00:00Z'],
    ['2026-01-31', '2026-01-31', '2026-01-31T05:00:00Z', '2026-02-01T05:00:00Z'],
    ['2026-03', '2026-03-01 to 2026-03-31', '2026-03-01T05:00:00Z', '2026-04-01T04:00:00Z'],
    ['2026-03-08', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    [
      '19:00 to 20:00',
      '2026-02-04 19:00 to 20:00 (local)',
      '2026-02-05T00:00:00Z',
      '2026-02-05T01:00:00Z',
    ],
    ['23:00', 'since 2026-02-03 23:00 (local)', '2026-02-04T04:00:00Z', NOW],
    [
      '2026-01-31 08:00 to 09:30 utc',
      '2026-01-31 03:00 to 04:30 (local)',
      '2026-01-31T08:00:00Z',
      '2026-01-31T09:30:00Z',
    ],
    [
      '2026-01-31 UTC',
      '2026-01-30 19:00 to 2026-01-31 19:00 (local)',
      '2026-01-31T00:00:00Z',
      '2026-02-01T00:00:00Z',
    ],
    ['1mo', 'last 1 month', '2026-01-05T03:30:15Z', NOW],
  ] as const)
    it(`typed as ${JSON.stringify(text)} is ${label}`, () => {
      const range = local(text);
      assert.equal(rangeLabel(range, 'local'), label);
      assert.deepEqual(bounds(range), [start, end]);
      // The text that is written to a file is parsed as the same range.
      assert.deepEqual(bounds(local(rangeText(range, 'local'))), [start, end]);
    });

  it('is sent in UTC', () => {
    assert.deepEqual(rangeParameters(local('yesterday'), evening, 'local'), {
      startTime: '2026-02-03T05:00:00Z',
      endTime: '2026-02-04T05:00:00Z',
    });
  });

  it('is shown with its offset from UTC', () => {
    const range = local('2026-01-31 08:00 to 09:30');
    const detail = (zone: 'utc' | 'local') => rangeDetail(range, evening, zone);
    assert.equal(detail('local'), '2026-01-31 08:00 to 09:30 UTC-05:00 (1 hour 30 minutes)');
    assert.equal(detail('utc'), '2026-01-31 13:00 to 14:30 UTC (1 hour 30 minutes)');
  });
});

describe('a local time', () => {
  it('is converted back to the same time throughout the year', () => {
    for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2027, 0, 1); time += 47 * 60_000 + 123) {
      // The repeated hour is read as the first of the two.
      if (time >= Date.UTC(2026, 10, 1, 6) && time < Date.UTC(2026, 10, 1, 7)) continue;
      assert.equal(fromWall(toWall(time, 'local'), 'local'), time);
    }
    assert.equal(fromWall(Date.UTC(99, 0, 1), 'utc'), Date.UTC(99, 0, 1));
  });

  it('keeps its nanoseconds', () => {
    assert.equal(
      wallText('2026-07-01T12:00:00.123456789Z', 'local'),
      '2026-07-01T08:00:00.123456789Z',
    );
    assert.equal(
      wallText('2026-07-01T12:00:00.123456789Z', 'utc'),
      '2026-07-01T12:00:00.123456789Z',
    );
  });

  it('has an offset name such as UTC-04:00', () => {
    assert.equal(offsetName(Date.UTC(2026, 6, 1), 'local'), 'UTC-04:00');
    assert.equal(offsetName(Date.UTC(2026, 6, 1), 'utc'), 'UTC');
  });
});
