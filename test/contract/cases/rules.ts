// Rules between members or with stored resources, and the results of list filters.
import assert from 'node:assert/strict';
import type { EndpointKey } from '../../../api/src/index.ts';
import { type Check, granted, refused, type World } from '../check.ts';
import type { Asking } from '../target.ts';

const check = (endpoint: EndpointKey, name: string, run: Check['run']): Check => ({
  endpoint,
  name,
  run,
});

/** Creates annotations of a unique type, and deletes them after `use`. */
async function withAnnotations(
  { requests }: World,
  annotations: readonly object[],
  use: (idsOf: (query: string) => Promise<number[]>) => Promise<void>,
): Promise<void> {
  const ids: string[] = [];
  try {
    for (const annotation of annotations) {
      const body = { type: 'contract', ...annotation };
      ids.push((await granted(requests, 'createAnnotation', { body })).id);
    }
    await use(async (query) => {
      const listed: { id: string }[] = await granted(requests, 'listAnnotations', { query });
      return listed.flatMap(({ id }) => (ids.includes(id) ? [ids.indexOf(id)] : [])).sort();
    });
  } finally {
    for (const id of ids) await requests.call('deleteAnnotation', { params: { id } });
  }
}

const annotationChecks: readonly Check[] = [
  check(
    'listAnnotations',
    'accepts repeated, comma-separated and bracketed dataset parameters',
    (world) => {
      const [a, b, c] = [world.requests.name(), world.requests.name(), world.requests.name()];
      return withAnnotations(
        world,
        [{ datasets: [a] }, { datasets: [b, c] }, { datasets: [c] }],
        async (idsOf) => {
          assert.deepEqual(await idsOf(''), [0, 1, 2]);
          for (const query of [
            `?datasets=${a}&datasets=${b}`,
            `?datasets=${a},${b}`,
            `?datasets=${a}%2C${b}`,
            `?datasets[]=${a}&datasets[]=${b}`,
            `?datasets%5B%5D=${a}&datasets%5B%5D=${b}`,
          ]) {
            assert.deepEqual(await idsOf(query), [0, 1], query);
          }
          assert.deepEqual(await idsOf(`?datasets=${c}`), [1, 2]);
          assert.deepEqual(await idsOf(`?datasets=${world.requests.name()}`), []);
        },
      );
    },
  ),
  check('listAnnotations', 'lists only annotations after start and before end', (world) => {
    const datasets = [world.dataset];
    const day = (n: number) => `2026-01-0${n}T00:00:00Z`;
    return withAnnotations(
      world,
      [
        { datasets, time: day(1), endTime: day(3) },
        { datasets, time: day(2) },
        { datasets, time: '2026-01-03T01:00:00+01:00' },
      ],
      async (idsOf) => {
        assert.deepEqual(await idsOf(`?start=${day(1)}`), [1, 2]);
        assert.deepEqual(await idsOf(`?end=${day(3)}`), [0, 1]);
        assert.deepEqual(await idsOf(`?start=${day(1)}&end=${day(3)}`), [1]);
        assert.deepEqual(await idsOf(`?start=2025-12-31T23:59:59.999999999Z&end=${day(2)}`), [0]);
      },
    );
  }),
  ...['2026-01-01T23:59:59Z', '2026-01-02T00:00:00Z', '2026-01-02T01:00:00+01:00'].map((endTime) =>
    check(
      'createAnnotation',
      `rejects the endTime ${endTime}, which is not after time`,
      ({ requests, dataset }) => {
        const time = '2026-01-02T00:00:00Z';
        const body = { datasets: [dataset], type: 'deploy', time, endTime };
        return refused(requests, 'createAnnotation', { body });
      },
    ),
  ),
  check(
    'updateAnnotation',
    'rejects a change after which endTime is before time',
    async ({ requests, dataset }) => {
      const body = { datasets: [dataset], type: 'deploy', time: '2026-01-02T00:00:00Z' };
      const { id } = await granted(requests, 'createAnnotation', { body });
      const params = { id };
      const before = { endTime: '2026-01-01T00:00:00Z' };
      await refused(requests, 'updateAnnotation', { params, body: before });
      const after = { endTime: '2026-01-03T00:00:00Z' };
      await granted(requests, 'updateAnnotation', { params, body: after });
      await refused(requests, 'updateAnnotation', {
        params,
        body: { time: '2026-01-04T00:00:00Z' },
      });
      await granted(requests, 'updateAnnotation', { params, body: { endTime: null } });
      await granted(requests, 'deleteAnnotation', { params });
    },
  ),
  check(
    'createAnnotation',
    'defaults time to the time of the request',
    async ({ requests, dataset }) => {
      const body = { datasets: [dataset], type: 'deploy' };
      const { id, time } = await granted(requests, 'createAnnotation', { body });
      assert.ok(Math.abs(Date.parse(time) - Date.now()) < 600_000, time);
      await granted(requests, 'deleteAnnotation', { params: { id } });
    },
  ),
];

/** Requests that store a query, each built from the query's text. */
const kept: readonly {
  readonly endpoint: EndpointKey;
  readonly request: (world: World, apl: string) => Asking;
  readonly undo: (world: World, body: Record<string, unknown>) => Promise<unknown>;
}[] = [
  {
    endpoint: 'createMonitor',
    request: ({ requests }, aplQuery) => ({
      body: { name: requests.name(), type: 'Threshold', aplQuery },
    }),
    undo: ({ requests }, { id }) => requests.call('deleteMonitor', { params: { id: `${id}` } }),
  },
  {
    endpoint: 'createView',
    request: ({ requests }, aplQuery) => ({ body: { name: requests.name(), aplQuery } }),
    undo: ({ requests }, { name }) => requests.call('deleteView', { params: { id: `${name}` } }),
  },
  {
    endpoint: 'updateDashboard',
    request: ({ requests }, apl) => ({
      params: { uid: requests.name() },
      body: {
        dashboard: {
          name: 'contract',
          charts: [
            { id: 'note', type: 'Note' },
            { id: 'a', type: 'TimeSeries', query: { apl } },
          ],
        },
      },
    }),
    undo: ({ requests }, { dashboard }) => {
      const { uid } = dashboard as { uid: string };
      return requests.call('deleteDashboard', { params: { uid } });
    },
  },
  {
    endpoint: 'createSavedQuery',
    request: ({ requests }, apl) => ({
      body: { name: requests.name(), kind: 'apl', query: { apl } },
    }),
    undo: ({ requests }, { id }) => requests.call('deleteSavedQuery', { params: { id: `${id}` } }),
  },
  {
    endpoint: 'createVirtualField',
    request: ({ requests, dataset }, apl) => ({
      // The expression is the text after `| where` in the queries below.
      body: { dataset, name: requests.name(), expression: apl.replace(/^[^|]*\| where /s, '') },
    }),
    undo: ({ requests }, { id }) =>
      requests.call('deleteVirtualField', { params: { id: `${id}` } }),
  },
];

const queryChecks: readonly Check[] = kept.flatMap(({ endpoint, request, undo }) => [
  check(
    endpoint,
    'rejects a query with a syntax error, with its line and column',
    async (world) => {
      const apl = `['${world.dataset}']\n| where n > (1`;
      const { message, detail } = await refused(world.requests, endpoint, request(world, apl));
      assert.match(message, /\w/);
      assert.equal(detail.line, endpoint === 'createVirtualField' ? 1 : 2);
      assert.ok(detail.column > 1, JSON.stringify(detail));
    },
  ),
  check(endpoint, 'accepts a query with unknown fields', async (world) => {
    const apl = `['${world.dataset}']\n| where tomorrow > 1`;
    await undo(world, await granted(world.requests, endpoint, request(world, apl)));
  }),
  ...(endpoint === 'createVirtualField'
    ? []
    : [
        check(endpoint, 'accepts a query of a missing dataset', async (world) => {
          const apl = `['${world.requests.name()}']\n| where n > 1`;
          await undo(world, await granted(world.requests, endpoint, request(world, apl)));
        }),
      ]),
]);

const otherChecks: readonly Check[] = [
  check('createMonitor', 'rejects a monitor without a query', async ({ requests }) => {
    const monitor = { name: requests.name(), type: 'Threshold' };
    for (const queries of [{}, { aplQuery: '' }, { aplQuery: ' ', mplQuery: '' }]) {
      await refused(requests, 'createMonitor', { body: { ...monitor, ...queries } });
    }
  }),
  check(
    'createMonitor',
    'stores a metrics query next to an empty APL query',
    async ({ requests }) => {
      const body = { name: requests.name(), type: 'Threshold', aplQuery: '', mplQuery: 'any text' };
      const { id, mplQuery } = await granted(requests, 'createMonitor', { body });
      assert.equal(mplQuery, 'any text');
      await granted(requests, 'deleteMonitor', { params: { id } });
    },
  ),
  check(
    'getMonitorHistory',
    'returns an empty list for a monitor that has not run',
    async (world) => {
      const { requests, dataset } = world;
      const query = '?startTime=2026-01-01T00:00:00Z&endTime=2026-01-02T00:00:00Z';
      const body = { name: requests.name(), type: 'MatchEvent', aplQuery: `['${dataset}']` };
      const { id } = await granted(requests, 'createMonitor', { body });
      const params = { id };
      assert.deepEqual(await granted(requests, 'getMonitorHistory', { params, query }), []);
      await granted(requests, 'deleteMonitor', { params });
      await refused(requests, 'getMonitorHistory', { params, query }, [404]);
    },
  ),
  check('createView', 'rejects a view with the name of a dataset', ({ requests, dataset }) =>
    refused(requests, 'createView', { body: { name: dataset, aplQuery: `['${dataset}']` } }, [409]),
  ),
  check(
    'updateView',
    'rejects a view with the name of a dataset',
    async ({ requests, dataset }) => {
      const name = requests.name();
      const aplQuery = `['${dataset}']`;
      await granted(requests, 'createView', { body: { name, aplQuery } });
      const params = { id: name };
      await refused(requests, 'updateView', { params, body: { name: dataset, aplQuery } }, [409]);
      await granted(requests, 'deleteView', { params });
    },
  ),
  check(
    'updateDashboard',
    'rejects a uid in the body or document that differs from the path',
    async ({ requests }) => {
      const params = { uid: requests.name() };
      const other = requests.name();
      const dashboard = { name: 'contract' };
      await refused(requests, 'updateDashboard', { params, body: { dashboard, uid: other } });
      await refused(requests, 'updateDashboard', {
        params,
        body: { dashboard: { ...dashboard, uid: other } },
      });
      const fit = { dashboard: { ...dashboard, ...params }, ...params };
      const written = await granted(requests, 'updateDashboard', { params, body: fit });
      assert.equal(written.dashboard.uid, params.uid);
      await granted(requests, 'deleteDashboard', { params });
    },
  ),
  check(
    'createDashboard',
    'uses the uid of the document and rejects a different one in the body',
    async ({ requests }) => {
      const [uid, other] = [requests.name(), requests.name()];
      const dashboard = { name: 'contract', uid };
      await refused(requests, 'createDashboard', { body: { dashboard, uid: other } });
      const written = await granted(requests, 'createDashboard', { body: { dashboard } });
      assert.equal(written.dashboard.uid, uid);
      await granted(requests, 'deleteDashboard', { params: { uid } });
    },
  ),
  check('updateDashboard', 'requires the current version or overwrite', async ({ requests }) => {
    const params = { uid: requests.name() };
    const dashboard = { name: 'contract' };
    const write = (more: object): Asking => ({ params, body: { dashboard, ...more } });
    const first = await granted(requests, 'updateDashboard', write({}));
    assert.equal(first.status, 'created');
    const { version } = first.dashboard;
    const updated = await granted(requests, 'updateDashboard', write({ version }));
    assert.equal(updated.status, 'updated');
    await refused(requests, 'updateDashboard', write({ version }), [409, 412]);
    await refused(requests, 'updateDashboard', write({}), [400, 409, 412]);
    const forced = await granted(requests, 'updateDashboard', write({ overwrite: true }));
    assert.equal(forced.overwritten, true);
    await granted(requests, 'deleteDashboard', { params });
  }),
  check('createDataset', 'rejects a taken or invalid name', async ({ requests, dataset }) => {
    await refused(requests, 'createDataset', { body: { name: dataset } }, [409]);
    for (const name of ['', '-a', 'a/b', 'a b', 'x'.repeat(129)]) {
      await refused(requests, 'createDataset', { body: { name } });
    }
  }),
  check('createDataset', 'rejects an unknown edge deployment', ({ requests }) =>
    refused(requests, 'createDataset', {
      body: { name: requests.name(), edgeDeployment: 'cloud.moon-1' },
    }),
  ),
  check('createMapField', 'rejects an existing map field', async ({ requests, dataset }) => {
    const params = { dataset_id: dataset };
    const body = { name: requests.name() };
    await granted(requests, 'createMapField', { params, body });
    await refused(requests, 'createMapField', { params, body }, [400, 409]);
    const map_field_name = body.name;
    await granted(requests, 'deleteMapField', { params: { ...params, map_field_name } });
    await refused(requests, 'deleteMapField', { params: { ...params, map_field_name } }, [404]);
  }),
  check('replaceMapFields', 'rejects invalid names', async ({ requests, dataset }) => {
    for (const name of ['', 'a..b', '__invalid__', 5]) {
      await refused(requests, 'replaceMapFields', {
        params: { dataset_id: dataset },
        body: ['a', name],
      });
    }
  }),
];

export const ruleChecks: readonly Check[] = [...annotationChecks, ...queryChecks, ...otherChecks];
