// Accepted formats of times and durations.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { goDurationNanos, isQueryTime, isTimestamp } from '../../api/src/index.ts';
import { random } from './random.ts';

const good = [
  '2026-01-31T08:00:00Z',
  '2026-01-31t08:00:00z',
  '2026-01-31T08:00:00.1Z',
  '2026-01-31T23:59:59.123456789+14:00',
  '2024-02-29T00:00:00-00:00',
  '2000-02-29T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
];

const bad = [
  '',
  'now',
  '2026-01-31',
  '2026-01-31 08:00:00Z',
  '2026-01-31T08:00:00',
  '2026-01-31T08:00Z',
  '2026-01-31T08:00:00.Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T08:60:00Z',
  '2026-12-31T23:59:60Z',
  '2026-00-10T00:00:00Z',
  '2026-13-10T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-32T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-01-31T08:00:00+24:00',
  '2026-01-31T08:00:00+01:60',
  '2026-01-31T08:00:00+0100',
  ' 2026-01-31T08:00:00Z',
  '2026-01-31T08:00:00Z\n',
  '12026-01-31T08:00:00Z',
  `2026-01-31T08:00:00.${'1'.repeat(1_000_000)}Z`,
];

describe('timestamps', () => {
  it('are valid only with an existing date, a time and an offset', () => {
    for (const text of good) assert.equal(isTimestamp(text), true, text);
    for (const text of bad) assert.equal(isTimestamp(text), false, text.slice(0, 40));
  });

  it('are valid if written by Date.toISOString()', () => {
    const source = random(4);
    for (let round = 0; round < 5_000; round += 1) {
      const text = new Date(source.below(2 ** 32) * 1_000 + source.below(1_000)).toISOString();
      assert.equal(isTimestamp(text), true, text);
    }
  });

  it('can be relative to now in queries, such as now-1h', () => {
    for (const text of ['now', 'now-1s', 'now-90m', 'now-1h', 'now-30d', 'now-52w', ...good]) {
      assert.equal(isQueryTime(text), true, text);
    }
    const wrong = ['', 'NOW', 'now-', 'now-h', 'now-1', 'now-1y', 'now+1h', 'now-1.5h', 'now -1h'];
    for (const text of [...wrong, `now-${'1'.repeat(100_000)}h`, 'now-1h\n', '-1h']) {
      assert.equal(isQueryTime(text), false, text.slice(0, 40));
    }
  });
});

describe('Go durations', () => {
  it('are parsed to nanoseconds', () => {
    const read = {
      '0': 0n,
      '1s': 1_000_000_000n,
      '1h0m0s': 3_600_000_000_000n,
      '1.5h': 5_400_000_000_000n,
      '.5s': 500_000_000n,
      '2m30.25s': 150_250_000_000n,
      '100ms': 100_000_000n,
      '1µs': 1_000n,
      '7ns': 7n,
    };
    for (const [text, nanos] of Object.entries(read)) {
      assert.equal(goDurationNanos(text), nanos, text);
    }
  });

  it('are rejected if negative, malformed or too long', () => {
    for (const text of ['', '1', '-1s', '1d', 's', '1h 5m', 'auto', '1s'.repeat(40)]) {
      assert.equal(goDurationNanos(text), undefined, text);
    }
  });
});
