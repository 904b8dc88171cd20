// Request bodies: integers keep their digits, null equals an absent member, and each query endpoint
// reads its own members.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored(
    'logs',
    Array.from({ length: 10 }, (_, n) => ({ _time: `2026-01-01T00:00:0${n}Z`, n })),
  );
});
after(() => local.close());

/** Sends JSON as written, because a test's own numbers would lose digits too. */
const send = (method: string, path: string, json: string) => local.call(method, path, json);

describe('an integer in a request body', () => {
  const edge = '/v1/query/_apl?format=tabular';
  const printed = async (apl: string, variables: string) => {
    const { status, text } = await send(
      'POST',
      edge,
      `{"apl":${JSON.stringify(apl)},"variables":${variables}}`,
    );
    assert.equal(status, 200, text);
    return /"columns":\[\[(.*?)\]\]/.exec(text)?.[1];
  };

  it('keeps all digits as a query variable', async () => {
    assert.equal(await printed('print x', '{"x":9007199254740993}'), '9007199254740993');
    assert.equal(await printed('print x + 1', '{"x":9223372036854775806}'), '9223372036854775807');
    assert.equal(await printed('print x', '{"x":-9223372036854775808}'), '-9223372036854775808');
    assert.equal(
      await printed('print x', '{"x":{"id":9007199254740993}}'),
      '{"id":9007199254740993}',
    );
    const declared = 'declare query_parameters (x:long = 1); print x';
    assert.equal(await printed(declared, '{"x":9007199254740993}'), '9007199254740993');
  });

  it('becomes a float as a query variable if it exceeds 64 bits', async () => {
    const { body } = await send(
      'POST',
      edge,
      '{"apl":"print x","variables":{"x":18446744073709551616}}',
    );
    assert.deepEqual(body.tables[0].fields[0].type, 'float');
    assert.deepEqual(body.tables[0].columns, [[2 ** 64]]);
  });

  it('keeps all digits in a batch query', async () => {
    const json =
      '[{"queryId":"a","aplRequest":{"apl":"print x","variables":{"x":9007199254740993}}}]';
    const { text } = await send('POST', '/v1/query/batch', json);
    assert.match(text, /"columns":\[\[9007199254740993\]\]/);
  });

  it('keeps all digits in known and unknown properties of a resource, even after a restart', async () => {
    const monitor =
      '{"name":"m","type":"Threshold","aplQuery":"logs","triggerFromNRuns":9007199254740993,"own":{"ids":[-9007199254740995,123456789012345678901234567890]}}';
    const made = await send('POST', '/v2/monitors', monitor);
    assert.equal(made.status, 200, made.text);
    const kept =
      /"triggerFromNRuns":9007199254740993,"own":\{"ids":\[-9007199254740995,123456789012345678901234567890\]\}/;
    assert.match(made.text, kept);
    const path = `/v2/monitors/${made.body.id}`;
    assert.match((await local.call('GET', path)).text, kept);
    assert.match((await local.call('GET', '/v2/monitors')).text, kept);
    await local.reopen();
    assert.match((await local.call('GET', path)).text, kept);
    const changed = await send('PUT', path, monitor.replace('"m"', '"n"'));
    assert.match(changed.text, kept);
  });

  it('keeps all digits in a property of a dataset or dashboard, and in a label', async () => {
    const dataset = await send('POST', '/v2/datasets', '{"name":"big","own":9007199254740993}');
    assert.match(dataset.text, /"own":9007199254740993/);
    await local.reopen();
    assert.match((await local.call('GET', '/v2/datasets/big')).text, /"own":9007199254740993/);
    const dashboard = await send(
      'PUT',
      '/v2/dashboards/uid/big',
      '{"dashboard":{"name":"d","own":9007199254740993},"overwrite":true,"version":9007199254740993}',
    );
    assert.equal(dashboard.status, 201, dashboard.text);
    assert.match(dashboard.text, /"own":9007199254740993/);
    const headers = { 'x-axiom-event-labels': '{"id":9007199254740993}' };
    await local.stored('big', [{ a: 1 }], { headers });
    assert.match((await local.query('big | project id')).text, /\[\[9007199254740993\]\]/);
  });

  it('must fit into 64 bits if the API specification requires it', async () => {
    const write = (digits: string) =>
      send(
        'POST',
        '/v2/monitors',
        `{"name":"m","type":"Threshold","aplQuery":"l","triggerFromNRuns":${digits}}`,
      );
    for (const digits of ['9223372036854775807', '-9223372036854775808']) {
      assert.match((await write(digits)).text, new RegExp(`"triggerFromNRuns":${digits}[,}]`));
    }
    for (const digits of ['9223372036854775808', '-9223372036854775809']) {
      const { status, body } = await write(digits);
      assert.equal(status, 400);
      assert.match(body.message, new RegExp(`triggerFromNRuns must be at .*, got ${digits}`));
    }
    const { status, body } = await send('POST', edge, '{"apl":9007199254740993}');
    assert.equal(status, 400);
    assert.match(body.message, /apl must be text, got 9007199254740993/);
  });
});

describe('a null property of a request', () => {
  it('is treated as absent in a query', async () => {
    const nothing = {
      cursor: null,
      defaultLimit: null,
      defaultOrder: null,
      startTime: null,
      endTime: null,
      includeCursor: null,
      includeCursorField: null,
      libraries: null,
      maxBinAutoGroups: null,
      queryOptions: null,
      variables: null,
    };
    for (const path of ['/v1/query/_apl?format=tabular', '/v1/datasets/_apl?format=legacy']) {
      const answer = await local.call('POST', path, { apl: 'logs | count', ...nothing });
      assert.equal(answer.status, 200, answer.text);
    }
    const options = { apl: 'logs | count', queryOptions: { quickRange: null } };
    assert.equal((await local.call('POST', '/v1/query/_apl?format=tabular', options)).status, 200);
    const plan = await local.call('POST', '/v1/query/batch', [
      { queryId: 'a', aplRequest: { apl: 'logs | count', ...nothing }, mplRequest: null },
    ]);
    assert.match(plan.text, /^event: apl\ndata: \{"queryId":"a","kind":"apl","result"/);
  });

  it('is treated as absent in a resource and not stored', async () => {
    const { status, body, text } = await local.call('POST', '/v2/monitors', {
      name: 'm',
      type: 'Threshold',
      aplQuery: 'logs',
      mplQuery: null,
      description: null,
      tolerance: null,
      notifierIds: null,
      disabledUntil: null,
      own: null,
    });
    assert.equal(status, 200, text);
    for (const name of ['mplQuery', 'description', 'tolerance', 'notifierIds']) {
      assert.equal(Object.hasOwn(body, name), false, name);
    }
    // Null is a valid value of this member, and unknown members are stored as sent.
    assert.deepEqual([body.disabledUntil, body.own], [null, null]);
    const dashboard = await local.call('PUT', '/v2/dashboards/uid/nulls', {
      dashboard: {
        name: 'd',
        description: null,
        charts: [
          { id: 'c', name: null, query: { apl: 'logs', queryOptions: { displayNull: null } } },
        ],
      },
      message: null,
      overwrite: null,
      version: 0,
      uid: null,
    });
    assert.equal(dashboard.status, 201, dashboard.text);
    assert.deepEqual(dashboard.body.dashboard.dashboard.charts, [
      { id: 'c', query: { apl: 'logs', queryOptions: {} } },
    ]);
  });

  it('is rejected if the property is required', async () => {
    for (const [path, body, message] of [
      ['/v1/query/_apl?format=tabular', { apl: null }, /apl must be text, got null/],
      ['/v2/monitors', { name: null, type: 'Threshold' }, /name must be text, got null/],
      [
        '/v2/monitors',
        { name: 'm', type: 'Threshold', aplQuery: null },
        /at least one of aplQuery/,
      ],
      [
        '/v2/monitors',
        { name: 'm', type: 'Threshold', aplQuery: 'l', notifierIds: [null] },
        /notifierIds\[0\]/,
      ],
    ] as const) {
      const answer = await local.call('POST', path, body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.message, message);
    }
  });
});

describe('a query to the general endpoint', () => {
  const ask = (members: object) =>
    local.call('POST', '/v1/datasets/_apl?format=tabular', {
      apl: 'logs',
      ...ALL_TIMES,
      ...members,
    });

  it('ignores properties specific to edge queries, even if they are invalid', async () => {
    for (const members of [
      {
        defaultLimit: 3,
        defaultOrder: [{ field: 'n', desc: false }],
        libraries: ['none'],
        maxBinAutoGroups: 1,
      },
      {
        defaultLimit: 'three',
        defaultOrder: {},
        libraries: 7,
        maxBinAutoGroups: -1,
      },
    ]) {
      const { status, body, text } = await ask(members);
      assert.equal(status, 200, text);
      const { fields, columns } = body.tables[0];
      assert.deepEqual(
        fields.map(({ name }: { name: string }) => name),
        ['_sysTime', '_time', 'n'],
      );
      assert.deepEqual(columns[2], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    }
    const bins = 'logs | summarize count() by bin_auto(_time)';
    const auto = async (members: object) =>
      (await ask({ apl: bins, ...members })).body.tables[0].buckets;
    assert.deepEqual(await auto({ maxBinAutoGroups: 1 }), await auto({}));
  });

  it('uses its variables and its time range', async () => {
    const { body } = await ask({
      apl: 'logs | where n == x',
      variables: { x: 4 },
      startTime: '2026-01-01T00:00:04Z',
    });
    assert.deepEqual(body.tables[0].columns[2], [4]);
  });
});

describe('a query to the edge endpoint', () => {
  it('returns the complete result despite streaming-duration', async () => {
    const path = '/v1/query/_apl?format=tabular&streaming-duration=5s';
    const { status, body, text } = await local.call('POST', path, {
      apl: 'logs | count',
      ...ALL_TIMES,
    });
    assert.equal(status, 200, text);
    assert.deepEqual(body.tables[0].columns, [[10]]);
  });

  it('accepts an empty list of libraries and rejects an unknown library', async () => {
    assert.equal((await local.query('logs', { libraries: [] })).status, 200);
    const { status, body } = await local.query('logs', { libraries: ['shared', 'other'] });
    assert.equal(status, 422);
    assert.equal(body.reason, 'library-not-found');
    assert.match(body.message, /The library "shared" does not exist/);
  });
});
