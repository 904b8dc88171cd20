// Datasets and fields are fetched in the best way that a token allows, and a list is complete only if nothing can be
// missing from it. Paged lists are read to the end and no further.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listResources } from '../../../client/src/resources/resource.ts';
import { fetchDatasets, fetchFields } from '../../../client/src/service/schema.ts';
import { type Answer, json, LoopbackServer } from '../loopback.ts';

/** Answers requests by path prefix, and all others with status 403. */
function service(answers: Readonly<Record<string, unknown>>): Answer {
  return (response, { url }) => {
    const path = Object.keys(answers).find((prefix) => url.startsWith(prefix));
    const answer = path === undefined ? 403 : answers[path];
    return typeof answer === 'number'
      ? json(response, answer, { code: answer, message: 'no' })
      : json(response, 200, answer);
  };
}

const field = { name: 'status', type: 'integer', unit: 'none', hidden: false, description: '' };
/** Returns a response to `getschema` in the format of the local deployment. */
const schemaOf = (columns: readonly (readonly [string, string, string])[]) => ({
  format: 'tabular',
  status: { elapsedTime: 1, rowsExamined: 0, rowsMatched: 0, isPartial: false },
  tables: [
    {
      name: '0',
      fields: [
        { name: 'ColumnName', type: 'string' },
        { name: 'ColumnOrdinal', type: 'integer' },
        { name: 'ColumnType', type: 'string' },
        { name: 'DataType', type: 'string' },
      ],
      columns: [
        columns.map(([name]) => name),
        columns.map((_, index) => index),
        columns.map(([, type]) => type),
        columns.map(([, , dataType]) => dataType),
      ],
    },
  ],
});

const emptySchema = schemaOf([['_time', 'datetime', 'datetime']]);
const schemaTable = schemaOf([
  ['_time', 'datetime', 'System.DateTime'],
  ['status', 'integer', 'integer'],
  ['code', 'dynamic', 'integer|string'],
]);

describe('datasets', () => {
  it('are fetched with their fields in one request, and views in another', async () => {
    await using server = await LoopbackServer.start(
      service({
        '/v1/datasets/_fields': [{ datasetName: 'logs', fields: [field] }],
        '/v2/views': [{ name: 'errors', aplQuery: 'logs', description: 'd' }],
      }),
    );
    const known = await fetchDatasets(server.service());
    assert.ok(known.ok);
    assert.deepEqual(known.value.datasets, [
      { name: 'logs', kind: 'dataset' },
      { name: 'errors', kind: 'view', description: 'd', query: 'logs' },
    ]);
    assert.equal(known.value.complete, true);
    assert.deepEqual(known.value.fields.get('logs'), [{ name: 'status', type: 'integer' }]);
  });

  it('are fetched from /v2/datasets if the service cannot list them with their fields', async () => {
    await using server = await LoopbackServer.start(
      service({
        '/v1/datasets/_fields': 404,
        '/v2/datasets': [{ id: 'logs', name: 'logs' }],
        '/v2/views': 501,
      }),
    );
    const known = await fetchDatasets(server.service());
    assert.ok(known.ok);
    assert.deepEqual(known.value.datasets, [{ name: 'logs', kind: 'dataset' }]);
    assert.equal(known.value.complete, true);
  });

  it('are marked incomplete if the token may not list views', async () => {
    await using server = await LoopbackServer.start(service({ '/v2/datasets': [] }));
    const known = await fetchDatasets(server.service());
    assert.ok(known.ok);
    assert.equal(known.value.complete, false);
  });

  it('cannot be fetched if the token may not list them', async () => {
    await using server = await LoopbackServer.start(service({}));
    const known = await fetchDatasets(server.service());
    assert.ok(!known.ok);
    assert.equal(known.failure.status, 403);
  });
});

describe('fields', () => {
  it('are fetched from the field list, together with virtual fields and map fields', async () => {
    await using server = await LoopbackServer.start(
      service({
        '/v2/datasets/my%20logs/fields': [field],
        '/v2/datasets/my%20logs/mapfields': ['geo'],
        '/v2/vfields?dataset=my%20logs': [{ id: '1', name: 'slow', type: 'boolean' }],
      }),
    );
    const fields = await fetchFields(server.service(), 'my logs');
    assert.ok(fields.ok);
    assert.deepEqual(fields.value, {
      sources: {
        list: [{ name: 'status', type: 'integer' }],
        virtual: [{ name: 'slow', type: 'boolean' }],
        maps: [{ name: 'geo', type: 'map' }],
      },
      complete: true,
    });
  });

  it('are marked incomplete if the token may not list map fields or virtual fields', async () => {
    for (const refused of ['/v2/datasets/logs/mapfields', '/v2/vfields']) {
      await using server = await LoopbackServer.start(
        service({
          '/v2/datasets/logs/fields': [field],
          '/v2/datasets/logs/mapfields': [],
          '/v2/vfields': [],
          [refused]: 403,
        }),
      );
      const fields = await fetchFields(server.service(), 'logs');
      assert.ok(fields.ok);
      assert.equal(fields.value.complete, false, refused);
      assert.equal(fields.value.incomplete, undefined, 'it would be refused again');
    }
  });

  it('are fetched with `getschema` and marked incomplete if the token may only query', async () => {
    await using server = await LoopbackServer.start(service({ '/v1/query/_apl': schemaTable }));
    const fields = await fetchFields(server.service(), "it's a \\ name");
    assert.ok(fields.ok);
    assert.deepEqual(fields.value, {
      sources: {
        getschema: [
          { name: '_time', type: 'datetime' },
          { name: 'status', type: 'integer' },
          { name: 'code', type: 'integer|string' },
        ],
      },
      complete: false,
    });
    const query = server.received.find(({ url }) => url.startsWith('/v1/query'));
    assert.equal(JSON.parse(String(query?.body)).apl, "['it\\'s a \\\\ name'] | getschema");
  });

  it('are queried over a longer time range if the last hour has no data', async () => {
    await using server = await LoopbackServer.start(async (response, request) => {
      if (!request.url.startsWith('/v1/query')) return json(response, 403, { code: 403 });
      const { startTime } = JSON.parse(String(request.body));
      json(response, 200, startTime === 'now-1h' ? emptySchema : schemaTable);
    });
    const fields = await fetchFields(server.service(), 'logs');
    assert.ok(fields.ok);
    assert.equal(fields.value.sources.getschema?.length, 3);
  });

  it('of a view are fetched with a single query', async () => {
    await using server = await LoopbackServer.start(service({ '/v1/query/_apl': schemaTable }));
    const fields = await fetchFields(server.service(), 'errors', { kind: 'view' });
    assert.ok(fields.ok);
    assert.equal(fields.value.sources.getschema?.length, 3);
    assert.equal(fields.value.complete, false);
    assert.equal(server.received.length, 1);
  });

  it('cannot be fetched if the service returns status 500, and are not queried then', async () => {
    await using server = await LoopbackServer.start(service({ '/v2/datasets': 500 }));
    const fields = await fetchFields(server.service(), 'logs');
    assert.ok(!fields.ok);
    assert.ok(!server.received.some(({ url }) => url.startsWith('/v1/query')));
  });
});

describe('dashboards', () => {
  const board = (index: number) => ({ uid: `b${index}`, dashboard: { name: `B ${index}` } });

  it('are read page by page to the end', async () => {
    await using server = await LoopbackServer.start((response, { url }) => {
      const query = new URL(url, 'http://x').searchParams;
      const from = Number(query.get('offset'));
      const count = Math.max(0, Math.min(Number(query.get('limit')), 250 - from));
      json(
        response,
        200,
        Array.from({ length: count }, (_, index) => board(from + index)),
      );
    });
    const list = await listResources(server.service(), 'dashboards');
    assert.ok(list.ok);
    assert.equal(list.value.length, 250);
    assert.equal(server.received.length, 3);
  });

  it('are listed once each if the service ignores the offset', async () => {
    await using server = await LoopbackServer.start((response) =>
      json(
        response,
        200,
        Array.from({ length: 100 }, (_, index) => board(index)),
      ),
    );
    const list = await listResources(server.service(), 'dashboards');
    assert.ok(list.ok);
    assert.equal(list.value.length, 100);
    assert.equal(server.received.length, 2);
  });
});

describe('monitors and annotations', () => {
  it('have a short description that starts with the state of the monitor or the date of the annotation', async () => {
    const monitor = { id: 'm', name: 'Errors', type: 'Threshold', intervalMinutes: 5 };
    await using server = await LoopbackServer.start(
      service({
        '/v2/monitors': [monitor, { ...monitor, id: 'n', disabled: true }],
        '/v2/annotations': [
          { id: 'a', type: 'deploy', datasets: ['logs'], time: '2024-01-31T08:30:00.123Z' },
          { id: 'b', type: 'deploy', datasets: ['logs'], time: '2024-01-31T08:30:00+01:00' },
          { id: 'c', type: 'deploy', datasets: ['logs'] },
        ],
      }),
    );
    const monitors = await listResources(server.service(), 'monitors');
    assert.ok(monitors.ok);
    assert.deepEqual(
      monitors.value.map(({ note, icon }) => [note, icon]),
      [
        ['threshold', undefined],
        ['disabled · threshold', 'bell-slash'],
      ],
    );
    const annotations = await listResources(server.service(), 'annotations');
    assert.ok(annotations.ok);
    assert.deepEqual(
      annotations.value.map(({ note }) => note),
      ['2024-01-31 · logs', '2024-01-31 · logs', 'logs'],
    );
  });
});
