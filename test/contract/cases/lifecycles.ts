// Resources that are created, listed, read, changed and deleted. Each response matches its row and the specification.
import assert from 'node:assert/strict';
import { type EndpointKey, endpointRow, type Method } from '../../../api/src/index.ts';
import { faultsOf } from '../breaks.ts';
import { type Check, endpointAt, granted, isRefusal, refused, type World } from '../check.ts';
import * as spec from '../specification.ts';
import type { Asking } from '../target.ts';

type Value = Record<string, unknown>;

interface Cycle {
  readonly collection: `/${string}`;
  /** The path of one resource, if it is not the collection with `{id}`. */
  readonly item?: `/${string}`;
  /** The specification's table of members, if there is one. */
  readonly members?: spec.Members;
  readonly list?: (world: World) => Asking;
  readonly create: (world: World) => Asking;
  /** Builds the body of a change from the current value. */
  readonly change?: (before: Value, world: World) => Value;
  /** Returns the resource in the response to a write. */
  readonly written?: (body: Value) => Value;
  /** The member that the path contains. */
  readonly key?: string;
  /** The name of the path parameter. */
  readonly parameter?: string;
  /** Members of the request that the resource does not store. */
  readonly unkept?: readonly string[];
}

const named = (more: (world: World) => Value) => (world: World) => ({
  body: { name: world.requests.name(), ...more(world) },
});
const renamed = (before: Value, { requests }: World): Value => ({
  ...before,
  name: requests.name(),
});
const described = (before: Value): Value => ({ ...before, description: 'changed' });

const cycles: readonly Cycle[] = [
  {
    collection: '/v2/monitors',
    members: spec.monitor,
    create: named(({ dataset }) => ({
      type: 'Threshold',
      aplQuery: `['${dataset}'] | count`,
      columnName: 'count_',
      operator: 'Above',
      threshold: 1.5,
      intervalMinutes: 5,
      rangeMinutes: 10,
      notifierIds: [],
      disabledUntil: null,
    })),
    change: described,
  },
  {
    collection: '/v2/views',
    members: spec.view,
    key: 'name',
    create: named(({ dataset }) => ({
      aplQuery: `['${dataset}'] | count`,
      datasets: [dataset],
      description: 'made',
    })),
    change: described,
  },
  {
    collection: '/v2/views',
    members: spec.view,
    key: 'name',
    create: named(({ dataset }) => ({ aplQuery: `['${dataset}'] | count` })),
    change: renamed,
  },
  {
    collection: '/v2/annotations',
    members: spec.annotation,
    create: ({ dataset }) => ({
      body: {
        datasets: [dataset],
        type: 'deploy-1',
        time: '2026-01-01T00:00:00Z',
        endTime: '2026-01-01T00:00:01Z',
        title: 't',
        description: 'd',
        url: 'https://example.com',
      },
    }),
    change: described,
  },
  {
    collection: '/v2/dashboards',
    item: '/v2/dashboards/uid/{uid}',
    parameter: 'uid',
    key: 'uid',
    members: spec.dashboardRecord,
    list: () => ({ query: '?limit=1000' }),
    create: (world) => ({
      body: {
        uid: world.requests.name(),
        message: 'first',
        dashboard: {
          name: 'contract',
          owner: 'X-AXIOM-EVERYONE',
          charts: [
            {
              id: 'a',
              type: 'TimeSeries',
              name: 'A',
              query: {
                apl: `['${world.dataset}'] | summarize count() by bin_auto(_time)`,
                queryOptions: { displayNull: 'auto', timeSeriesVariant: 'area' },
              },
            },
          ],
          layout: [{ i: 'a', x: 0, y: 0, w: 6, h: 4, minW: 1, minH: 1, static: false }],
          refreshTime: 60,
          schemaVersion: 2,
          timeWindowStart: 'qr-now-1h',
          timeWindowEnd: 'qr-now',
          against: '-1h',
        },
      },
    }),
    written: (body) => body['dashboard'] as Value,
    change: ({ dashboard, version }) => ({
      dashboard: { ...(dashboard as Value), name: 'changed' },
      version,
    }),
    unkept: ['message'],
  },
  {
    collection: '/v2/apl-starred-queries',
    list: () => ({ query: '?who=all' }),
    create: named(({ dataset }) => ({
      kind: 'apl',
      dataset,
      query: { apl: `['${dataset}'] | count`, startTime: 'now-1h', endTime: 'now' },
      metadata: { color: 'red' },
    })),
    change: renamed,
  },
  {
    collection: '/v2/vfields',
    list: ({ dataset }) => ({ query: `?dataset=${dataset}` }),
    create: named(({ dataset }) => ({ dataset, expression: 'n * 2', description: 'twice' })),
    change: described,
  },
  {
    collection: '/v2/datasets',
    item: '/v2/datasets/{dataset_id}',
    parameter: 'dataset_id',
    create: named(() => ({ description: 'made', retentionDays: 3, useRetentionPeriod: true })),
    change: () => ({ description: 'changed' }),
  },
  {
    collection: '/v1/datasets',
    item: '/v1/datasets/{dataset_id}',
    parameter: 'dataset_id',
    create: named(() => ({ description: 'made' })),
    change: () => ({ description: 'changed' }),
  },
  {
    collection: '/v2/notifiers',
    create: named(() => ({ properties: { email: { emails: ['a@example.com'] } } })),
    change: renamed,
  },
  {
    collection: '/v2/rbac/roles',
    members: spec.role,
    create: named(({ dataset }) => ({
      description: 'made',
      members: [],
      orgCapabilities: { monitors: ['create', 'read'], views: ['read'] },
      datasetCapabilities: { [dataset]: { query: ['read'] } },
    })),
    change: renamed,
  },
  {
    collection: '/v2/rbac/groups',
    members: spec.group,
    create: named(() => ({ description: 'made', members: [], roles: [] })),
    change: renamed,
  },
  {
    collection: '/v2/tokens',
    members: spec.token,
    create: named(({ dataset }) => ({
      description: 'made',
      orgCapabilities: {},
      datasetCapabilities: { [dataset]: { ingest: ['create'] } },
    })),
  },
];

/**
 * Lists the sent values that the stored resource lacks. Members that the service adds are ignored.
 */
function keeps(sent: unknown, kept: unknown, where = ''): string[] {
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) {
    return Object.entries(sent).flatMap(([name, value]) =>
      keeps(value, (kept as Value | undefined)?.[name], `${where}/${name}`),
    );
  }
  return JSON.stringify(sent) === JSON.stringify(kept) || sent === null
    ? []
    : [`${where} is ${JSON.stringify(kept)} instead of ${JSON.stringify(sent)}`];
}

function checksOf(cycle: Cycle): Check[] {
  const { collection, item = `${collection}/{id}`, members, parameter = 'id', key = 'id' } = cycle;
  const { written = (body: Value) => body, list = () => ({}), unkept = [] } = cycle;
  const at = (method: Method, path: string) => endpointAt(method, path);
  const create = at('POST', collection);
  const get = at('GET', item);
  const remove = at('DELETE', item);
  const update = at('PUT', item);
  const lists = at('GET', collection);
  if (create === undefined || get === undefined || remove === undefined) return [];
  const fits = (value: Value, answered: EndpointKey) => {
    if (members === undefined) return;
    const { method, path } = endpointRow(answered);
    assert.deepEqual(faultsOf(members, value), [], `${method} ${path}`);
  };
  const run = async (world: World): Promise<void> => {
    const { requests } = world;
    const asking = cycle.create(world);
    const made: Value = written(await granted(requests, create, asking));
    fits(made, create);
    const sent = Object.fromEntries(
      Object.entries(asking.body as Value).filter(([name]) => !unkept.includes(name)),
    );
    assert.deepEqual(keeps(sent, made), []);
    let id = String(made[key]);
    const one = () => ({ params: { [parameter]: id } });
    try {
      const got: Value = await granted(requests, get, one());
      fits(got, get);
      assert.deepEqual(keeps(sent, got), []);
      if (lists !== undefined) {
        const listed: Value[] = await granted(requests, lists, list(world));
        for (const value of listed) fits(value, lists);
        assert.equal(listed.filter((value) => value[key] === id).length, 1, 'in the list once');
      }
      if (update !== undefined && cycle.change !== undefined) {
        const body = cycle.change(got, world);
        const changed: Value = written(await granted(requests, update, { ...one(), body }));
        fits(changed, update);
        id = String(changed[key]);
        const after: Value = await granted(requests, get, one());
        assert.deepEqual(keeps(changed, after), []);
        if ('description' in body) assert.equal(after['description'], body['description']);
      }
    } finally {
      await granted(requests, remove, one());
    }
    await refused(requests, get, one(), [404]);
    await refused(requests, remove, one(), [404]);
  };
  return [
    {
      endpoint: create,
      name: `manages a ${cycle.change === renamed ? 'renamed ' : ''}resource by ${key} from creation to deletion`,
      run,
    },
    // A dashboard that does not exist is created by its update.
    ...(update === undefined || update === 'updateDashboard'
      ? []
      : [
          {
            endpoint: update,
            name: `rejects ${cycle.change === renamed ? 'renaming' : 'changing'} a missing resource with 404`,
            run: async (world: World) => {
              const body = cycle.change?.((cycle.create(world).body ?? {}) as Value, world) ?? {};
              const params = { [parameter]: world.requests.name() };
              isRefusal(await world.requests.call(update, { params, body }), update, [404]);
            },
          },
        ]),
  ];
}

export const lifecycleChecks: readonly Check[] = cycles.flatMap(checksOf);
