// Structured queries: each operator and function returns the same result as the equivalent APL
// query.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkStrict, StructuredResult } from '../../api/src/index.ts';
import { AGGREGATIONS } from '../../local/src/structured/aggregations.ts';
import { FILTER_OPERATORS } from '../../local/src/structured/filters.ts';
import { ALL_TIMES, Deployment } from './deployment.ts';

let local: Deployment;
const START = '2026-01-01T00:00:00Z';
const at = (second: number) => new Date(Date.parse(START) + second * 1_000).toISOString();
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.call('POST', '/v2/datasets/logs/mapfields', { name: 'labels' });
  const texts = ['GET /a', 'get /b', 'POST /a', 'PUT /c.txt', 'it\'s \\ "odd"\n'];
  await local.stored(
    'logs',
    Array.from({ length: 60 }, (_, i) => ({
      _time: at(i * 10),
      n: i % 7,
      f: i / 4,
      ok: i % 3 === 0,
      text: texts[i % texts.length],
      tags: i % 2 === 0 ? ['even', 'all'] : ['all'],
      when: at(i),
      'user.name': `u${i % 4}`,
      labels: { zone: `z${i % 2}` },
      ...(i % 5 === 0 ? { rare: i } : {}),
    })),
  );
});
after(() => local.close());

const paths = { v1: '/v1/datasets/logs/query', v2: '/v2/datasets/logs/query' };

async function ask(body: object, path = paths.v1) {
  const answer = await local.call('POST', path, { ...ALL_TIMES, resolution: 'auto', ...body });
  assert.equal(answer.status, 200, `${JSON.stringify(body)}: ${answer.text}`);
  assert.deepEqual(checkStrict(StructuredResult, answer.body), []);
  return answer.body;
}

async function apl(stages: string) {
  const path = '/v1/query/_apl?format=legacy';
  const answer = await local.call('POST', path, { ...ALL_TIMES, apl: `logs${stages}` });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

async function refusal(body: object): Promise<string> {
  const sent = { ...ALL_TIMES, resolution: 'auto', ...body };
  const answer = await local.call('POST', paths.v1, sent);
  assert.equal(answer.status, 400, answer.text);
  return answer.body.message;
}

/** Filters by operator, with the equivalent APL condition. */
const filters: readonly (readonly [
  filter: Readonly<Record<string, unknown>> & { readonly op: string },
  condition: string,
])[] = [
  [{ op: '==', field: 'n', value: 3 }, 'n == 3'],
  [{ op: '==', field: 'text', value: 'GET /a', caseSensitive: false }, "text == 'GET /a'"],
  [{ op: '==', field: 'ok', value: true }, 'ok == true'],
  [{ op: '==', field: 'f', value: 2.25 }, 'f == 2.25'],
  [{ op: '==', field: 'text', value: 'it\'s \\ "odd"\n' }, 'text contains "odd"'],
  [{ op: '==', field: 'when', value: at(5) }, `when == datetime(${at(5)})`],
  [{ op: '==', field: 'user.name', value: 'u1' }, "['user.name'] == 'u1'"],
  [{ op: '==', field: 'labels.zone', value: 'z1' }, "labels['zone'] == 'z1'"],
  [{ op: 'eq', field: 'text', value: 'get /A', caseSensitive: false }, "text =~ 'get /a'"],
  [{ op: 'eq', field: 'text', value: 'get /b', caseSensitive: true }, "text == 'get /b'"],
  [{ op: '!=', field: 'text', value: 'get /b' }, "text != 'get /b'"],
  [{ op: 'ne', field: 'text', value: 'GET /B', caseSensitive: false }, "text !~ 'GET /B'"],
  [{ op: '>', field: 'n', value: 4 }, 'n > 4'],
  [{ op: 'gt', field: 'n', value: 4 }, 'n > 4'],
  [{ op: '>=', field: 'f', value: 10.5 }, 'f >= 10.5'],
  [{ op: 'gte', field: 'n', value: 4 }, 'n >= 4'],
  [{ op: '<', field: '_time', value: at(95) }, `_time < datetime(${at(95)})`],
  [{ op: 'lt', field: 'n', value: 4 }, 'n < 4'],
  [{ op: '<=', field: 'n', value: 4 }, 'n <= 4'],
  [{ op: 'lte', field: 'n', value: 4 }, 'n <= 4'],
  [{ op: 'exists', field: 'rare' }, 'isnotnull(rare)'],
  [{ op: 'not-exists', field: 'rare', value: null }, 'isnull(rare)'],
  [{ op: 'notexists', field: 'rare' }, 'isnull(rare)'],
  [{ op: 'starts-with', field: 'text', value: 'get' }, "text startswith 'get'"],
  [{ op: 'startswith', field: 'text', value: 'get' }, "text startswith 'get'"],
  [
    { op: 'starts-with', field: 'text', value: 'get', caseSensitive: true },
    "text startswith_cs 'get'",
  ],
  [{ op: 'not-starts-with', field: 'text', value: 'GET' }, "text !startswith 'GET'"],
  [{ op: 'notstartswith', field: 'text', value: 'GET' }, "text !startswith 'GET'"],
  [{ op: 'ends-with', field: 'text', value: '/A' }, "text endswith '/A'"],
  [{ op: 'endswith', field: 'text', value: '/A' }, "text endswith '/A'"],
  [{ op: 'not-ends-with', field: 'text', value: '/a' }, "text !endswith '/a'"],
  [{ op: 'notendswith', field: 'text', value: '/a' }, "text !endswith '/a'"],
  [{ op: 'contains', field: 'text', value: 'ET' }, "text contains 'ET'"],
  [{ op: 'contains', field: 'text', value: 'ET', caseSensitive: true }, "text contains_cs 'ET'"],
  [{ op: 'contains', field: 'tags', value: 'even' }, 'array_length(tags) == 2'],
  [{ op: 'not-contains', field: 'tags', value: 'even' }, 'array_length(tags) == 1'],
  [{ op: 'notcontains', field: 'text', value: 'et' }, "text !contains 'et'"],
  [{ op: 'regexp', field: 'text', value: '^(GET|PUT) ' }, "text matches regex '^(GET|PUT) '"],
  [{ op: 'not-regexp', field: 'text', value: '[.]txt$' }, "text !endswith '.txt'"],
  [{ op: 'notregexp', field: 'text', value: '[.]txt$' }, "text !endswith '.txt'"],
  [
    {
      op: 'and',
      field: '',
      children: [
        { op: '>', field: 'n', value: 1 },
        {
          op: 'or',
          children: [
            { op: '==', field: 'ok', value: true },
            { op: 'exists', field: 'rare' },
          ],
        },
      ],
    },
    'n > 1 and (ok or isnotnull(rare))',
  ],
  [
    {
      op: 'or',
      children: [
        { op: '<', field: 'n', value: 1 },
        { op: '>', field: 'n', value: 5 },
      ],
    },
    'n < 1 or n > 5',
  ],
  [
    {
      op: 'not',
      children: [
        { op: '<', field: 'n', value: 4 },
        { op: '==', field: 'ok', value: true },
      ],
    },
    'not(n < 4 and ok)',
  ],
];

describe('a filter of a structured query', () => {
  for (const [filter, condition] of filters) {
    it(`${JSON.stringify(filter)} equals ${condition}`, async () => {
      const { matches, status } = await ask({ filter });
      const expected = await apl(` | where ${condition}`);
      assert.ok(expected.matches.length > 0 && expected.matches.length < 60, 'it proves nothing');
      assert.deepEqual(matches, expected.matches);
      assert.deepEqual(
        [status.rowsExamined, status.rowsMatched],
        [expected.status.rowsExamined, expected.status.rowsMatched],
      );
    });
  }

  it('has a test for every operator', () => {
    const tried = new Set(filters.map(([{ op }]) => op));
    assert.deepEqual(
      FILTER_OPERATORS.filter((op) => !tried.has(op)),
      [],
    );
  });

  it('matches every event if it has no conditions', async () => {
    const empty = { op: '', field: '', value: null, caseSensitive: false, children: null };
    for (const filter of [undefined, null, {}, empty, { op: 'and', children: [empty] }]) {
      assert.equal((await ask({ filter })).matches.length, 60);
    }
  });

  it('uses children only for the operators and, or and not', async () => {
    const children = [{ op: '==', field: 'n', value: 99 }];
    const { matches } = await ask({ filter: { op: 'exists', field: 'rare', children } });
    assert.equal(matches.length, 12);
  });

  it('is rejected with its position if it is invalid', async () => {
    const child = { op: 'near', field: 'n' };
    for (const [filter, message] of [
      [{ op: 'and', children: [child] }, /filter\.children\[0\]\.op must be one of and, or, not/],
      [{ op: '==', field: 'nothing', value: 1 }, /filter\.field must name a field of the dataset/],
      [{ op: '==', field: 'n' }, /filter\.value must be text, a number, true or false/],
      [{ op: '==', field: 'n', value: [1] }, /filter\.value must be/],
      [{ op: 'regexp', field: 'text', value: 1 }, /filter\.value must be text/],
      [{ op: 'regexp', field: 'text', value: '(' }, /./],
      [{ op: 'and', children: [5] }, /filter\.children\[0\] must be an object/],
      [{ op: 'and', children: { op: '==' } }, /filter\.children must be a list/],
    ] as const) {
      assert.match(await refusal({ filter }), message);
    }
  });
});

/** Aggregations, with the equivalent APL aggregate. */
const aggregations: readonly (readonly [
  aggregation: Readonly<Record<string, unknown>> & { readonly op: string },
  aggregate: string,
])[] = [
  [{ op: 'count', field: '*' }, 'count()'],
  [{ op: 'count' }, 'count()'],
  [{ op: 'count', field: 'rare' }, 'countif(isnotnull(rare))'],
  [{ op: 'countif', field: '*', argument: 'n > 3' }, 'countif(n > 3)'],
  [{ op: 'countif', field: 'ok', argument: '' }, 'countif(ok)'],
  [{ op: 'distinct', field: 'text' }, 'dcount(text)'],
  [{ op: 'distinctif', field: 'text', argument: 'ok' }, 'dcountif(text, ok)'],
  [{ op: 'sum', field: 'n' }, 'sum(n)'],
  [{ op: 'sumif', field: 'n', argument: 'ok' }, 'sumif(n, ok)'],
  [{ op: 'avg', field: 'f' }, 'avg(f)'],
  [{ op: 'avgif', field: 'f', argument: 'ok' }, 'avgif(f, ok)'],
  [{ op: 'min', field: 'f' }, 'min(f)'],
  [{ op: 'minif', field: 'f', argument: 'n > 2' }, 'minif(f, n > 2)'],
  [{ op: 'max', field: 'text' }, 'max(text)'],
  [{ op: 'maxif', field: 'f', argument: 'n < 2' }, 'maxif(f, n < 2)'],
  [{ op: 'stdev', field: 'f' }, 'stdev(f)'],
  [{ op: 'stdevif', field: 'f', argument: 'ok' }, 'stdevif(f, ok)'],
  [{ op: 'variance', field: 'f' }, 'variance(f)'],
  [{ op: 'varianceif', field: 'f', argument: 'ok' }, 'varianceif(f, ok)'],
  [{ op: 'rate', field: 'n' }, 'rate(n)'],
  [{ op: 'topk', field: 'text', argument: 2 }, 'topk(text, 2)'],
  [{ op: 'topk', field: 'text' }, 'topk(text, 10)'],
  [{ op: 'histogram', field: 'f', argument: 4 }, 'histogram(f, 4)'],
  [{ op: 'percentiles', field: 'f', argument: [50, 95] }, 'percentiles_array(f, 50, 95)'],
  [{ op: 'percentiles', field: 'f', argument: 50 }, 'percentiles_array(f, 50)'],
  [{ op: 'makeset', field: 'n' }, 'make_set(n)'],
  [{ op: 'makeset', field: 'n', argument: 2 }, 'make_set(n, 2)'],
  [{ op: 'makesetif', field: 'n', argument: 'ok' }, 'make_set_if(n, ok)'],
  [{ op: 'makelist', field: 'user.name' }, "make_list(['user.name'])"],
  [{ op: 'makelistif', field: 'n', argument: 'ok' }, 'make_list_if(n, ok)'],
  [{ op: 'argmin', field: 'f' }, 'min(f)'],
  [{ op: 'argmin', field: 'f', argument: 'f' }, 'min(f)'],
  [{ op: 'argmax', field: 'f' }, 'max(f)'],
];

describe('an aggregation of a structured query', () => {
  for (const [aggregation, aggregate] of aggregations) {
    it(`${JSON.stringify(aggregation)} equals ${aggregate}, in total and over time`, async () => {
      const { op } = aggregation;
      const { buckets, status } = await ask({ aggregations: [aggregation], resolution: '2m' });
      const expected = await apl(
        ` | summarize ${op.toUpperCase()} = ${aggregate} by bin(_time, 2m)`,
      );
      assert.deepEqual(buckets, expected.buckets);
      assert.equal(status.numGroups, expected.status.numGroups);
      assert.equal(buckets.series.length, 5);
    });
  }

  it('has a test for every function', () => {
    const tried = new Set(aggregations.map(([{ op }]) => op));
    assert.deepEqual(
      AGGREGATIONS.filter((op) => !tried.has(op)),
      [],
    );
  });

  it('returns, for argmax and argmin, a field of the event with the greatest or least argument', async () => {
    const { buckets } = await ask({
      aggregations: [
        { op: 'argmax', field: 'text', argument: 'f', alias: 'last' },
        { op: 'argmin', field: 'text', argument: 'f', alias: 'first' },
      ],
      groupBy: ['ok'],
      order: [{ field: 'ok', desc: false }],
    });
    const found = await apl(
      ' | summarize arg_max(f, last = text), a = arg_min(f, first = text) by ok | sort by ok asc | project ok, last, first',
    );
    assert.deepEqual(
      buckets.totals.map(({ group, aggregations: [last, first] }: Group) => [
        group['ok'],
        last!.value,
        first!.value,
      ]),
      found.buckets.totals.map(({ group, aggregations: [last, first] }: Group) => [
        group['ok'],
        last!.value,
        first!.value,
      ]),
    );
  });

  it('is named by its alias or its capitalized function, with a number if the name is taken', async () => {
    const { buckets } = await ask({
      aggregations: [
        { op: 'sum', field: 'n' },
        { op: 'sum', field: 'f' },
        { op: 'max', field: 'n', alias: 'most' },
      ],
    });
    const [{ aggregations: told }] = buckets.totals;
    assert.deepEqual(
      told.map(({ op }: { op: string }) => op),
      ['SUM', 'SUM_2', 'most'],
    );
  });

  it('is rejected with its position if it is invalid', async () => {
    for (const [aggregation, message] of [
      [{ op: 'median', field: 'n' }, /aggregations\[0\]\.op must be one of count, countif/],
      [{ op: 'sum', field: '*' }, /aggregations\[0\]\.field must name a field/],
      [
        { op: 'sum', field: 'nothing' },
        /aggregations\[0\]\.field must name a field of the dataset/,
      ],
      [
        { op: 'topk', field: 'n', argument: 'many' },
        /aggregations\[0\]\.argument must be a number/,
      ],
      [{ op: 'countif', field: '*' }, /aggregations\[0\]\.argument must be a condition in APL/],
      [{ op: 'countif', field: '*', argument: 'n >' }, /aggregations\[0\]\.argument: /],
    ] as const) {
      assert.match(await refusal({ aggregations: [aggregation] }), message);
    }
  });
});

interface Group {
  readonly group: Readonly<Record<string, unknown>>;
  readonly aggregations: readonly { readonly op: string; readonly value: unknown }[];
}

describe('a structured query', () => {
  it('groups, sorts and limits rows like an APL query', async () => {
    const { buckets } = await ask({
      aggregations: [{ op: 'count', alias: 'events' }],
      groupBy: ['user.name', 'labels.zone'],
      order: [
        { field: 'events', desc: true },
        { field: 'user.name', desc: true },
      ],
      limit: 2,
      resolution: '5m',
    });
    const expected = await apl(
      " | summarize events = count() by bin(_time, 5m), ['user.name'], ['labels.zone'] = labels['zone'] | sort by events desc, ['user.name'] desc | limit 2",
    );
    assert.equal(expected.buckets.totals.length, 2);
    assert.deepEqual(buckets, expected.buckets);
  });

  it('computes virtual fields from earlier virtual fields and filters by them', async () => {
    const { matches } = await ask({
      virtualFields: [
        { alias: 'twice', expr: 'n * 2' },
        { alias: 'big one', expr: 'twice > 8' },
      ],
      filter: { op: '==', field: 'big one', value: true },
      order: [{ field: 'twice', desc: false }],
      limit: 3,
    });
    const expected = await apl(
      " | extend twice = n * 2 | extend ['big one'] = twice > 8 | where ['big one'] == true | sort by twice asc | limit 3",
    );
    assert.deepEqual(matches, expected.matches);
  });

  it('projects fields under their aliases and keeps the time columns', async () => {
    const { matches } = await ask({
      project: [
        { field: 'n', alias: 'number' },
        { field: 'labels.zone' },
        { field: 'text', alias: '' },
      ],
      order: [{ field: 'n', desc: true }],
      limit: 1,
    });
    const [{ data, _time }] = matches;
    assert.deepEqual(data, { number: 6, 'labels.zone': 'z0', text: 'get /b' });
    assert.equal(Date.parse(_time), Date.parse(at(60)));
  });

  it('continues from a cursor', async () => {
    const first = await ask({ limit: 10, includeCursor: true });
    const cursor = first.status.minCursor;
    const second = await ask({ limit: 10, cursor });
    const all = await ask({ limit: 20 });
    assert.deepEqual([...first.matches, ...second.matches], all.matches);
    const from = await ask({ limit: 1, cursor: first.matches[4]._rowId, includeCursor: true });
    assert.deepEqual(from.matches, [first.matches[4]]);
  });

  it('returns 1,000 events without a limit, with a warning', async () => {
    await local.dataset('many');
    await local.stored(
      'many',
      Array.from({ length: 1_200 }, (_, i) => ({ _time: at(i), i })),
    );
    for (const limit of [undefined, null, 0]) {
      const path = '/v2/datasets/many/query';
      const { matches, status } = await ask({ limit }, path);
      assert.equal(matches.length, 1_000);
      assert.deepEqual([status.rowsExamined, status.rowsMatched], [1_200, 1_200]);
      assert.equal(status.messages[0].code, 'default_limit_warning');
    }
    const { matches } = await ask({ limit: 1_100 }, '/v2/datasets/many/query');
    assert.equal(matches.length, 1_100);
  });

  it('accepts a resolution as a duration or in seconds', async () => {
    const counted = { aggregations: [{ op: 'count' }] };
    const minutes = await ask({ ...counted, resolution: '1m0s' });
    assert.equal(minutes.buckets.series.length, 10);
    assert.deepEqual((await ask({ ...counted, resolution: '60' })).buckets, minutes.buckets);
    const auto = await ask({ ...counted, startTime: START, endTime: at(600) });
    const expected = await local.call('POST', '/v1/query/_apl?format=legacy', {
      apl: 'logs | summarize COUNT = count() by bin_auto(_time)',
      startTime: START,
      endTime: at(600),
    });
    assert.deepEqual(auto.buckets, expected.body.buckets);
  });

  it('returns the same result on the older and current endpoints', async () => {
    const body = { filter: { op: '>', field: 'n', value: 2 } };
    const [older, present] = [await ask(body), await ask(body, paths.v2)];
    assert.deepEqual(older.matches, present.matches);
  });

  it('is saved to the query history on request, as analytics or stream', async () => {
    const path = `${paths.v1}?saveAsKind=analytics&nocache=True`;
    const answer = await local.call('POST', path, { ...ALL_TIMES, resolution: 'auto', limit: 5 });
    const id = answer.headers.get('x-axiom-history-query-id');
    const kept = await local.call('GET', `/v1/datasets/_history/${id}`);
    assert.deepEqual([kept.body.kind, kept.body.dataset], ['analytics', 'logs']);
    const refused = await local.call('POST', `${paths.v1}?saveAsKind=apl`, {});
    assert.match(refused.body.message, /must be analytics or stream/);
  });

  it('waits for events with streaming-duration and returns them in time order', async () => {
    await local.dataset('tail');
    const path = '/v1/datasets/tail/query?streaming-duration=20s';
    const [startTime, endTime] = [at(0), new Date(Date.now() + 60_000).toISOString()];
    const waiting = local.call('POST', path, { startTime, endTime, resolution: 'auto' });
    await new Promise((resolve) => setTimeout(resolve, 150));
    await local.stored('tail', [
      { _time: at(2), n: 2 },
      { _time: at(1), n: 1 },
    ]);
    const { body } = await waiting;
    assert.deepEqual(
      body.matches.map(({ data }: { data: { n: number } }) => data.n),
      [1, 2],
    );
    // A range in the past needs no wait.
    const past = { startTime: at(-9), endTime: at(-8), resolution: 'auto' };
    const before = performance.now();
    assert.deepEqual((await local.call('POST', path, past)).body.matches, []);
    assert.ok(performance.now() - before < 5_000);
    const unfit = await local.call('POST', path.replace('20s', 'long'), past);
    assert.equal(unfit.status, 400);
  });

  it("rejects a virtual field whose text isn't a single expression", async () => {
    for (const expr of [
      '1) | limit 0 | extend y = (2',
      '1, y = 2',
      '1; logs',
      '',
      '(1))(2',
      '1 // x\n)',
    ]) {
      assert.match(
        await refusal({ virtualFields: [{ alias: 'v', expr }] }),
        /virtualFields\[0\]\.expr/,
      );
    }
    const { matches } = await ask({ virtualFields: [{ alias: 'v', expr: '1 // one' }], limit: 1 });
    assert.equal(matches[0].data.v, 1);
  });

  it("can't read datasets that the token may not query", async () => {
    await local.dataset('secret');
    const made = await local.call('POST', '/v2/tokens', {
      name: 'logs only',
      datasetCapabilities: { logs: { query: ['read'] } },
    });
    const headers = { authorization: `Bearer ${made.body.token}` };
    const call = (path: string, body: object) => local.call('POST', path, body, { headers });
    assert.equal((await call(paths.v1, ALL_TIMES)).status, 200);
    assert.equal((await call('/v1/datasets/secret/query', ALL_TIMES)).status, 403);
    const expr = "toscalar(['secret'] | count)";
    const answer = await call(paths.v1, { ...ALL_TIMES, virtualFields: [{ alias: 'v', expr }] });
    assert.ok([400, 403].includes(answer.status), answer.text);
  });
});
