// Times and timespans outside the storable range: allowed in comparisons and in a request's range,
// rejected when stored or computed with.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';

let local: Deployment;
const times = [
  '1677-09-22T00:00:00Z',
  '2024-05-01T00:00:00Z',
  '2026-01-01T00:00:00Z',
  '2262-04-11T23:47:16.854775806Z',
];
const ALL = { startTime: '0001-01-01T00:00:00Z', endTime: '9999-12-31T23:59:59.999999999Z' };
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored(
    'logs',
    times.map((_time, n) => ({ _time, n, text: _time })),
  );
});
after(() => local.close());

/** Returns the numbers of the events that match a condition. */
async function left(condition: string, members: object = {}): Promise<number[]> {
  const apl = `logs | where ${condition} | project n | sort by n asc`;
  const { status, body, text } = await local.query(apl, { ...ALL, ...members });
  assert.equal(status, 200, `${condition}: ${text}`);
  return body.tables[0].columns[0];
}

const all = [0, 1, 2, 3];
const none: number[] = [];

describe('comparing with an out-of-range time', () => {
  for (const [condition, expected] of [
    ['_time < datetime(9999-12-31)', all],
    ['_time <= datetime(9999-12-31)', all],
    ['_time > datetime(9999-12-31)', none],
    ['_time >= datetime(9999-12-31)', none],
    ['_time == datetime(9999-12-31)', none],
    ['_time != datetime(9999-12-31)', all],
    ['_time > datetime(0001-01-01)', all],
    ['_time >= datetime(0001-01-01)', all],
    ['_time < datetime(0001-01-01)', none],
    ['datetime(9999-12-31) > _time', all],
    ['datetime(0001-01-01) > _time', none],
    ['_time between (datetime(0001-01-01) .. datetime(9999-12-31))', all],
    ['_time between (datetime(2024-05-02) .. datetime(9999-12-31))', [2, 3]],
    ['_time between (datetime(0001-01-01) .. datetime(2024-05-01))', [0, 1]],
    ['not(_time between (datetime(0001-01-01) .. datetime(9999-12-31)))', none],
    ['_time between (datetime(2024-01-01) .. 1000000d)', [1, 2, 3]],
    ['_time in (datetime(9999-12-31), datetime(2024-05-01))', [1]],
    ['_time !in (datetime(9999-12-31), datetime(2024-05-01))', [0, 2, 3]],
    ['not(_time < datetime(9999-12-31))', none],
    ['iff(_time < datetime(9999-12-31), n, -1) == n', all],
    ["_time < todatetime('9999-12-31')", all],
    ["_time > todatetime('0001-01-01T00:00:00Z')", all],
    ["_time < '9999-12-31'", all],
    ["'0001-01-01' > _time", none],
    ['_time < unixtime_seconds_todatetime(253402300799)', all],
    ['_time > unixtime_milliseconds_todatetime(-62135596800000)', all],
    ['_time > ago(1000000d)', all],
    ['_time > ago(100000d) and _time < now(1000000d)', [1, 2, 3]],
    ['_time < now(-1000000d)', none],
    ['_time < now() + 1000000d', all],
    ['_time > now() - 1000000d', all],
    ['_time < datetime(2262-04-11) + 1d', all],
    ['_time < datetime(9999-12-31) - 1d', all],
    ['_time < datetime(9999-12-31) - 2920000d', [0]],
    ["_time < datetime_add('year', 500, datetime(2024-01-01))", all],
    ["_time > datetime_add('day', -1000000, datetime(2024-01-01))", all],
    ['datetime(9999-12-31) > datetime(9998-12-31)', all],
    ['datetime(9999-12-31) == datetime(9998-12-31)', none],
    ['datetime(9999-12-31) == datetime(9999-12-31)', all],
    ['datetime(9999-12-31) > now()', all],
    ['todatetime(text) < datetime(9999-12-31)', all],
    ['text < datetime(9999-12-31)', all],
    ['dynamic("2024-05-01") < datetime(9999-12-31)', all],
    ['(_time - datetime(2024-05-01)) < 1000000d', [1, 2, 3]],
    ['(_time - datetime(2024-05-01)) > -1000000d', [1, 2, 3]],
    ['n * 1d < 1000000d', all],
    ['n * 1d == 1000000d', none],
    ['1000000d > 999999d', all],
    ['n in (1, 2) and _time < datetime(9999-12-31)', [1, 2]],
  ] as const) {
    it(`has the mathematically correct result: ${condition}`, async () => {
      assert.deepEqual(await left(condition), expected);
    });
  }

  it('works with let statements', async () => {
    const lets = 'let far = datetime(9999-12-31); let further = todatetime("9999-12-31"); ';
    const apl = `${lets}logs | where _time < far and _time < further | count`;
    assert.deepEqual((await local.query(apl, ALL)).body.tables[0].columns, [[4]]);
  });

  it('works with variables and parameter defaults', async () => {
    const variables = { far: '9999-12-31T00:00:00Z' };
    assert.deepEqual(await left('_time < todatetime(far)', { variables }), all);
    assert.deepEqual(await left('_time < far', { variables }), all);
    const declared = 'declare query_parameters (far:datetime = datetime(9999-12-31)); ';
    for (const members of [{}, { variables }]) {
      const apl = `${declared}logs | where _time < far | count`;
      assert.deepEqual((await local.query(apl, { ...ALL, ...members })).body.tables[0].columns, [
        [4],
      ]);
    }
  });

  it('works in an aggregate', async () => {
    const apl =
      'logs | summarize a = countif(_time < datetime(9999-12-31)), b = countif(_time < datetime(0001-01-01))';
    assert.deepEqual((await local.query(apl, ALL)).body.tables[0].columns, [[4], [0]]);
  });
});

describe('an out-of-range time', () => {
  for (const apl of [
    'print datetime(9999-12-31)',
    'logs | extend far = datetime(0001-01-01)',
    'logs | project iff(n > 1, datetime(9999-12-31), _time)',
    'let far = datetime(9999-12-31); logs | extend x = far',
    'logs | extend x = _time - datetime(9999-12-31)',
    'logs | where _time - datetime(9999-12-31) > 1d',
    'print datetime(9999-12-31) - 1d',
    'print datetime(9999-12-31) - datetime(9998-12-31)',
    'logs | summarize max(datetime(9999-12-31))',
    'logs | sort by datetime(9999-12-31)',
    'logs | where startofday(datetime(9999-12-31)) > _time',
    'print 1000000d',
    'print ago(1000000d)',
    'logs | extend x = n * 1000000d',
  ]) {
    it(`is rejected outside comparisons: ${apl}`, async () => {
      const { status, body, text } = await local.query(apl, ALL);
      assert.equal(status, 400, text);
      assert.match(body.message, /outside the supported range|exceeds the supported maximum/);
    });
  }

  it('becomes null as the result of a computation', async () => {
    const apl =
      'print a = now() + 100000d, b = todatetime("9999-12-31"), c = datetime_add("year", 500, now()), d = unixtime_seconds_todatetime(253402300799)';
    assert.deepEqual((await local.query(apl)).body.tables[0].columns, [
      [null],
      [null],
      [null],
      [null],
    ]);
  });
});

describe("a request's time range beyond the storable times", () => {
  const count = async (members: object) => {
    const { status, body, text } = await local.query('logs | count', members);
    assert.equal(status, 200, text);
    return body.tables[0].columns[0][0];
  };

  it('includes all stored events between its start and end', async () => {
    const [low, high] = [ALL.startTime, ALL.endTime];
    assert.equal(await count({ startTime: low, endTime: high }), 4);
    assert.equal(await count({ startTime: low, endTime: times[3] }), 3);
    assert.equal(await count({ startTime: times[2], endTime: high }), 2);
    assert.equal(await count({ startTime: 'now-9999999w', endTime: 'now' }), 3);
    assert.equal(await count({ startTime: low, endTime: '0002-01-01T00:00:00Z' }), 0);
    assert.equal(await count({ startTime: '3000-01-01T00:00:00Z', endTime: high }), 0);
    assert.equal(await count({ startTime: '1677-09-21T12:00:00Z', endTime: 'now' }), 3);
    // Without a start, the range starts ten years ago, even with an end.
    assert.equal(await count({ endTime: high }), 3);
  });

  it('is reported as clamped to the storable times and supports bins', async () => {
    const { body } = await local.query('logs | summarize count() by bin_auto(_time)', ALL);
    const { range } = body.tables[0];
    assert.deepEqual(range, {
      field: '_time',
      start: '1677-09-22T00:00:00Z',
      end: '2262-04-11T23:47:16.854775807Z',
    });
    assert.equal(
      body.tables[0].columns[1].reduce((a: number, b: number) => a + b),
      4,
    );
  });

  it('is rejected if it ends before it starts', async () => {
    const members = { startTime: '9999-01-01T00:00:00Z', endTime: '9998-01-01T00:00:00Z' };
    assert.equal((await local.query('logs', members)).status, 400);
  });
});

describe('annotations', () => {
  it('can be listed with an out-of-range start or end', async () => {
    for (const time of ['2024-01-01T00:00:00Z', '9000-01-01T00:00:00Z']) {
      await local.call('POST', '/v2/annotations', { type: 'a', datasets: ['logs'], time });
    }
    const listed = async (query: string) =>
      (await local.call('GET', `/v2/annotations?${query}`)).body.length;
    assert.equal(await listed('end=9999-01-01T00:00:00Z'), 2);
    assert.equal(await listed('end=8000-01-01T00:00:00Z'), 1);
    assert.equal(await listed('start=8000-01-01T00:00:00Z'), 1);
    assert.equal(await listed('end=0500-01-01T00:00:00Z'), 0);
  });
});
