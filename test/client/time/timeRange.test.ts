// Time ranges as users type them, as they are shown, and as they are sent.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isQueryTime } from '../../../api/src/index.ts';
import { parseTimeRange } from '../../../client/src/time/parseTimeRange.ts';
import {
  type RangeChoice,
  RECENT_MAX,
  rangeChoices,
  withRecent,
} from '../../../client/src/time/recentTimeRanges.ts';
import {
  allTime,
  boundNanoseconds,
  fallbackTimeRange,
  rangeDetail,
  rangeLabel,
  rangeParameters,
  type TimeRange,
  timeRangePresets,
  timestamp,
} from '../../../client/src/time/timeRange.ts';

/** A Wednesday. */
const wednesday = Date.UTC(2026, 1, 4, 18, 30, 15);

function range(text: string, at = wednesday): TimeRange {
  const parsed = parseTimeRange(text, at);
  assert.equal(typeof parsed, 'object', `${text}: ${parsed}`);
  return parsed as TimeRange;
}

/** Returns both bounds as timestamps. */
function bounds({ start, end }: TimeRange, at = wednesday): (string | undefined)[] {
  return [start, end].map((bound) => timestamp(boundNanoseconds(bound, at)));
}

const NOW = '2026-02-04T18:30:15Z';

/** The typed text, the label, the start and the end. */
const table: readonly (readonly [string, string, string, string])[] = [
  // Lengths.
  ['24h', 'last 24 hours', '2026-02-03T18:30:15Z', NOW],
  ['30m', 'last 30 minutes', '2026-02-04T18:00:15Z', NOW],
  [' 1h ', 'last 1 hour', '2026-02-04T17:30:15Z', NOW],
  ['1h ago', 'last 1 hour', '2026-02-04T17:30:15Z', NOW],
  ['an hour ago', 'last 1 hour', '2026-02-04T17:30:15Z', NOW],
  ['-5m', 'last 5 minutes', '2026-02-04T18:25:15Z', NOW],
  ['last 15 minutes', 'last 15 minutes', '2026-02-04T18:15:15Z', NOW],
  ['past 15 min', 'last 15 minutes', '2026-02-04T18:15:15Z', NOW],
  ['The last 15 minutes', 'last 15 minutes', '2026-02-04T18:15:15Z', NOW],
  ['90 min', 'last 90 minutes', '2026-02-04T17:00:15Z', NOW],
  ['1h30m', 'last 90 minutes', '2026-02-04T17:00:15Z', NOW],
  ['1 hour and 30 minutes', 'last 90 minutes', '2026-02-04T17:00:15Z', NOW],
  ['1.5 hours', 'last 90 minutes', '2026-02-04T17:00:15Z', NOW],
  ['last 2 Days', 'last 2 days', '2026-02-02T18:30:15Z', NOW],
  ['last hour', 'last 1 hour', '2026-02-04T17:30:15Z', NOW],
  ['last day', 'last 1 day', '2026-02-03T18:30:15Z', NOW],
  ['week', 'last 1 week', '2026-01-28T18:30:15Z', NOW],
  ['past week', 'last 1 week', '2026-01-28T18:30:15Z', NOW],
  ['now-30s', 'last 30 seconds', '2026-02-04T18:29:45Z', NOW],
  ['now - 30 s', 'last 30 seconds', '2026-02-04T18:29:45Z', NOW],
  ['2 months', 'last 2 months', '2025-12-04T18:30:15Z', NOW],
  ['1y', 'last 1 year', '2025-02-04T18:30:15Z', NOW],
  ['since 2h', 'last 2 hours', '2026-02-04T16:30:15Z', NOW],
  ['last5m', 'last 5 minutes', '2026-02-04T18:25:15Z', NOW],
  ['ago(1h)', 'last 1 hour', '2026-02-04T17:30:15Z', NOW],
  [
    'ago(2h) .. ago(1h)',
    '2 hours ago to 1 hour ago',
    '2026-02-04T16:30:15Z',
    '2026-02-04T17:30:15Z',
  ],
  ['datetime(2026-02-01) .. now()', 'since 2026-02-01', '2026-02-01T00:00:00Z', NOW],
  ['all time', 'since 1970-01-01', '1970-01-01T00:00:00Z', NOW],
  // Periods.
  ['today', 'today', '2026-02-04T00:00:00Z', NOW],
  ['Yesterday', 'yesterday', '2026-02-03T00:00:00Z', '2026-02-04T00:00:00Z'],
  ['this week', 'this week', '2026-02-02T00:00:00Z', NOW],
  ['last week', 'last week', '2026-01-26T00:00:00Z', '2026-02-02T00:00:00Z'],
  ['previous week', 'last week', '2026-01-26T00:00:00Z', '2026-02-02T00:00:00Z'],
  ['this month', 'this month', '2026-02-01T00:00:00Z', NOW],
  ['last  month', 'last month', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['this year', 'this year', '2026-01-01T00:00:00Z', NOW],
  ['last year', 'last year', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['since yesterday', 'since yesterday', '2026-02-03T00:00:00Z', NOW],
  ['yesterday to today', 'since yesterday', '2026-02-03T00:00:00Z', NOW],
  [
    'last month to yesterday',
    'last month to yesterday',
    '2026-01-01T00:00:00Z',
    '2026-02-04T00:00:00Z',
  ],
  // Times of day: on the latest day on which they have begun.
  ['17:00 to 18:00', '2026-02-04 17:00 to 18:00', '2026-02-04T17:00:00Z', '2026-02-04T18:00:00Z'],
  ['19:00 to 20:00', '2026-02-03 19:00 to 20:00', '2026-02-03T19:00:00Z', '2026-02-03T20:00:00Z'],
  ['9:00-10:30', '2026-02-04 09:00 to 10:30', '2026-02-04T09:00:00Z', '2026-02-04T10:30:00Z'],
  ['7pm – 8:15 pm', '2026-02-03 19:00 to 20:15', '2026-02-03T19:00:00Z', '2026-02-03T20:15:00Z'],
  ['7pm-8pm', '2026-02-03 19:00 to 20:00', '2026-02-03T19:00:00Z', '2026-02-03T20:00:00Z'],
  ['7:30pm-8:15 pm', '2026-02-03 19:30 to 20:15', '2026-02-03T19:30:00Z', '2026-02-03T20:15:00Z'],
  ['12am to 12pm', '2026-02-04 00:00 to 12:00', '2026-02-04T00:00:00Z', '2026-02-04T12:00:00Z'],
  [
    '22:00 to 02:00',
    '2026-02-03 22:00 to 2026-02-04 02:00',
    '2026-02-03T22:00:00Z',
    '2026-02-04T02:00:00Z',
  ],
  [
    '20:00 to 24:00',
    '2026-02-03 20:00 to 2026-02-04 00:00',
    '2026-02-03T20:00:00Z',
    '2026-02-04T00:00:00Z',
  ],
  ['since 08:00', 'since 2026-02-04 08:00', '2026-02-04T08:00:00Z', NOW],
  ['08:00', 'since 2026-02-04 08:00', '2026-02-04T08:00:00Z', NOW],
  [
    'today 08:00 to 09:30',
    '2026-02-04 08:00 to 09:30',
    '2026-02-04T08:00:00Z',
    '2026-02-04T09:30:00Z',
  ],
  [
    'yesterday 19:00 to today 2am',
    '2026-02-03 19:00 to 2026-02-04 02:00',
    '2026-02-03T19:00:00Z',
    '2026-02-04T02:00:00Z',
  ],
  [
    'yesterday at 19:00 to 20:00',
    '2026-02-03 19:00 to 20:00',
    '2026-02-03T19:00:00Z',
    '2026-02-03T20:00:00Z',
  ],
  [
    '3h ago to 17:00',
    '3 hours ago to 2026-02-04 17:00',
    '2026-02-04T15:30:15Z',
    '2026-02-04T17:00:00Z',
  ],
  // Dates. As an end a day is included.
  ['2026-01-31', '2026-01-31', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['2026/1/31', '2026-01-31', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['2026-01-31 to 2026-01-31', '2026-01-31', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
  [
    '2026-01-31 to 2026-02-01',
    '2026-01-31 to 2026-02-01',
    '2026-01-31T00:00:00Z',
    '2026-02-02T00:00:00Z',
  ],
  [
    '2026-01-31 2026-02-01',
    '2026-01-31 to 2026-02-01',
    '2026-01-31T00:00:00Z',
    '2026-02-02T00:00:00Z',
  ],
  [
    '2026-01-31/2026-02-01',
    '2026-01-31 to 2026-02-01',
    '2026-01-31T00:00:00Z',
    '2026-02-02T00:00:00Z',
  ],
  [
    '2026/01/31, 2026/02/01',
    '2026-01-31 to 2026-02-01',
    '2026-01-31T00:00:00Z',
    '2026-02-02T00:00:00Z',
  ],
  [
    '2026-01-31T10:00:00Z/2026-01-31T11:30:00Z',
    '2026-01-31 10:00 to 11:30',
    '2026-01-31T10:00:00Z',
    '2026-01-31T11:30:00Z',
  ],
  ['2026-01', '2026-01-01 to 2026-01-31', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['2025', '2025-01-01 to 2025-12-31', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['since 2026-01-31', 'since 2026-01-31', '2026-01-31T00:00:00Z', NOW],
  ['from 2026-01-31', 'since 2026-01-31', '2026-01-31T00:00:00Z', NOW],
  [
    '2026-01-31 08:00 to 2026-01-31 09:30',
    '2026-01-31 08:00 to 09:30',
    '2026-01-31T08:00:00Z',
    '2026-01-31T09:30:00Z',
  ],
  [
    '2026-01-31 08:00 to 09:30',
    '2026-01-31 08:00 to 09:30',
    '2026-01-31T08:00:00Z',
    '2026-01-31T09:30:00Z',
  ],
  [
    '2026-01-31 08:00-09:30',
    '2026-01-31 08:00 to 09:30',
    '2026-01-31T08:00:00Z',
    '2026-01-31T09:30:00Z',
  ],
  [
    '2026-01-31 08:00 - 09:30 UTC',
    '2026-01-31 08:00 to 09:30',
    '2026-01-31T08:00:00Z',
    '2026-01-31T09:30:00Z',
  ],
  [
    'between 2026-01-31 08:00 and 09:30',
    '2026-01-31 08:00 to 09:30',
    '2026-01-31T08:00:00Z',
    '2026-01-31T09:30:00Z',
  ],
  [
    '2026-01-31 to 09:30',
    '2026-01-31 00:00 to 09:30',
    '2026-01-31T00:00:00Z',
    '2026-01-31T09:30:00Z',
  ],
  [
    '2026-01-31 00:00 to 2026-02-01 00:00',
    '2026-01-31',
    '2026-01-31T00:00:00Z',
    '2026-02-01T00:00:00Z',
  ],
  // RFC 3339 and zones. Shown in UTC.
  [
    '2026-01-31T08:00:00.123456789Z .. now',
    'since 2026-01-31 08:00:00.123456789',
    '2026-01-31T08:00:00.123456789Z',
    NOW,
  ],
  [
    '2026-01-31T08:00+0200..2026-01-31T09:00:05+02:00',
    '2026-01-31 06:00 to 07:00:05',
    '2026-01-31T06:00:00Z',
    '2026-01-31T07:00:05Z',
  ],
  ['2026-01-31T08:00:00-05:00', 'since 2026-01-31 13:00', '2026-01-31T13:00:00Z', NOW],
  [
    '2026-01-31 08:00 to 09:30 +01:00',
    '2026-01-31 07:00 to 08:30',
    '2026-01-31T07:00:00Z',
    '2026-01-31T08:30:00Z',
  ],
  // Numbers of seconds, milliseconds, microseconds and nanoseconds since 1970.
  ['1769846400', 'since 2026-01-31 08:00', '2026-01-31T08:00:00Z', NOW],
  [
    '1769846400-1769851800',
    '2026-01-31 08:00 to 09:30',
    '2026-01-31T08:00:00Z',
    '2026-01-31T09:30:00Z',
  ],
  ['1769846400.5', 'since 2026-01-31 08:00:00.5', '2026-01-31T08:00:00.5Z', NOW],
  [
    '1769846400000 to 1769851800000',
    '2026-01-31 08:00 to 09:30',
    '2026-01-31T08:00:00Z',
    '2026-01-31T09:30:00Z',
  ],
  [
    '1769846400000001 to now',
    'since 2026-01-31 08:00:00.000001',
    '2026-01-31T08:00:00.000001Z',
    NOW,
  ],
  [
    '1769846400000000001',
    'since 2026-01-31 08:00:00.000000001',
    '2026-01-31T08:00:00.000000001Z',
    NOW,
  ],
  // Two bounds relative to now.
  ['now-7d to now-1d', '7 days ago to 1 day ago', '2026-01-28T18:30:15Z', '2026-02-03T18:30:15Z'],
  ['2h ago to 1h ago', '2 hours ago to 1 hour ago', '2026-02-04T16:30:15Z', '2026-02-04T17:30:15Z'],
  ['now-1d to now', 'last 1 day', '2026-02-03T18:30:15Z', NOW],
];

describe('a typed time range', () => {
  for (const [text, label, start, end] of table) {
    it(`"${text}" means ${label}`, () => {
      const parsed = range(text);
      assert.deepEqual(bounds(parsed), [start, end]);
      assert.equal(rangeLabel(parsed), label);
    });
  }

  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /^Examples: 30m/],
    ['yesterdy', /^"yesterdy" is not a time or a length of time\. Examples: 30m/],
    ['constructor', /^"constructor" is not a time/],
    ['5 parsecs', /^"parsecs" is not a unit of time\. Use s, m, h, d, w, mo or y\. Examples/],
    ['-', /^"-" is not a time or a length of time\./],
    ['24', /^"24" needs a unit, such as 24m or 24h\./],
    ['0h', /from 1 to 1,000,000/],
    ['9999999999h', /from 1 to 1,000,000/],
    ['1000000y', /too long/],
    ['1.5 months', /must be whole/],
    ['h', /^"h" is not a time/],
    ['2026-02-30 to 2026-03-01', /^"2026-02-30" is not a date\./],
    ['2026-13', /^"2026-13" is not a month\./],
    ['9999-12-31', /"9999-12-31" is beyond the calendar/],
    ['25:00 to 26:00', /^"25:00" is not a time of day\./],
    ['2026-01-31 13pm', /^"13pm" is not a time of day\./],
    ['2026-01-31T08:00+99:00', /^"\+99:00" is not a time zone\./],
    ['2026-02-01 to 2026-01-31', /must end after it starts/],
    ['since 2027-01-01', /must end after it starts/],
    ['now-1d to now-7d', /must end after it starts/],
    ['2026-01-31 to soon', /^"soon" is not a time/],
    ['2026-01-31 to ', /"2026-01-31 to" is not a time/],
    ['a to b to c', /^"a to b to c" has more than two ends\./],
    ['99999999999999999999999', /since 1970/],
    [`${'9'.repeat(100_000)}h`, /^"9{40}…" is not a time range\./],
  ];
  for (const [text, message] of refused) {
    it(`"${text.slice(0, 40)}" is rejected with the reason and examples`, () => {
      const answer = parseTimeRange(text, wednesday);
      assert.match(String(answer), message);
      assert.match(String(answer), /Examples: 30m, 24h, yesterday/);
    });
  }
});

describe('the label of a time range', () => {
  const moments = [
    wednesday,
    Date.UTC(2024, 1, 29),
    Date.UTC(2026, 11, 31, 23, 59, 59),
    Date.UTC(2027, 2, 31, 12),
  ];
  const texts = table.map(([text]) => text);

  it('is parsed as the same range', () => {
    for (const at of moments) {
      for (const text of texts) {
        const one = parseTimeRange(text, at);
        if (typeof one === 'string') continue;
        assert.deepEqual(parseTimeRange(rangeLabel(one), at), one, `${text}: ${rangeLabel(one)}`);
      }
      for (const one of [...timeRangePresets, allTime, fallbackTimeRange])
        assert.deepEqual(parseTimeRange(rangeLabel(one), at), one);
    }
  });

  it('is parsed as the same range for any two times, to the nanosecond', () => {
    let seed = 15n;
    const random = (most: bigint): bigint => {
      seed = (seed * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
      return (seed >> 16n) % most;
    };
    const grains = [1n, 1_000_000_000n, 60_000_000_000n, 86_400_000_000_000n];
    for (let round = 0; round < 2_000; round += 1) {
      const grain = grains[round % grains.length] as bigint;
      const whole = (value: bigint) => value - (value % grain);
      const start = whole(random(1_790_000_000_000_000_000n));
      const end = start + whole(random(400_000_000_000_000n)) + grain;
      const one: TimeRange = {
        start: { kind: 'at', time: timestamp(start) as string },
        end: { kind: 'at', time: timestamp(end) as string },
      };
      assert.deepEqual(parseTimeRange(rangeLabel(one), wednesday), one, rangeLabel(one));
    }
  });

  it('has a detail with start, end and length in UTC, which is parsed as the same times', () => {
    for (const [text, detail] of [
      ['24h', '2026-02-03 18:30:15 to 2026-02-04 18:30:15 UTC (1 day)'],
      ['2026-01-31 08:00 to 09:30', '2026-01-31 08:00 to 09:30 UTC (1 hour 30 minutes)'],
      ['last week', '2026-01-26 00:00 to 2026-02-02 00:00 UTC (7 days)'],
    ] as const)
      assert.equal(rangeDetail(range(text), wednesday), detail);
    for (const text of texts.filter((typed) => !/\.\d/.test(typed) && !/^\d{16,}/.test(typed))) {
      const one = range(text);
      const [span = ''] = rangeDetail(one, wednesday).split(' (');
      assert.deepEqual(bounds(range(span)), bounds(one), span);
    }
  });
});

describe('a sent time range', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['15m', 'now-15m', 'now'],
    ['last 1 week', 'now-1w', 'now'],
    ['now-7d to now-1d', 'now-7d', 'now-1d'],
    ['2 months', '2025-12-04T18:30:15Z', 'now'],
    ['today', '2026-02-04T00:00:00Z', 'now'],
    ['yesterday', '2026-02-03T00:00:00Z', '2026-02-04T00:00:00Z'],
    ['2026-01-31', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
  ];
  for (const [text, startTime, endTime] of cases) {
    it(`for "${text}" is from ${startTime} to ${endTime}`, () => {
      assert.deepEqual(rangeParameters(range(text), wednesday), { startTime, endTime });
    });
  }

  it('has times that the service accepts', () => {
    for (const [text] of table) {
      const { startTime, endTime } = rangeParameters(range(text), wednesday);
      assert.ok(isQueryTime(startTime) && isQueryTime(endTime), `${text}: ${startTime} ${endTime}`);
    }
  });

  it('for a period such as today depends on the current time', () => {
    const tomorrow = wednesday + 86_400_000;
    assert.equal(rangeParameters(range('today'), tomorrow).startTime, '2026-02-05T00:00:00Z');
  });

  it('for one month before the 31st starts on the last day of a shorter month', () => {
    const at = Date.UTC(2026, 2, 31, 12);
    assert.equal(rangeParameters(range('1 month', at), at).startTime, '2026-02-28T12:00:00Z');
  });
});

describe('the choice of time ranges', () => {
  const state = {
    value: range('24h'),
    recent: ['24h', 'yesterday', '3h'].map((text) => range(text)),
  };
  const labels = (choices: readonly RangeChoice[]) => choices.map(({ label }) => label);

  it('starts with the range for the typed text', () => {
    const [first] = rangeChoices(' 90 min', state, wednesday);
    assert.deepEqual(first, {
      kind: 'range',
      label: '90 min',
      description: 'last 90 minutes',
      detail: '2026-02-04 17:00:15 to 18:30:15 UTC (1 hour 30 minutes)',
      range: range('90m'),
    });
  });

  it('offers recent ranges first, and each range once', () => {
    const choices = rangeChoices('', state, wednesday);
    assert.deepEqual(labels(choices).slice(0, 5), [
      'Recent',
      'last 24 hours',
      'yesterday',
      'last 3 hours',
      'Ranges',
    ]);
    assert.equal(new Set(labels(choices)).size, choices.length);
    assert.ok(
      !labels(rangeChoices('yesterday', state, wednesday))
        .slice(1)
        .includes('yesterday'),
    );
  });

  it('ends with the reason if the typed text is not a range', () => {
    const last = rangeChoices('5 parsecs', state, wednesday).at(-1);
    assert.equal(last?.kind, 'invalid');
    assert.match(last?.kind === 'invalid' ? last.detail : '', /"parsecs" is not a unit of time/);
  });

  it('remembers the latest eight ranges, each once', () => {
    let recent: string[] = [];
    for (let hours = 1; hours <= 10; hours += 1) recent = withRecent(recent, `last ${hours} hours`);
    recent = withRecent(recent, 'last 5 hours');
    assert.equal(recent.length, RECENT_MAX);
    assert.equal(new Set(recent).size, RECENT_MAX);
    assert.deepEqual(recent.slice(0, 3), ['last 5 hours', 'last 10 hours', 'last 9 hours']);
  });
});
