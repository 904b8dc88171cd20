// The query endpoints: the tabular result and its members, the effect of the range and the options,
// and errors.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkStrict, QueryError, TabularResult } from '../../api/src/index.ts';
import { ALL_TIMES, Deployment, rowsOf } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  const events = Array.from({ length: 1_500 }, (_, i) => ({
    _time: new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString(),
    status: i % 3 === 0 ? 500 : 200,
    duration: i / 4,
    host: `h${i % 5}`,
  }));
  await local.stored('logs', events);
  await local.call('PUT', '/v2/datasets/logs/fields/duration', {
    unit: 'ms',
    description: 'how long',
  });
});
after(() => local.close());

const day = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' };

describe('the tabular result', () => {
  it('contains every property on the edge and general endpoints', async () => {
    for (const path of ['/v1/query/_apl', '/v1/datasets/_apl']) {
      const { status, body, headers } = await local.call('POST', `${path}?format=tabular`, {
        apl: "['logs'] | where status == 500 | limit 3",
        ...day,
      });
      assert.equal(status, 200);
      assert.deepEqual(checkStrict(TabularResult, body), []);
      assert.match(headers.get('x-axiom-trace-id')!, /^[0-9a-f]{32}$/);
      assert.equal(headers.get('content-type'), 'application/json');
      assert.deepEqual(body.datasetNames, ['logs']);
      assert.deepEqual(body.fieldsMetaMap, {
        logs: [{ name: 'duration', type: '', unit: 'ms', hidden: false, description: 'how long' }],
      });
      const [table] = body.tables;
      assert.equal(table.name, '0');
      assert.deepEqual(table.sources, [{ name: 'logs' }]);
      assert.deepEqual(table.fields, [
        { name: '_sysTime', type: 'datetime' },
        { name: '_time', type: 'datetime' },
        { name: 'duration', type: 'float' },
        { name: 'host', type: 'string' },
        { name: 'status', type: 'integer' },
      ]);
      assert.deepEqual(table.order, [{ field: '_time', desc: true }]);
      assert.deepEqual(table.groups, []);
      assert.deepEqual(table.range, {
        field: '_time',
        start: '2026-01-01T00:00:00Z',
        end: '2026-01-02T00:00:00Z',
      });
      assert.deepEqual(table.columns[4], [500, 500, 500]);
      assert.equal(body.status.rowsExamined, 1_500);
      assert.equal(body.status.rowsMatched, 500);
      assert.equal(body.status.isPartial, false);
      assert.ok(body.status.elapsedTime > 0);
      assert.deepEqual(body.status.messages, []);
    }
  });

  it('contains buckets and a table of totals for a time series', async () => {
    const { body } = await local.query(
      "['logs'] | summarize count(), avg(duration) by bin(_time, 10m), host",
      day,
    );
    assert.deepEqual(checkStrict(TabularResult, body), []);
    const [series, totals] = body.tables;
    assert.deepEqual(series.buckets, { field: '_time', size: 600_000_000_000 });
    assert.deepEqual(
      series.fields.map((field: { name: string }) => field.name),
      ['_time', 'host', 'count_', 'avg_duration'],
    );
    assert.equal(series.fields[2].agg.name, 'count');
    assert.equal(totals.name, '_totals');
    assert.equal(totals.buckets, undefined);
    assert.deepEqual(
      totals.fields.map((field: { name: string }) => field.name),
      ['host', 'count_', 'avg_duration'],
    );
    assert.equal(body.status.numGroups, 5);
    const rows = rowsOf(totals);
    assert.deepEqual(new Set(rows.map((row) => row['count_'])), new Set([300]));
  });

  it('contains time series totals equal to the result without time bins', async () => {
    const items = [
      'a = count(), b = countif(status == 500)',
      'a = sum(status), b = sumif(status, status == 500), c = sum(duration)',
      'a = min(host), b = max(host), c = max(duration), d = maxif(status, status < 300), e = min(_time)',
      'a = min(duration), b = count()',
      'a = dcount(host), b = avg(duration), c = count() + 1',
    ];
    for (const item of items) {
      for (const filter of ['', '| where status == 1', '| where status == 500']) {
        const whole = await local.query(`['logs'] ${filter} | summarize ${item}`, day);
        const series = `['logs'] ${filter} | summarize ${item} by bin(_time, 7m)`;
        for (const stage of [
          '',
          '| sort by a desc, _time asc',
          '| extend f = 1 | project-away f',
        ]) {
          const { body } = await local.query(`${series} ${stage}`, day);
          const [bins, totals] = body.tables;
          assert.deepEqual(totals.columns, whole.body.tables[0].columns, `${series} ${stage}`);
          // Over a range with more bins than the maximum for one statement.
          const { tables, status } = (await local.query(`${series} ${stage}`, ALL_TIMES)).body;
          assert.deepEqual(tables[0].columns, bins.columns, `${series} ${stage}`);
          assert.deepEqual(tables[1].columns, totals.columns, `${series} ${stage}`);
          assert.deepEqual(countsOf(status), countsOf(body.status), `${series} ${stage}`);
        }
      }
    }
  });

  function countsOf({ rowsExamined, rowsMatched, numGroups }: Record<string, unknown>) {
    return [rowsExamined, rowsMatched, numGroups];
  }

  it('contains the total of a time series even if the sums of its bins exceed 64 bits', async () => {
    await local.dataset('great');
    const line = (minute: number, n: string) => `{"_time":"2026-01-01T00:0${minute}:00Z","n":${n}}`;
    const [most, least] = ['9223372036854775807', '-9223372036854775807'];
    const lines = [line(0, most), line(0, most), line(1, least), line(1, least)];
    await local.stored('great', lines.join('\n'));
    const sums = 'a = sum(n), b = count(), c = sumif(n, n > 0)';
    for (const range of [day, ALL_TIMES]) {
      const { body } = await local.query(
        `['great'] | summarize ${sums} by bin(_time, 1m) | sort by _time asc`,
        range,
      );
      const [series, totals] = body.tables;
      assert.deepEqual(series.columns.slice(1), [
        [null, null],
        [2, 2],
        [null, 0],
      ]);
      assert.deepEqual(totals.columns, [[0], [4], [null]]);
    }
  });

  it('reports the examined and matched rows regardless of later stages', async () => {
    const all = [1_500, 1_500];
    const some = [1_500, 500];
    const told: readonly (readonly [string, readonly number[]])[] = [
      ['', all],
      ['| take 0', all],
      ['| where status == 500', some],
      ['| where status == 500 | take 3', some],
      ['| where status == 500 | top 700 by duration', some],
      ['| where status == 1', [1_500, 0]],
      ['| where status == 500 | count', some],
      ['| where status == 500 | summarize n = count() | where n > 9000', some],
      ['| where status == 500 | summarize n = count() by host, duration | top 2 by n', some],
      ['| where status == 500 | summarize n = count() by host | where n < 0', some],
      ['| where status == 1 | summarize n = count() by host', [1_500, 0]],
      ['| summarize count() by host | take 2', all],
      ['| summarize count() by host | summarize max(count_)', all],
      ['| summarize avg(duration) by bin(_time, 10m), host | take 2', all],
      ['| where status == 500 | distinct host', some],
      ['| where status == 500 | extend a = host | where a == ""', some],
    ];
    for (const [stages, counts] of told) {
      const { body, status } = await local.query(`['logs'] ${stages}`, day);
      assert.equal(status, 200, stages);
      const { rowsExamined, rowsMatched } = body.status;
      assert.deepEqual([rowsExamined, rowsMatched], counts, stages);
    }
  });

  it('reports that the default limit removed rows', async () => {
    const { body } = await local.query("['logs']", day);
    assert.equal(body.tables[0].columns[0].length, 1_000);
    const [message] = body.status.messages;
    assert.deepEqual(
      [message.code, message.priority, message.msg],
      ['default_limit_warning', 'warn', 'A default limit of 1000 was applied'],
    );
    const own = await local.query("['logs']", { ...day, defaultLimit: 5 });
    assert.equal(own.body.tables[0].columns[0].length, 5);
    const none = await local.query("['logs'] | where status == 500", day);
    assert.deepEqual(none.body.status.messages, []);
  });

  it('contains empty columns if no row matches', async () => {
    const { body } = await local.query("['logs'] | where status == 1", day);
    assert.deepEqual(body.tables[0].columns, [[], [], [], [], []]);
    const empty = await local.dataset('empty');
    assert.deepEqual((await local.query(`['${empty}']`, day)).body.tables[0].columns, [[], []]);
  });

  it('contains exact values of every type', async () => {
    const { text } = await local.query(
      `print a = 9223372036854775807, b = 1.0, c = 0.1 + 0.2, d = 'x\\n"\\\\', e = true,
         f = datetime(2026-01-02T03:04:05.123456789Z), g = 1h + 2m + 3.5s, h = dynamic([1,"x",null]),
         i = real(null), j = 1ms, k = -90m, l = 0s, m = datetime(2026-01-02)`,
    );
    const columns = /"columns":(\[.*\])\}\]\}$/.exec(text)![1];
    assert.equal(
      columns,
      '[[9223372036854775807],[1.0],[0.30000000000000004],["x\\n\\"\\\\"],[true],' +
        '["2026-01-02T03:04:05.123456789Z"],["1h2m3.5s"],[[1,"x",null]],' +
        '[null],["1ms"],["-1h30m0s"],["0s"],["2026-01-02T00:00:00Z"]]',
    );
  });

  it('is exact if large integers are compared in a column with floats or in an array', async () => {
    await local.dataset('ids');
    const ids = ['1234567890123456789', '1234567890123456780', '0.5'];
    const line = (id: string) => `{"id":${id},"all":[${id}]}`;
    await local.stored('ids', ids.map(line).join('\n'));
    assert.deepEqual(await local.fields('ids'), { all: 'array', id: 'integer|float' });
    const [known, other] = ['1234567890123456780', 'toint("1234567890123456780")'];
    const counts: Readonly<Record<string, number>> = {
      [`id == ${known}`]: 1,
      [`id == ${other}`]: 1,
      [`id < ${known}`]: 1,
      [`${other} < id`]: 1,
      [`id in (${known}, 0.5)`]: 2,
      'id > 0 and id < 1': 1,
      'id <= toint("0")': 0,
      [`all[0] == ${known}`]: 1,
      [`all[0] != ${other}`]: 2,
      [`all[0] between (${known} .. ${other})`]: 1,
      [`set_has_element(all, ${other})`]: 1,
      'all[0] == 0.5': 1,
    };
    for (const [condition, count] of Object.entries(counts)) {
      const found = await local.rows(`['ids'] | where ${condition} | count`);
      assert.deepEqual(found, [{ count }], condition);
    }
    const joined = `['ids'] | extend key = all[0] | join kind=inner (['ids'] | where id > 1 | project key = toint(id)) on key | count`;
    assert.deepEqual(await local.rows(joined), [{ count: 2 }]);
  });

  it('keeps 270,000 rows in order', async () => {
    const apl =
      'print n = range(1, 300000) | mv-expand n to typeof(long) | sort by n asc | take 270000';
    const { body } = await local.query(apl, day);
    const [numbers] = body.tables[0].columns;
    assert.equal(numbers.length, 270_000);
    assert.ok(numbers.every((n: number, i: number) => n === i + 1));
  });

  it('contains 65,000 rows completely and in order', async () => {
    await local.dataset('large');
    for (let part = 0; part < 7; part += 1) {
      const lines = Array.from(
        { length: 10_000 },
        (_, i) => `{"n":${part * 10_000 + i},"s":"é${i}"}`,
      );
      await local.stored('large', lines.join('\n'));
    }
    const rows = await local.rows("['large'] | order by n asc | limit 65000 | project n, s");
    assert.equal(rows.length, 65_000);
    assert.ok(rows.every((row, i) => row['n'] === i && row['s'] === `é${i % 10_000}`));
  });
});

describe('the time range', () => {
  it('includes its start and excludes its end', async () => {
    const between = { startTime: '2026-01-01T00:00:01Z', endTime: '2026-01-01T00:00:03Z' };
    assert.deepEqual(await local.rows("['logs'] | count", between), [{ count: 2 }]);
  });

  it('may be relative to now', async () => {
    await local.dataset('recent');
    await local.stored('recent', [
      { _time: new Date(Date.now() - 30 * 60_000).toISOString() },
      { _time: new Date(Date.now() - 90 * 60_000).toISOString() },
    ]);
    const counts: number[] = [];
    for (const startTime of ['now-10m', 'now-1h', 'now-1d', 'now-1w']) {
      const [row] = await local.rows("['recent'] | count", { startTime, endTime: 'now' });
      counts.push(row!['count'] as number);
    }
    assert.deepEqual(counts, [0, 1, 2, 2]);
  });

  it('defaults to the last ten years', async () => {
    const { body } = await local.query("['logs'] | limit 1");
    const { start, end } = body.tables[0].range;
    assert.ok(Math.abs(Date.parse(end) - Date.now()) < 60_000);
    assert.equal(new Date(end).getUTCFullYear() - new Date(start).getUTCFullYear(), 10);
  });

  it('is rejected if it is invalid', async () => {
    for (const range of [
      { startTime: '2026-01-02T00:00:00Z', endTime: '2026-01-01T00:00:00Z' },
      { startTime: 'yesterday' },
      { startTime: '1500-13-01T00:00:00Z' },
      { startTime: 'now', endTime: 'now-999999999999999999w' },
      { endTime: '' },
      { startTime: 5 },
    ]) {
      const { status, body } = await local.query("['logs']", range);
      assert.equal(status, 400, JSON.stringify(range));
      assert.equal(body.code, 400);
    }
  });
});

describe('variables', () => {
  it('are dynamic if they are arrays or objects', async () => {
    const variables = { ids: [500, 'x', null], of: { a: { b: 2.5 } } };
    const asked = { ...day, variables };
    const [row] = await local.rows(
      'print ids[1], array_length(ids), 1 in (ids), of.a.b, ids',
      asked,
    );
    assert.deepEqual(Object.values(row!), ['x', 3, false, 2.5, [500, 'x', null]]);
    const found = await local.rows('logs | where status in (ids) | count', asked);
    assert.deepEqual(found, [{ count: 500 }]);
    const declared = 'declare query_parameters (of:string = ""); print of';
    assert.deepEqual(await local.rows(declared, asked), [{ of: '{"a":{"b":2.5}}' }]);
  });

  it('can specify the size of a time bin if they are strings', async () => {
    const apl =
      'declare query_parameters (w:timespan = 1h); logs | summarize count() by bin(_time, w)';
    for (const [w, size] of [
      [undefined, 3_600_000_000_000],
      ['5m', 300_000_000_000],
      ['1h2m3.5s', 3_723_500_000_000],
    ] as const) {
      const variables = w === undefined ? {} : { w };
      const { tables } = (await local.query(apl, { ...day, variables })).body;
      assert.deepEqual(
        tables.map(({ name, buckets }: { name: string; buckets?: object }) => [name, buckets]),
        [
          ['0', { field: '_time', size }],
          ['_totals', undefined],
        ],
      );
    }
  });
});

describe('errors', () => {
  it('list every problem with its 1-based line and column', async () => {
    const { status, body } = await local.query(
      "['logs']\n| where strln(host) > 1\n| join (['nope'] | limit 1) on host",
      day,
    );
    assert.equal(status, 400);
    assert.deepEqual(checkStrict(QueryError, body), []);
    assert.equal(body.code, 400);
    assert.equal(body.reason, 'query-malformed');
    assert.deepEqual([body.detail.line, body.detail.column], [2, 9]);
    assert.match(body.message, /strln.*strlen\(\)/);
    const dataset = body.errors.find((error: { code: string }) => error.code === 'unknown-dataset');
    assert.deepEqual([dataset.line, dataset.column, dataset.endColumn], [3, 9, 17]);
  });

  const refused: readonly (readonly [what: string, body: unknown, status: number])[] = [
    ['no text', {}, 400],
    ['empty text', { apl: '' }, 400],
    ['a comment alone', { apl: '// nothing' }, 400],
    ['text of the wrong type', { apl: 5 }, 400],
    ['a list', [], 400],
    ['null', null, 400],
    ['two queries', { apl: "['logs'] | count\n\n['logs'] | count" }, 400],
    ['a cursor', { apl: "['logs']", cursor: 'x' }, 400],
    ['a negative default limit', { apl: "['logs']", defaultLimit: -1 }, 400],
    ['500 kB of (', { apl: '('.repeat(500_000) }, 400],
    ['1 MB of (', { apl: '('.repeat(1_000_000) }, 400],
    ['a body over the limit', { apl: 'x'.repeat(5_000_000) }, 413],
  ];
  for (const [what, body, status] of refused) {
    it(`are clear for ${what}`, async () => {
      const answer = await local.call(
        'POST',
        '/v1/query/_apl?format=tabular',
        JSON.stringify(body),
      );
      assert.equal(answer.status, status, answer.text.slice(0, 300));
      assert.equal(answer.body.code, status);
      assert.ok(answer.body.message.length < 1_000);
    });
  }

  it('use status 422 for an empty body, as clients expect when checking a token', async () => {
    const { status } = await local.call('POST', '/v1/query/_apl?format=tabular', '');
    assert.equal(status, 422);
  });

  it('name the format parameter if it is missing or invalid', async () => {
    for (const [path, word] of [
      ['/v1/query/_apl?format=nonsense', 'format'],
      ['/v1/query/_apl', 'format'],
      ['/v1/datasets/_apl?format=tabular-rows', 'format'],
    ] as const) {
      const { status, body } = await local.call('POST', path, { apl: 'print 1' });
      assert.equal(status, 400, path);
      assert.match(body.message, new RegExp(word));
    }
  });

  it('are not caused by strings that look like file access or SQL statements', async () => {
    for (const text of [
      "'; DROP TABLE events.d1; --",
      "read_text('/etc/passwd')",
      "' || getenv('HOME') || '",
      "\"; ATTACH 'x.db'; --",
    ]) {
      const quoted = JSON.stringify(text);
      const [row] = await local.rows(`print x = ${quoted}`);
      assert.equal(row!['x'], text);
      const answer = await local.query(`['logs'] | where host == ${quoted} | count`, ALL_TIMES);
      assert.deepEqual(answer.body.tables[0].columns, [[0]], answer.text);
      assert.equal((await local.query(`[${quoted}] | count`)).status, 400);
    }
    assert.deepEqual(await local.rows("['logs'] | count"), [{ count: 1_500 }]);
  });
});

describe('concurrent requests', () => {
  it('succeed while a query runs and after it is canceled', {
    timeout: 60_000,
  }, async () => {
    const abort = new AbortController();
    // Joins all rows with each other, which would take minutes.
    const endless = local.query(
      "['large'] | extend k = 1 | join kind=inner (['large'] | extend k = 1) on k | summarize sum(n)",
      ALL_TIMES,
      { signal: abort.signal },
    );
    assert.deepEqual(await local.rows("['logs'] | count"), [{ count: 1_500 }]);
    await local.stored('logs', [{ _time: '2020-01-01T00:00:00Z', status: 1 }]);
    abort.abort();
    await endless;
    assert.deepEqual(await local.rows("['logs'] | count"), [{ count: 1_501 }]);
  });

  it("don't interfere with each other if they read and write one dataset", async () => {
    await local.dataset('busy');
    const writes = Array.from({ length: 12 }, (_, i) =>
      // Each adds its own field, so columns are added during other writes.
      local.stored('busy', [{ [`f${i % 6}`]: i }, { shared: 'x' }]),
    );
    const reads = Array.from({ length: 12 }, () => local.rows("['busy'] | count"));
    await Promise.all([...writes, ...reads]);
    assert.deepEqual(await local.rows("['busy'] | count"), [{ count: 24 }]);
    assert.equal(Object.keys(await local.fields('busy')).length, 7);
  });
});
