// The extent of a dataset as text, and the time range that contains all of its events.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  covers,
  daysInWords,
  extentInWords,
  rangeAround,
} from '../../../client/src/time/extentWords.ts';
import { parseTimeRange } from '../../../client/src/time/parseTimeRange.ts';
import { rangeLabel } from '../../../client/src/time/timeRange.ts';

const cases = [
  [
    ['2015-01-01T08:00:00Z', '2015-12-31T20:00:00.123456789Z'],
    '3 events from 2015-01-01 to 2015-12-31',
    { start: '2015-01-01T00:00:00Z', end: '2016-01-01T00:00:00Z' },
  ],
  [
    ['2015-01-01T08:00:30Z', '2015-01-01T09:30:59.9Z'],
    '3 events from 2015-01-01 08:00 to 09:30 UTC',
    { start: '2015-01-01T08:00:00Z', end: '2015-01-01T09:31:00Z' },
  ],
  [
    ['2015-01-01T08:00:30Z', '2015-01-01T08:00:30Z'],
    '3 events from 2015-01-01 08:00 UTC',
    { start: '2015-01-01T08:00:00Z', end: '2015-01-01T08:01:00Z' },
  ],
  [
    ['1969-12-31T23:59:59.5Z', '1970-01-01T00:00:00Z'],
    '3 events from 1969-12-31 to 1970-01-01',
    { start: '1969-12-31T00:00:00Z', end: '1970-01-02T00:00:00Z' },
  ],
] as const;

describe('the extent of a dataset', () => {
  for (const [[first, last], words, ends] of cases) {
    it(`is shown as "${words}" and covered by the range around it`, () => {
      const extent = { events: 3, first, last };
      assert.equal(extentInWords(extent), words);
      const range = rangeAround(extent);
      const at = (time: string) => ({ kind: 'at', time });
      assert.deepEqual(range, { start: at(ends.start), end: at(ends.end) });
      assert.ok(covers(range, extent));
      // The range is the same after it is stored as text.
      assert.deepEqual(parseTimeRange(rangeLabel(range), Date.now()), range);
    });
  }

  it('can be shortened to its days', () => {
    const days = (first: string, last: string) => daysInWords({ first, last });
    assert.equal(days('2015-01-01T08:00:30Z', '2015-01-01T09:30:59.9Z'), '2015-01-01');
    assert.equal(days('2015-01-01T08:00:00Z', '2015-12-31T20:00:00Z'), '2015-01-01 to 12-31');
    assert.equal(days('2015-12-31T08:00:00Z', '2016-01-01T20:00:00Z'), '2015-12-31 to 2016-01-01');
  });

  it('is covered by a time range only if the range contains both ends', () => {
    const extent = { events: 2, first: '2026-01-01T00:00:00Z', last: '2026-01-02T00:00:00Z' };
    const now = Date.parse('2026-01-02T01:00:00Z');
    const end = { kind: 'now' } as const;
    assert.ok(covers({ start: { kind: 'ago', amount: 2, unit: 'd' }, end }, extent, now));
    assert.ok(!covers({ start: { kind: 'ago', amount: 1, unit: 'd' }, end }, extent, now));
    const noon = { kind: 'at', time: '2026-01-01T12:00:00Z' } as const;
    assert.ok(!covers({ start: { kind: 'ago', amount: 9, unit: 'd' }, end: noon }, extent, now));
  });
});
