// The status of a result: the numbers of examined and matched rows, the oldest and newest time, and
// the warning about the default limit.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, type Answer, Deployment } from './deployment.ts';

let local: Deployment;
const start = Date.UTC(2026, 0, 1);
const time = (seconds: number) =>
  new Date(start + seconds * 1_000).toISOString().replace('.000Z', 'Z');
const range = { startTime: '2025-12-01T00:00:00Z', endTime: '2026-12-01T00:00:00Z' };

before(async () => {
  local = await Deployment.open();
  for (const [name, count, from] of [
    ['big', 1_500, 0],
    ['page', 30, 10_000],
    ['old', 40, -400 * 86_400],
  ] as const) {
    await local.dataset(name);
    const events = Array.from({ length: count }, (_, n) => ({
      _time: time(from + n),
      n,
      k: n % 3,
    }));
    await local.stored(name, events);
  }
  await local.dataset('empty');
  for (const [name, aplQuery] of [
    ['everything', 'big'],
    ['third', 'big | where k == 1 | extend m = n * 2'],
    ['both', 'union third, page'],
    ['groups', 'big | where k == 1 | summarize c = count() by n'],
    ['constants', 'print n = 1'],
  ] as const) {
    const { status, text } = await local.call('POST', '/v2/views', {
      name,
      aplQuery,
      datasets: [],
    });
    assert.equal(status, 200, text);
  }
});
after(() => local.close());

async function ask(apl: string, members: object = {}, format = 'tabular'): Promise<Answer> {
  const path = `/v1/query/_apl?format=${format}`;
  const answer = await local.call('POST', path, { apl, ...range, ...members });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

describe('the examined and matched row counts', () => {
  for (const [apl, examined, matched] of [
    ['big', 1_500, 1_500],
    ['big | where k == 1', 1_500, 500],
    ['big | search k == 1', 1_500, 500],
    ['page | extend copies = dynamic([1, 2, 3]) | mv-expand copies', 30, 30],
    ['big | where k == 1 | summarize count() by n', 1_500, 500],
    ['empty', 0, 0],
    ['old', 0, 0],
    // The counts of branches are added up, with each branch's own filters.
    ['union big, page', 1_530, 1_530],
    ['union big, page, old, empty', 1_530, 1_530],
    ['big | union page', 1_530, 1_530],
    ['union big, page | where k == 1', 1_530, 510],
    ['union big, page | where k == 1 | take 3', 1_530, 510],
    ['union big, page | take 3', 1_530, 1_530],
    ['union (big | where k == 1), page', 1_530, 530],
    ['union (big | where k == 1), (page | where k == 2) | where n < 10', 1_530, 6],
    ['big | where k == 1 | union page | where n < 10', 1_530, 13],
    ['union big, page | summarize count() by k', 1_530, 1_530],
    ['union big, page | where k == 1 | summarize count() by n | where n > 5000', 1_530, 510],
    ['union big, page | where k == 1 | count', 1_530, 510],
    ['union (big | where k == 1 | summarize count() by n), page', 1_530, 530],
    ['union (big | take 7), page', 1_530, 1_530],
    ['union big, (print n = 1)', 1_500, 1_500],
    ['search in (big, page) k == 1', 1_530, 510],
    // A dataset that is named twice is read twice.
    ['union big, big', 3_000, 3_000],
    ['union (big | where k == 1), (big | where k == 2) | count', 3_000, 1_000],
    ['let t = big | where k == 1; union t, t', 3_000, 1_000],
    ['let t = big | where k == 1; let u = union t, page; u | union u | where n < 10', 3_060, 26],
    // For views, the rows that they read are counted.
    ['everything', 1_500, 1_500],
    ['third', 1_500, 500],
    ['third | where m < 100', 1_500, 17],
    ['third | where m < 100 | summarize max(m)', 1_500, 17],
    ['third | summarize count() by m', 1_500, 500],
    ['third | take 4', 1_500, 500],
    ['both', 1_530, 530],
    ['both | where n < 10 | count', 1_530, 13],
    ['groups', 1_500, 500],
    ['groups | where n < 10', 1_500, 500],
    ['groups | summarize count()', 1_500, 500],
    ['union groups, third', 3_000, 1_000],
    ['constants', 1, 1],
    // The rows of joined and looked-up tables and of sub-queries count only as examined.
    ['big | join kind=inner (page | where k == 1) on n', 1_530, 1_500],
    ['big | where k == 1 | join kind=inner (page | where k == 1) on n | where k == 5', 1_530, 500],
    ['big | lookup page on n | count', 1_530, 1_500],
    ['big | where n in ((page | where k == 1 | project n))', 1_530, 10],
    ['third | extend z = n in ((page | where k == 1 | project n)) | take 2', 1_530, 500],
    [
      'big | summarize count() by k | join kind=inner (page | summarize count() by k) on k',
      1_530,
      1_500,
    ],
    ['print a = 1 | join kind=inner (big | where k == 1 | extend a = 1) on a', 1_500, 0],
  ] as const) {
    it(`are correct: ${apl}`, async () => {
      for (const format of ['tabular', 'legacy']) {
        const { rowsExamined, rowsMatched } = (await ask(apl, {}, format)).body.status;
        assert.deepEqual([rowsExamined, rowsMatched], [examined, matched]);
      }
    });
  }

  it('are correct if let statements repeatedly double a table', async () => {
    const lets = Array.from({ length: 12 }, (_, i) => `let t${i + 1} = union t${i}, t${i};`).join(
      ' ',
    );
    const { status } = (await ask(`let t0 = page | where k == 1; ${lets} t12 | count`)).body;
    assert.deepEqual([status.rowsExamined, status.rowsMatched], [30 * 4_096, 10 * 4_096]);
    const many = Array.from({ length: 60 }, (_, i) => `let s${i + 1} = union s${i}, s${i};`).join(
      ' ',
    );
    const apl = `let s0 = page | summarize count() by n; ${many} big | where n in ((s2 | project n)) | count`;
    assert.equal((await ask(apl)).body.status.rowsExamined, 1_500 + 4 * 30);
  });
});

describe('the default limit', () => {
  const cuts = async (apl: string, members: object = {}) => {
    const { tables, status } = (await ask(apl, members)).body;
    const codes = status.messages.map(({ code }: { code: string }) => code);
    assert.ok(codes.every((code: string) => code === 'default_limit_warning'));
    return [tables[0].columns[0]?.length ?? 0, codes.length];
  };

  for (const [apl, limit, rows, warnings] of [
    ['big', 1_000, 1_000, 1],
    ['big', 1_500, 1_500, 0],
    ['big', 1_499, 1_499, 1],
    ['big', 0, 0, 1],
    ['empty', 0, 0, 0],
    ['union big, page', 1_000, 1_000, 1],
    ['union big, page', 1_530, 1_530, 0],
    ['union big, page', 1_529, 1_529, 1],
    ['third', 500, 500, 0],
    ['third', 499, 499, 1],
    ['groups', 500, 500, 0],
    ['groups', 499, 499, 1],
    ['big | summarize count() by n', 1_000, 1_000, 1],
    ['big | summarize count() by n', 1_500, 1_500, 0],
    ['big | where n < 1000 | summarize count() by n', 1_000, 1_000, 0],
    ['big | distinct k', 3, 3, 0],
    ['big | distinct k', 2, 2, 1],
    ['big | summarize count()', 1, 1, 0],
    ['big | extend a = 1 | where n < 10', 10, 10, 0],
    ['big | mv-expand x = dynamic([1, 2])', 3_000, 3_000, 0],
    ['big | mv-expand x = dynamic([1, 2])', 2_999, 2_999, 1],
    ['big | take 5', 5, 5, 0],
    ['datatable(a:long) [1, 2, 3]', 2, 2, 1],
    ['datatable(a:long) [1, 2, 3]', 3, 3, 0],
    // In a time series, the limit applies to groups, not to bins.
    ['big | summarize count() by bin(_time, 1s)', 10, 1_500, 0],
    ['big | summarize count() by bin(_time, 1s), k', 3, 1_500, 0],
    ['big | summarize count() by bin(_time, 1s), k', 2, 1_000, 1],
    ['big | summarize count() by k, bin(_time, 300s)', 15, 15, 0],
    ['big | summarize count() by k, bin(_time, 300s)', 14, 14, 1],
  ] as const) {
    it(`is reported only if it removed rows: ${limit}, ${apl}`, async () => {
      assert.deepEqual(await cuts(apl, { defaultLimit: limit }), [rows, warnings]);
    });
  }

  it('is reported for a time series without totals', async () => {
    const apl = 'big | summarize n = count() by bin(_time, 300s), k | extend h = hourofday(_time)';
    assert.deepEqual(await cuts(apl, { defaultLimit: 3 }), [15, 0]);
    assert.deepEqual(await cuts(apl, { defaultLimit: 2 }), [10, 1]);
  });

  it('applies to every format, and to the entire result if it has several slices', async () => {
    const apl = 'big | mv-expand x = range(1, 20)';
    for (const [limit, warnings] of [
      [16_383, 1],
      [16_384, 1],
      [16_385, 1],
      [29_999, 1],
      [30_000, 0],
    ] as const) {
      assert.deepEqual(await cuts(apl, { defaultLimit: limit }), [limit, warnings]);
    }
    const members = { defaultLimit: 7 };
    const rows = (await ask('union big, page', members, 'tabular-rows')).body;
    assert.equal(rows.tables[0].rows.length, 7);
    const legacy = (await ask('union big, page', members, 'legacy')).body;
    assert.equal(legacy.matches.length, 7);
    const groups = (await ask('big | summarize count() by n', members, 'legacy')).body;
    assert.equal(groups.buckets.totals.length, 7);
    const bins = 'big | summarize count() by n, bin(_time, 1s)';
    const { series } = (await ask(bins, members, 'legacy')).body.buckets;
    assert.equal(series.length, 7);
    for (const { status } of [rows, legacy, groups]) assert.equal(status.messages.length, 1);
    const paged = (await ask('big | project n', { ...members, includeCursor: true })).body;
    const next = (await ask('big | project n', { ...members, cursor: paged.status.minCursor }))
      .body;
    assert.equal(next.tables[0].columns[0][0], paged.tables[0].columns[0].at(-1) - 1);
  });
});

describe('the oldest and newest time', () => {
  const times = async (apl: string, members: object = {}) => {
    const { minBlockTime, maxBlockTime } = (await ask(apl, members)).body.status;
    return [minBlockTime, maxBlockTime];
  };

  it('cover the events in the time range across all datasets read', async () => {
    assert.deepEqual(await times('big'), [time(0), time(1_499)]);
    assert.deepEqual(await times('big | where n == 7 | project n'), [time(0), time(1_499)]);
    assert.deepEqual(await times('big | count'), [time(0), time(1_499)]);
    assert.deepEqual(await times('union big, page'), [time(0), time(10_029)]);
    assert.deepEqual(await times('both | count'), [time(0), time(10_029)]);
    assert.deepEqual(await times('page | join kind=inner big on n'), [time(0), time(10_029)]);
    assert.deepEqual(await times('union big, old', ALL_TIMES), [time(-400 * 86_400), time(1_499)]);
    const part = { startTime: time(100.5), endTime: time(200) };
    assert.deepEqual(await times('union big, page', part), [time(101), time(199)]);
    assert.deepEqual(await times('union big, empty'), [time(0), time(1_499)]);
  });

  it('are absent if no event is in the time range', async () => {
    for (const apl of ['empty', 'old', 'print 1', 'union empty, old']) {
      assert.deepEqual(await times(apl), [undefined, undefined], apl);
    }
  });

  it('are updated after ingest and after deletion and recreation of the dataset', async () => {
    await local.dataset('moving');
    for (const seconds of [50, 20, 90]) {
      await local.stored('moving', [{ _time: time(seconds), n: 1 }]);
      await times('moving');
    }
    assert.deepEqual(await times('moving'), [time(20), time(90)]);
    await local.call('DELETE', '/v2/datasets/moving');
    await local.dataset('moving');
    assert.deepEqual(await times('moving'), [undefined, undefined]);
    await local.stored('moving', [{ _time: '2026-03-01T00:00:00.000000001Z', n: 1 }]);
    const only = '2026-03-01T00:00:00.000000001Z';
    assert.deepEqual(await times('moving'), [only, only]);
  });

  it('are included in legacy and batch responses', async () => {
    const { status } = (await ask('big', {}, 'legacy')).body;
    assert.deepEqual([status.minBlockTime, status.maxBlockTime], [time(0), time(1_499)]);
    const { text } = await local.call('POST', '/v1/query/batch', [
      { queryId: 'a', aplRequest: { apl: 'big | count', ...range } },
    ]);
    assert.match(text, new RegExp(`"minBlockTime":"${time(0)}","maxBlockTime":"${time(1_499)}"`));
  });
});

it('counts new events when a query is repeated after an ingest', async () => {
  await local.dataset('growing');
  const counts = async () => {
    const { status } = (await ask('growing | where n == 1 | take 1')).body;
    return [status.rowsExamined, status.rowsMatched];
  };
  for (const expected of [2, 4]) {
    await local.stored(
      'growing',
      [0, 1, 1].map((n) => ({ _time: time(n), n })),
    );
    assert.deepEqual(await counts(), [(expected / 2) * 3, expected]);
    assert.deepEqual(await counts(), [(expected / 2) * 3, expected]);
  }
});
