// Result formats, pages of events by cursor, query history, and batches.
import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { checkStrict, type LegacyInterval, QueryResult } from '../../api/src/index.ts';
import { SLICE_ROWS } from '../../local/src/engines/answers.ts';
import { Session } from '../../local/src/engines/duckdb/database/session.ts';
import { ALL_TIMES, type Answer, Deployment } from './deployment.ts';

let local: Deployment;
const second = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  // Ten events have the same time, so a page ends between equal times.
  const events = Array.from({ length: 500 }, (_, i) => ({
    _time: second(Math.floor(i / 10)),
    n: i,
    host: `h${i % 3}`,
    text: 'a "quoted"\nline',
  }));
  await local.stored('logs', events);
});
after(() => local.close());

async function ask(format: string, apl: string, members: object = {}): Promise<Answer> {
  const path = `/v1/query/_apl?format=${format}`;
  const answer = await local.call('POST', path, { apl, ...ALL_TIMES, ...members });
  if (answer.status === 200) assert.deepEqual(checkStrict(QueryResult, answer.body), []);
  return answer;
}

describe('the tabular-rows format', () => {
  it('contains the values of the tabular format, arranged by row', async () => {
    const query = "['logs'] | summarize n = count(), m = max(n) by host, bin(_time, 20s)";
    const [columns] = (await ask('tabular', query)).body.tables;
    const [rows, totals] = (await ask('tabular-rows', query)).body.tables;
    assert.equal(rows.columns, undefined);
    const turned = rows.rows[0].map((_: unknown, i: number) =>
      rows.rows.map((row: unknown[]) => row[i]),
    );
    assert.deepEqual(turned, columns.columns);
    assert.deepEqual(rows.fields, columns.fields);
    assert.equal(totals.name, '_totals');
    assert.equal(totals.rows.length, 3);
  });

  it('contains an empty list of rows if no row matches', async () => {
    const { body } = await ask('tabular-rows', "['logs'] | where n < 0");
    assert.deepEqual(body.tables[0].rows, []);
  });
});

describe('a result with groups', () => {
  it('keeps the sort order in results of one slice and of several slices', async () => {
    const events = Array.from({ length: 40_000 }, (_, i) => ({ _time: second(0), n: i }));
    await local.dataset('many');
    for (let from = 0; from < events.length; from += 10_000) {
      await local.stored('many', events.slice(from, from + 10_000));
    }
    for (const limit of [1_000, SLICE_ROWS, SLICE_ROWS + 1, 40_000]) {
      const query = `many | summarize m = max(n) by n | sort by n desc | limit ${limit}`;
      const expected = Array.from({ length: limit }, (_, i) => 40_000 - 1 - i);
      const [{ columns }] = (await ask('tabular', query)).body.tables;
      assert.deepEqual(columns, [expected, expected], `${limit} rows`);
      const { rowsExamined, numGroups } = (await ask('tabular-rows', query)).body.status;
      assert.deepEqual({ rowsExamined, numGroups }, { rowsExamined: 40_000, numGroups: limit });
    }
  });
});

describe('a filter', () => {
  it('reports correct examined and matched row counts if it tests membership in a table', async () => {
    const apl = "['logs'] | where strlen(tostring(n in ((print 7)))) == 4 | project n";
    const { status, body } = await ask('tabular', apl);
    assert.equal(status, 200);
    assert.deepEqual(body.tables[0].columns, [[7]]);
    const { rowsExamined, rowsMatched } = body.status;
    assert.deepEqual({ rowsExamined, rowsMatched }, { rowsExamined: 500, rowsMatched: 1 });
  });
});

describe('a time series', () => {
  it('supports membership tests on a table in its bins, totals and group order', async () => {
    const known = 'array_index_of(dynamic([true]), host in ((print "h1"))) == 0';
    const apl = `['logs'] | summarize n = countif(${known}) by bin(_time, 1h), host | extend yes = ${known} | sort by n desc | limit 1`;
    const [bins, totals] = (await ask('tabular', apl)).body.tables;
    assert.deepEqual(bins.columns.slice(1), [['h1'], [167], [true]]);
    assert.deepEqual(totals.columns, [['h1'], [167], [true]]);
  });
});

describe('the bins of a time series', () => {
  it('are stored in a temporary table only if they exceed one slice', async () => {
    await local.dataset('dense');
    const start = Date.parse('1969-12-31T23:59:50Z');
    const time = (ms: number) => new Date(start + ms).toISOString();
    const events = Array.from({ length: 20_000 }, (_, n) => ({ _time: time(n), n }));
    await local.stored('dense', events.slice(0, 10_000));
    await local.stored('dense', events.slice(10_000));
    for (const [ms, isFew] of [
      [SLICE_ROWS - 2, true],
      [SLICE_ROWS - 1, false],
    ] as const) {
      const range = { startTime: time(1_000), endTime: time(1_000 + ms) };
      const apl = 'dense | summarize s = sum(n), c = count(), m = max(n) by bin(_time, 1ms)';
      const run = mock.method(Session.prototype, 'run');
      const { tables, status } = (await ask('tabular', apl, range)).body;
      run.mock.restore();
      const made = run.mock.calls.filter(({ arguments: [sql] }) => sql.startsWith('CREATE TEMP'));
      assert.equal(made.length, isFew ? 0 : 1, `${ms} ms`);
      const numbers = Array.from({ length: ms }, (_, i) => 1_000 + i);
      const [times, ...columns] = tables[0].columns;
      assert.deepEqual(
        times.map(Date.parse),
        numbers.map((n) => start + n),
      );
      assert.deepEqual(columns, [numbers, numbers.map(() => 1), numbers]);
      const sum = numbers.reduce((a, b) => a + b);
      assert.deepEqual(tables[1].columns, [[sum], [ms], [1_000 + ms - 1]]);
      assert.deepEqual([status.rowsExamined, status.numGroups], [ms, 1]);
    }
  });
});

describe('times', () => {
  it('have as many fractional digits as needed, before and after 1970', async () => {
    const times = [
      '1677-09-22T00:00:00Z',
      '1969-12-31T23:59:59.999999999Z',
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:00.000000001Z',
      '2026-02-28T23:59:59.5Z',
      '2262-04-11T23:47:16.854775806Z',
      null,
    ];
    const items = times.map((time, i) => `t${i} = datetime(${time})`);
    const [{ columns }] = (await ask('tabular', `print ${items.join(', ')}`)).body.tables;
    assert.deepEqual(columns.flat(), times);
    for (const time of ['1677-09-21T23:59:59Z', '2262-04-11T23:47:16.854775807Z']) {
      assert.equal((await ask('tabular', `print datetime(${time})`)).status, 400, time);
    }
  });
});

describe('the legacy format', () => {
  it('returns events as matches, with the projected columns', async () => {
    const { body } = await ask(
      'legacy',
      "['logs'] | where n == 7 | project n, text, double = n * 2",
    );
    assert.equal(body.format, 'legacy');
    assert.equal(body.tables, undefined);
    const [match, ...others] = body.matches;
    assert.deepEqual(others, []);
    assert.deepEqual(match.data, { n: 7, text: 'a "quoted"\nline', double: 14 });
    assert.equal(match._time, '2026-01-01T00:00:00Z');
    assert.match(match._rowId, /^\d+@\d+-\d+$/);
  });

  it('returns groups as totals, and also as a series if grouped by time', async () => {
    const plain = (
      await ask('legacy', "['logs'] | summarize n = count() by host | sort by host asc")
    ).body;
    assert.deepEqual(
      plain.buckets.totals.map(({ group, aggregations }: Record<string, unknown>) => [
        group,
        aggregations,
      ]),
      [
        [{ host: 'h0' }, [{ op: 'n', value: 167 }]],
        [{ host: 'h1' }, [{ op: 'n', value: 167 }]],
        [{ host: 'h2' }, [{ op: 'n', value: 166 }]],
      ],
    );
    const { startTime, endTime } = ALL_TIMES;
    assert.deepEqual(plain.buckets.series, [{ startTime, endTime, groups: plain.buckets.totals }]);
    const { buckets } = (await ask('legacy', "['logs'] | summarize n = count() by bin(_time, 25s)"))
      .body;
    assert.deepEqual(
      buckets.series.map(({ startTime, endTime, groups }: LegacyInterval) => [
        startTime,
        endTime,
        groups?.[0]?.aggregations?.[0]?.value,
      ]),
      [
        ['2026-01-01T00:00:00Z', '2026-01-01T00:00:25Z', 250],
        ['2026-01-01T00:00:25Z', '2026-01-01T00:00:50Z', 250],
      ],
    );
    assert.deepEqual(buckets.totals[0].aggregations, [{ op: 'n', value: 500 }]);
  });

  it("returns a single interval for the query's range if the result isn't grouped by time", async () => {
    const { startTime, endTime } = ALL_TIMES;
    for (const [apl, groups] of [
      ["['logs'] | count", 1],
      ["['logs'] | summarize max(n)", 1],
      ["['logs'] | summarize count() by n | limit 20", 20],
      ["['logs'] | where n < 0 | summarize count() by n", 0],
      ["['logs'] | summarize n = count() by bin(_time, 25s), host | project host, n", 6],
    ] as const) {
      const { status, text, body } = await ask('legacy', apl);
      assert.equal(status, 200, text);
      const { series, totals } = body.buckets;
      const [{ groups: found, ...interval }, ...others] = series;
      assert.deepEqual([interval, others], [{ startTime, endTime }, []]);
      assert.equal(found.length, groups, apl);
      // Without bins, the totals equal these groups. With bins and a hidden time column, they are
      // those of the range.
      if (apl.includes('bin(')) assert.equal(totals.length, 3);
      else assert.deepEqual(totals, found);
      assert.equal(text.match(/"totals":/g)?.length, 1);
    }
  });

  it('returns a single interval if a computed column replaces _time', async () => {
    const query =
      "['logs'] | summarize n = count() by bin(_time, 25s) | extend _time = tostring(_time)";
    const { series, totals } = (await ask('legacy', query)).body.buckets;
    assert.deepEqual(series, [{ ...ALL_TIMES, groups: totals }]);
    assert.deepEqual(
      totals.map(({ group }: { group: object }) => group),
      [{ _time: '2026-01-01T00:00:00Z' }, { _time: '2026-01-01T00:00:25Z' }],
    );
  });

  it('keeps an array in a column named _time', async () => {
    const { body } = await ask('legacy', 'print _time = dynamic([1, 2]), _sysTime = "s"');
    assert.deepEqual(body.matches[0].data, { _time: [1, 2], _sysTime: 's' });
  });

  it('gives each group a distinct id', async () => {
    const { totals } = (await ask('legacy', "['logs'] | summarize count() by host")).body.buckets;
    assert.equal(new Set(totals.map(({ id }: { id: number }) => id)).size, 3);
  });
});

describe('the request in a legacy response', () => {
  const request = async (apl: string, members: object = {}) =>
    (await ask('legacy', apl, members)).body.request;

  it('contains the resolution, aggregations and groups of the query', async () => {
    const {
      startTime: _s,
      endTime: _e,
      ...rest
    } = await request(
      "['logs'] | summarize c = count(), p = percentile(n, 95) by host, bin(_time, 10s)",
    );
    assert.deepEqual(rest, {
      resolution: '10s',
      aggregations: [
        { op: 'count', field: '*', alias: 'c' },
        { op: 'percentiles', field: 'n', argument: 95, alias: 'p' },
      ],
      groupBy: ['host', '_time'],
      order: rest.order,
      limit: 1_000,
    });
  });

  it('causes no internal error for long or deeply nested filters', async () => {
    const many = `['logs'] | where ${'n == 1 and '.repeat(600)}n == 2`;
    assert.ok([200, 400].includes((await ask('legacy', many)).status));
    const deep = `['logs'] | where ${'('.repeat(5_000)}n == 1${')'.repeat(5_000)}`;
    assert.ok([200, 400].includes((await ask('legacy', deep)).status));
  });
  it("contains the query's range, limit and cursor", async () => {
    const { body } = await ask('legacy', "['logs'] | limit 3", { includeCursor: true });
    const cursor = body.status.minCursor;
    const { startTime, endTime, limit, ...rest } = await request("['logs'] | limit 2", {
      cursor,
      includeCursor: true,
    });
    assert.deepEqual([startTime, endTime], [ALL_TIMES.startTime, ALL_TIMES.endTime]);
    assert.deepEqual([limit, rest.cursor, rest.includeCursor], [2, cursor, true]);
    assert.equal((await request("['logs']")).limit, 1_000);
  });
});

describe('the query history', () => {
  const run = (parameters: string, body: object = { apl: "['logs'] | count" }) =>
    local.call('POST', `/v1/query/_apl?format=tabular${parameters}`, body);
  const idOf = ({ headers }: Answer) => headers.get('x-axiom-history-query-id');

  it('returns a saved query by the id in the response header, including after a restart', async () => {
    const body = { apl: "['logs'] | count", startTime: 'now-1h', variables: { big: 1 } };
    const id = idOf(await run('&saveAsKind=analytics', body));
    assert.ok(id);
    const path = `/v1/datasets/_history/${id}`;
    const kept = (await local.call('GET', path)).body;
    assert.deepEqual(
      [kept.id, kept.kind, kept.dataset, kept.query],
      [id, 'analytics', 'logs', body],
    );
    await local.reopen();
    assert.deepEqual((await local.call('GET', path)).body, kept);
  });

  it('stores the dataset named in the request and the query kind apl', async () => {
    const id = idOf(await run('&saveAsKind=true&id=other'));
    const { kind, dataset } = (await local.call('GET', `/v1/datasets/_history/${id}`)).body;
    assert.deepEqual([kind, dataset], ['apl', 'other']);
  });

  it('omits queries without saveAsKind and queries that fail', async () => {
    for (const parameters of ['', '&saveAsKind=', '&saveAsKind=false']) {
      assert.equal(idOf(await run(parameters)), null, parameters);
    }
    const failed = await run('&saveAsKind=apl', { apl: 'nothing' });
    assert.deepEqual([failed.status, idOf(failed)], [400, null]);
    assert.equal((await local.call('GET', '/v1/datasets/_history/none')).status, 404);
  });

  it('removes a query after a thousand newer queries', async () => {
    const { history } = local.store;
    const query = (id: string) => ({
      ...{ id, kind: 'apl', dataset: '', who: 'u', created: '2026-01-01T00:00:00Z' },
      query: { apl: 'print 1' },
    });
    for (let i = 0; i < 1_150; i += 1) await history.add(query(`q${i}`), 'token');
    assert.equal(await history.get('q0'), undefined);
    assert.equal((await history.get('q1149'))?.query.id, 'q1149');
    assert.equal((await history.get('q200'))?.query.id, 'q200');
  });
});

describe('pages read by cursor', () => {
  async function pages(apl: string, end: 'minCursor' | 'maxCursor'): Promise<number[][]> {
    const found: number[][] = [];
    let cursor: string | undefined;
    for (let i = 0; i < 20; i++) {
      const { status, body, text } = await ask(
        'tabular',
        apl,
        cursor === undefined ? { includeCursor: true } : { cursor },
      );
      assert.equal(status, 200, text);
      const [values] = body.tables[0].columns;
      if (values.length === 0) break;
      found.push(values);
      cursor = body.status[end];
    }
    return found;
  }

  it('contain every event exactly once, newest first, even if times are equal', async () => {
    const found = await pages("['logs'] | project n | limit 64", 'minCursor');
    assert.deepEqual(
      found.map((page) => page.length),
      [64, 64, 64, 64, 64, 64, 64, 52],
    );
    assert.deepEqual(
      found.flat(),
      Array.from({ length: 500 }, (_, i) => 499 - i),
    );
  });

  it('contain every event exactly once, oldest first', async () => {
    const found = await pages("['logs'] | sort by _time asc | project n | limit 99", 'maxCursor');
    assert.deepEqual(
      found.flat(),
      Array.from({ length: 500 }, (_, i) => i),
    );
  });

  it('contain every event exactly once if equal times have a second sort key', async () => {
    await local.dataset('ties');
    const values = [2, 3, 1, 5, 4, 6];
    await local.stored(
      'ties',
      values.map((n, i) => ({ _time: `2026-01-01T00:00:0${i < 3 ? 1 : 0}Z`, n })),
    );
    for (const [direction, end] of [
      ['desc', 'minCursor'],
      ['asc', 'maxCursor'],
    ] as const) {
      const found = await pages(`['ties'] | sort by _time ${direction}, n desc | project n`, end);
      assert.deepEqual(
        found.map((page) => page.length),
        [6],
      );
    }
  });

  it('work with filters and computed columns', async () => {
    const found = await pages(
      "['logs'] | where host == 'h1' | extend d = n * 2 | project d | limit 50",
      'minCursor',
    );
    assert.equal(found.flat().length, 167);
    assert.equal(new Set(found.flat()).size, 167);
  });

  it('include the event at the cursor on request', async () => {
    const first = (await ask('tabular', "['logs'] | project n | limit 5", { includeCursor: true }))
      .body;
    const cursor = first.status.minCursor;
    const next = async (includeCursor: boolean) =>
      (await ask('tabular', "['logs'] | project n | limit 2", { cursor, includeCursor })).body
        .tables[0].columns[0];
    assert.deepEqual(await next(false), [494, 493]);
    assert.deepEqual(await next(true), [495, 494]);
  });

  it('have the oldest and newest cursor in the response status, regardless of the cursor options', async () => {
    const cursors = async (members: object, format = 'tabular') => {
      const { status } = (await ask(format, "['logs'] | limit 3", members)).body;
      return [status.minCursor, status.maxCursor];
    };
    const [oldest] = await cursors({});
    for (const members of [
      {},
      { includeCursor: false },
      { cursor: '' },
      { includeCursor: true },
      { includeCursorField: true },
      { cursor: oldest },
      { cursor: oldest, includeCursor: false },
    ]) {
      for (const found of await cursors(members)) assert.equal(typeof found, 'string');
    }
    for (const format of ['legacy', 'tabular-rows']) {
      const found = await cursors({}, format);
      assert.deepEqual(found, await cursors({}));
    }
  });

  it('include a cursor column on request', async () => {
    const apl = "['logs'] | project _cursor = 'mine', n | limit 3";
    const { body } = await ask('tabular', apl, { includeCursorField: true });
    const [table] = body.tables;
    assert.deepEqual(
      table.fields.map(({ name }: { name: string }) => name),
      ['n', '_cursor'],
    );
    assert.equal(table.columns[1][2], body.status.minCursor);
    assert.equal(table.columns[1][0], body.status.maxCursor);
  });

  it('have a cursor column for any sort order, and contain equal rows in arrival order', async () => {
    const apl = "['ties'] | extend at = _sysTime | sort by at asc | project n, at | limit 400";
    const { body } = await ask('tabular', apl, { includeCursorField: true });
    const [{ fields, columns }] = body.tables;
    assert.deepEqual(
      fields.map(({ name }: { name: string }) => name),
      ['n', 'at', '_cursor'],
    );
    const rows = columns[2].map((cursor: string) => Number(cursor.split('-').at(-1)));
    assert.ok(rows.length > 1);
    assert.deepEqual(
      rows,
      rows.map((_: number, index: number) => rows[0] + index),
    );
    // These cursors can't be used for pages.
    assert.equal(body.status.minCursor, undefined);
    const grouped = await ask('tabular', "['ties'] | summarize count() by n", {
      includeCursorField: true,
    });
    assert.ok(
      grouped.body.tables[0].fields.every(({ name }: { name: string }) => name !== '_cursor'),
    );
  });

  it("are refused if the cursor is invalid or the query isn't sorted by _time", async () => {
    const { cursor } = { cursor: '1767225600000000000-3' };
    for (const apl of [
      "['logs'] | count",
      "['logs'] | sort by n asc",
      "['logs'] | extend _time = _time - n * 1s | sort by _time asc",
      'print 1',
      "union ['logs'], ['logs']",
    ]) {
      const { status, body } = await ask('tabular', apl, { cursor });
      assert.equal(status, 400, apl);
      assert.match(body.message, /order of _time/);
    }
    for (const bad of ['x', '1-2-3-4', '1-2--3', "1-2' OR 1=1", '99999999999999999999-1']) {
      const { status, body } = await ask('tabular', "['logs']", { cursor: bad });
      assert.equal(status, 400, bad);
      assert.equal(body.reason, 'bad-cursor');
    }
  });

  it('contain no cursors if the rows are groups', async () => {
    const { body } = await ask('tabular', "['logs'] | summarize count() by host");
    assert.equal(body.status.minCursor, undefined);
  });
});

describe('the response to a saved query', () => {
  it('has a new id in the x-axiom-history-query-id header', async () => {
    const path = '/v1/query/_apl?format=tabular&saveAsKind=apl';
    const first = await local.call('POST', path, { apl: "['logs'] | count", ...ALL_TIMES });
    const second = await local.call('POST', path, { apl: "['logs'] | count", ...ALL_TIMES });
    const ids = [first, second].map(({ headers }) => headers.get('x-axiom-history-query-id'));
    assert.match(ids[0] ?? '', /^[\w-]{20}$/);
    assert.notEqual(ids[0], ids[1]);
    assert.equal((await ask('tabular', 'print 1')).headers.get('x-axiom-history-query-id'), null);
  });
});

describe('a batch', () => {
  interface Event {
    readonly queryId: string;
    readonly kind: string;
    // biome-ignore lint/suspicious/noExplicitAny: results and errors of every shape.
    readonly [member: string]: any;
  }

  async function batch(items: readonly object[], parameters = ''): Promise<Map<string, Event>> {
    const { status, headers, text } = await local.call(
      'POST',
      `/v1/query/batch${parameters}`,
      items,
    );
    assert.equal(status, 200, text);
    assert.equal(headers.get('content-type'), 'text/event-stream');
    const events = text.split('\n\n').filter((part) => part !== '');
    return new Map(
      events.map((part) => {
        const [event = '', data = '', ...rest] = part.split('\n');
        assert.deepEqual(rest, []);
        const parsed = JSON.parse(data.replace(/^data: /, '')) as Event;
        assert.equal(event, `event: ${parsed.kind}`);
        return [parsed.queryId, parsed];
      }),
    );
  }

  it("returns each result or error under its query's id", async () => {
    const found = await batch([
      { queryId: 'all', aplRequest: { apl: "['logs'] | sort by n asc | limit 500", ...ALL_TIMES } },
      { queryId: 'one', aplRequest: { apl: "['logs'] | count", ...ALL_TIMES } },
      { queryId: 'bad', aplRequest: { apl: "['logs'] | where nothing == 1", ...ALL_TIMES } },
      { queryId: 'metrics', mplRequest: { mpl: 'x', ...ALL_TIMES } },
    ]);
    assert.deepEqual([...found.keys()].sort(), ['all', 'bad', 'metrics', 'one']);
    assert.deepEqual(checkStrict(QueryResult, found.get('all')!['result']), []);
    assert.equal(found.get('all')!['result'].tables[0].columns[0].length, 500);
    assert.deepEqual(found.get('one')!['result'].tables[0].columns, [[500]]);
    assert.equal(found.get('bad')!['error'].code, 400);
    assert.deepEqual(found.get('bad')!['error'].detail.column, 18);
    assert.equal(found.get('metrics')!['error'].reason, 'metrics-unsupported');
    assert.equal(found.get('metrics')!.kind, 'mpl');
  });

  it('returns every result despite a concurrency limit, and no result if it has no queries', async () => {
    const items = Array.from({ length: 40 }, (_, i) => ({
      queryId: `q${i}`,
      aplRequest: { apl: `['logs'] | where n == ${i} | project n`, ...ALL_TIMES },
    }));
    const found = await batch(items, '?maxConcurrency=3');
    for (let i = 0; i < 40; i++)
      assert.deepEqual(found.get(`q${i}`)!['result'].tables[0].columns, [[i]]);
    assert.equal((await batch([])).size, 0);
  });
});
