// Ingest formats, result shapes, paging, and kept queries.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { EndpointKey } from '../../../api/src/index.ts';
import { faultsOf } from '../breaks.ts';
import { type Check, granted, refused, succeeded, type World } from '../check.ts';
import * as spec from '../specification.ts';
import { END, EVENTS, START } from '../world.ts';

const check = (endpoint: EndpointKey, name: string, run: Check['run']): Check => ({
  endpoint,
  name,
  run,
});

/**
 * Bodies of two events each: a description, the content type, the content, and additional headers or parameters.
 */
const bodies: readonly {
  readonly what: string;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** The uncompressed size in bytes; the size of the body if absent. */
  readonly bytes?: number;
}[] = [
  { what: 'a JSON array', type: 'application/json', body: '[{"a":1},{"b":{"c":[[1],["x"]]}}]' },
  { what: 'JSON lines', type: 'application/x-ndjson', body: '{"a":1}\n{"a":2}\n' },
  {
    what: 'JSON lines with the content type application/json',
    type: 'application/json',
    body: '{"a":1}\n{"a":2}',
  },
  {
    what: 'JSON lines of a bulk request as two events',
    type: 'application/x-ndjson',
    body: '{"index":{"_index":"x"}}\n{"a":2}',
  },
  {
    what: 'events with separate time, data and labels',
    type: 'application/json',
    body: '[{"time":"2026-01-01T00:00:00Z","data":{"k":"v"}},{"data":{"k":1},"labels":{"l":"x"}}]',
  },
  { what: 'CSV with a header line', type: 'text/csv', body: 'a,b\n1,x\n2,y\n' },
  {
    what: 'CSV with field names in a request header',
    type: 'text/csv',
    body: '1,x\n2,y\n',
    headers: { 'x-axiom-csv-fields': 'a,b' },
  },
  {
    what: 'CSV with a custom delimiter',
    type: 'text/csv',
    body: 'a;b\n1;x\n2;y\n',
    query: '?csv-delimiter=%3B',
  },
  {
    what: 'a gzip-compressed array',
    type: 'application/json',
    body: gzipSync('[{"a":1},{"a":2}]'),
    headers: { 'content-encoding': 'gzip' },
    bytes: 17,
  },
  {
    what: 'events with a custom time field and format',
    type: 'application/json',
    body: '[{"at":"2/Jan/2026:15:04:05 +0000"},{"at":"3/Jan/2026:15:04:05 +0000"}]',
    query: `?timestamp-field=at&timestamp-format=${encodeURIComponent('2/Jan/2006:15:04:05 -0700')}`,
  },
];

const ingestChecks: readonly Check[] = [
  ...bodies.map(({ what, type, body, headers = {}, query = '', bytes }) =>
    check('ingest', `stores ${what}`, async (world) => {
      const answer = await granted(world.requests, 'ingest', {
        params: { dataset_name: world.scratch },
        query,
        body,
        headers: { 'content-type': type, ...headers },
      });
      assert.deepEqual(faultsOf(spec.ingestResponse, answer), []);
      const { ingested, failed, failures, processedBytes } = answer;
      assert.deepEqual([ingested, failed, failures], [2, 0, []]);
      assert.equal(processedBytes, bytes ?? Buffer.byteLength(body));
    }),
  ),
  ...['', '[]'].map((body) =>
    check(
      'ingest',
      `accepts ${body || 'an empty body'} and stores no events`,
      async ({ requests, scratch }) => {
        const answer = await granted(requests, 'ingest', {
          params: { dataset_name: scratch },
          body,
          headers: { 'content-type': 'application/json' },
        });
        assert.deepEqual([answer.ingested, answer.failed, answer.failures], [0, 0, []]);
      },
    ),
  ),
  ...(
    [
      ['malformed JSON', 'application/json', '[{"a":', [400]],
      ['an unsupported content type', 'image/png', '[{"a":1}]', [400, 415]],
    ] as const
  ).map(([what, type, body, statuses]) =>
    check('ingest', `rejects ${what}`, ({ requests, scratch }) =>
      refused(
        requests,
        'ingest',
        { params: { dataset_name: scratch }, body, headers: { 'content-type': type } },
        statuses,
      ),
    ),
  ),
  check('ingest', 'rejects events for a missing dataset', ({ requests }) =>
    refused(
      requests,
      'ingest',
      { params: { dataset_name: requests.name() }, body: [{ a: 1 }] },
      [404],
    ),
  ),
];

const range = { startTime: START, endTime: END };

/** Query checks, the same for both addresses. */
const queryChecks: readonly Check[] = (['queryEdge', 'queryGeneral'] as const).flatMap(
  (endpoint) => {
    const ask = (
      { requests }: World,
      apl: string,
      { format = 'tabular', parameters = '', ...members }: Record<string, unknown> = {},
    ) =>
      granted(requests, endpoint, {
        query: `?format=${format}${parameters}`,
        body: { apl, ...range, ...members },
      });
    return [
      check(endpoint, 'returns events as a table', async (world) => {
        const result = await ask(
          world,
          `['${world.dataset}'] | project _time, n, ['geo.city'] | sort by n asc`,
        );
        assert.deepEqual(faultsOf(spec.queryResult, result), []);
        assert.deepEqual(faultsOf(spec.queryStatus, result.status, 'status'), []);
        assert.deepEqual([result.format, result.datasetNames], ['tabular', [world.dataset]]);
        const [table] = result.tables;
        assert.deepEqual(faultsOf(spec.table, table, 'table'), []);
        assert.deepEqual(
          [
            ...table.sources.flatMap((source: unknown) => faultsOf(spec.tableSource, source)),
            ...table.fields.flatMap((field: unknown) => faultsOf(spec.tableField, field)),
            ...table.order.flatMap((item: unknown) => faultsOf(spec.order, item)),
            ...faultsOf(spec.tableRange, table.range),
            ...Object.values<unknown[]>(result.fieldsMetaMap ?? {})
              .flat()
              .flatMap((field) => faultsOf(spec.fieldMetadata, field)),
          ],
          [],
        );
        assert.deepEqual(table.sources, [{ name: world.dataset }]);
        assert.deepEqual(
          table.fields.map(({ name, type }: { name: string; type: string }) => [name, type]),
          [
            ['_time', 'datetime'],
            ['n', 'integer'],
            ['geo.city', 'string'],
          ],
        );
        assert.deepEqual(
          table.columns.map(({ length }: unknown[]) => length),
          [EVENTS, EVENTS, EVENTS],
        );
        assert.equal(table.columns[0][0], START);
        assert.deepEqual(
          [table.range.field, table.range.start, table.range.end],
          ['_time', START, END],
        );
        const { rowsExamined, rowsMatched, isPartial } = result.status;
        assert.deepEqual([rowsExamined, rowsMatched, isPartial], [EVENTS, EVENTS, false]);
      }),
      check(endpoint, 'returns groups in the tabular and legacy formats', async (world) => {
        const apl = `['${world.dataset}'] | summarize total = sum(n) by host`;
        const { tables, status } = await ask(world, apl);
        assert.deepEqual(tables[0].groups, [{ name: 'host' }]);
        assert.equal(status.numGroups, 3);
        const legacy = await ask(world, apl, { format: 'legacy' });
        assert.deepEqual(faultsOf(spec.queryResult, legacy), []);
        assert.equal(legacy.buckets.totals.length, 3);
        assert.deepEqual([legacy.request.groupBy, legacy.request.startTime], [['host'], START]);
      }),
      check(endpoint, 'returns events in the legacy format', async (world) => {
        const result = await ask(world, `['${world.dataset}'] | limit 2`, { format: 'legacy' });
        assert.deepEqual(faultsOf(spec.queryResult, result), []);
        assert.equal(result.matches.length, 2);
        assert.deepEqual(Object.keys(result.matches[0]).sort(), [
          '_rowId',
          '_sysTime',
          '_time',
          'data',
        ]);
        assert.equal(typeof result.request, 'object');
      }),
      check(endpoint, 'accepts relative time ranges and variables', async (world) => {
        const { tables } = await ask(world, `['${world.dataset}'] | where n == wanted | count`, {
          variables: { wanted: 7 },
        });
        assert.deepEqual(tables[0].columns, [[1]]);
        for (const startTime of ['now', 'now-1h', 'now-1d', 'now-1w']) {
          await ask(world, `['${world.dataset}'] | count`, { startTime, endTime: 'now' });
        }
      }),
      check(endpoint, 'returns cursors of events and continues from a cursor', async (world) => {
        const apl = `['${world.dataset}'] | sort by _time desc | project n | limit 20`;
        const plain = await ask(world, apl);
        assert.equal(typeof plain.status.minCursor, 'string');
        assert.equal(typeof plain.status.maxCursor, 'string');
        const first = await ask(world, apl, { includeCursor: true });
        const cursor = first.status.minCursor;
        assert.equal(typeof cursor, 'string');
        const next = await ask(world, apl, { cursor });
        assert.deepEqual(
          [first.tables[0].columns[0].at(-1), next.tables[0].columns[0][0]],
          [EVENTS - 20, EVENTS - 21],
        );
        const inclusive = await ask(world, apl, { cursor, includeCursor: true });
        assert.equal(inclusive.tables[0].columns[0][0], EVENTS - 20);
      }),
      check(
        endpoint,
        'rejects an invalid query with its line, and an unknown dataset',
        async ({ requests, dataset }) => {
          for (const apl of [`['${dataset}']\n| where (`, `['${dataset}']\n| nothing`]) {
            const query = '?format=tabular';
            const { detail } = await refused(
              requests,
              endpoint,
              { query, body: { apl, ...range } },
              [400],
            );
            assert.equal(detail.line, 2, JSON.stringify(detail));
          }
          const apl = `['${requests.name()}']`;
          await refused(
            requests,
            endpoint,
            { query: '?format=tabular', body: { apl } },
            [400, 403, 404],
          );
        },
      ),
      check(
        endpoint,
        'rejects a range that ends before it starts, and an invalid cursor',
        async ({ requests, dataset }) => {
          const apl = `['${dataset}'] | limit 1`;
          for (const members of [
            { startTime: END, endTime: START },
            { ...range, cursor: 'no cursor' },
          ]) {
            await refused(requests, endpoint, {
              query: '?format=tabular',
              body: { apl, ...members },
            });
          }
        },
      ),
      check(
        endpoint,
        'returns the id of a kept query and the query limits in headers',
        async ({ requests, dataset }) => {
          const answer = await requests.call(endpoint, {
            query: '?format=tabular&saveAsKind=apl',
            body: { apl: `['${dataset}'] | count`, ...range },
          });
          assert.equal(answer.status, 200, answer.text);
          assert.match(answer.headers.get('x-axiom-history-query-id') ?? '', /\w/);
          for (const name of ['limit', 'remaining', 'reset']) {
            assert.match(answer.headers.get(`x-querylimit-${name}`) ?? '', /^\d+$/, name);
          }
        },
      ),
    ];
  },
);

const edgeOnlyChecks: readonly Check[] = [
  check(
    'queryEdge',
    'returns rows instead of columns in the format tabular-rows',
    async ({ requests, dataset }) => {
      const body = { apl: `['${dataset}'] | sort by n asc | project n | limit 2`, ...range };
      const { tables } = await granted(requests, 'queryEdge', {
        query: '?format=tabular-rows',
        body,
      });
      assert.deepEqual(tables[0].rows, [[0], [1]]);
    },
  ),
  check(
    'queryEdge',
    'applies defaultLimit and defaultOrder, and adds a _cursor column',
    async ({ requests, dataset }) => {
      const body = {
        apl: `['${dataset}'] | project n`,
        ...range,
        defaultLimit: 2,
        defaultOrder: [{ field: 'n', desc: true }],
        includeCursorField: true,
      };
      const { tables } = await granted(requests, 'queryEdge', { query: '?format=tabular', body });
      const [{ fields, columns }] = tables;
      assert.deepEqual(fields.at(-1).name, '_cursor');
      assert.deepEqual(columns[0], [EVENTS - 1, EVENTS - 2]);
    },
  ),
  check('queryBatch', 'returns one event per query of a batch', async ({ requests, dataset }) => {
    const aplRequest = { apl: `['${dataset}'] | count`, ...range };
    const body = [
      { queryId: 'a', aplRequest },
      { queryId: 'b', aplRequest: { apl: 'no | such' } },
    ];
    const { headers, text } = await succeeded(requests, 'queryBatch', { body });
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
    const events = text.split('\n\n').filter((event) => event.includes('data:'));
    assert.equal(events.length, 2, text);
    for (const id of ['a', 'b']) assert.match(text, new RegExp(`"queryId":"${id}"`));
  }),
  check(
    'queryBatch',
    'rejects invalid items and an invalid maxConcurrency',
    async ({ requests, dataset }) => {
      const aplRequest = { apl: `['${dataset}'] | count` };
      for (const item of [
        { queryId: 'a' },
        { aplRequest },
        { queryId: '', aplRequest },
        { queryId: 'a', aplRequest, mplRequest: { startTime: 'now', endTime: 'now', mpl: 'x' } },
        { queryId: 'a', aplRequest: {} },
      ]) {
        await refused(requests, 'queryBatch', { body: [item] });
      }
      for (const query of ['?maxConcurrency=0', '?maxConcurrency=21', '?maxConcurrency=x']) {
        await refused(requests, 'queryBatch', { query, body: [] });
      }
    },
  ),
  check('getHistoryQuery', 'returns a kept query', async ({ requests, dataset }) => {
    const body = { apl: `['${dataset}'] | count`, ...range };
    const answer = await requests.call('queryEdge', {
      query: '?format=tabular&saveAsKind=apl',
      body,
    });
    const id = answer.headers.get('x-axiom-history-query-id') ?? '';
    const kept = await granted(requests, 'getHistoryQuery', { params: { id } });
    assert.deepEqual([kept.id, kept.dataset, kept.query.apl], [id, dataset, body.apl]);
  }),
];

const fieldChecks: readonly Check[] = [
  check('listFields', 'lists the fields with their types', async ({ requests, dataset }) => {
    const params = { dataset_id: dataset };
    const fields: { name: string; type: string }[] = await granted(requests, 'listFields', {
      params,
    });
    const typeOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.type;
    assert.deepEqual(['_time', 'n', 'host', 'geo.city'].map(typeOf), [
      'datetime',
      'integer',
      'string',
      'string',
    ]);
  }),
  check('listAllFields', 'lists the fields of every dataset', async ({ requests, dataset }) => {
    const all: { datasetName: string }[] = await granted(requests, 'listAllFields');
    assert.ok(all.some(({ datasetName }) => datasetName === dataset));
  }),
  check('getField', 'returns a field and rejects an unknown one', async ({ requests, dataset }) => {
    const params = { dataset_id: dataset, field_id: 'geo.city' };
    assert.equal((await granted(requests, 'getField', { params })).name, 'geo.city');
    await refused(requests, 'getField', { params: { ...params, field_id: 'none' } }, [404]);
  }),
  check(
    'updateField',
    'changes the details of a field and rejects an unknown one',
    async ({ requests, dataset }) => {
      const params = { dataset_id: dataset, field_id: 'n' };
      const body = { unit: 'ms', description: 'd', hidden: false };
      assert.equal((await granted(requests, 'updateField', { params, body })).unit, 'ms');
      assert.equal((await granted(requests, 'getField', { params })).description, 'd');
      await refused(
        requests,
        'updateField',
        { params: { ...params, field_id: 'none' }, body },
        [404],
      );
      for (const unfit of [{ unit: 5 }, { hidden: 'no' }, { description: {} }]) {
        await refused(requests, 'updateField', { params, body: unfit });
      }
    },
  ),
  check('replaceMapFields', 'replaces the map fields', async ({ requests, scratch }) => {
    const params = { dataset_id: scratch };
    await granted(requests, 'replaceMapFields', { params, body: ['labels', 'geo.place'] });
    assert.deepEqual(await granted(requests, 'listMapFields', { params }), ['labels', 'geo.place']);
    await granted(requests, 'deleteMapField', {
      params: { ...params, map_field_name: 'geo.place' },
    });
    assert.deepEqual(await granted(requests, 'listMapFields', { params }), ['labels']);
    await granted(requests, 'replaceMapFields', { params, body: [] });
  }),
];

export const dataChecks: readonly Check[] = [
  ...ingestChecks,
  ...queryChecks,
  ...edgeOnlyChecks,
  ...fieldChecks,
];
