// The constraints of the specification's tables: each broken once, and the values at their bounds.
import assert from 'node:assert/strict';
import type { EndpointKey, Method } from '../../../api/src/index.ts';
import { type Break, boundsOf, breaksOf } from '../breaks.ts';
import { type Check, endpointAt, granted, refused, type World } from '../check.ts';
import * as spec from '../specification.ts';
import type { Asking } from '../target.ts';

interface Place {
  readonly method: Method;
  readonly path: string;
  readonly members: spec.Members;
  /** Builds an accepted request in which `part` replaces the members under test. */
  readonly request: (world: World, part: Readonly<Record<string, unknown>>) => Asking;
  /** Members left out of the checks because other members depend on them. */
  readonly except?: readonly string[];
  /** Deletes the resource that an accepted request has created. */
  readonly undo?: (world: World, body: Record<string, unknown>) => Promise<unknown>;
}

const remove =
  (key: EndpointKey, parameter: string, member: string) =>
  (world: World, body: Record<string, unknown>) =>
    world.requests.call(key, { params: { [parameter]: String(body[member]) } });

const dashboardUndo = (world: World, body: Record<string, unknown>) =>
  world.requests.call('deleteDashboard', {
    params: { uid: String((body['dashboard'] as { uid: string }).uid) },
  });

function dashboard(world: World, document: object, more: object = {}): Asking {
  return {
    params: { uid: world.requests.name() },
    body: { dashboard: { name: 'contract', charts: [], layout: [], ...document }, ...more },
  };
}

const chart = (world: World) => ({
  id: 'a',
  type: 'TimeSeries',
  name: 'A',
  query: { apl: `['${world.dataset}'] | count` },
});

const queryRequest =
  (query: string) =>
  (world: World, part: object): Asking => ({
    query,
    body: { apl: `['${world.dataset}'] | limit 1`, ...part },
  });

const places: readonly Place[] = [
  {
    method: 'POST',
    path: '/v2/monitors',
    members: spec.monitor,
    request: ({ requests, dataset }, part) => ({
      body: {
        name: requests.name(),
        type: 'Threshold',
        aplQuery: `['${dataset}'] | count`,
        ...part,
      },
    }),
    undo: remove('deleteMonitor', 'id', 'id'),
  },
  {
    method: 'POST',
    path: '/v2/views',
    members: spec.view,
    request: ({ requests, dataset }, part) => ({
      body: { name: requests.name(), aplQuery: `['${dataset}'] | count`, ...part },
    }),
    undo: remove('deleteView', 'id', 'name'),
  },
  {
    method: 'PUT',
    path: '/v2/views/{id}',
    members: spec.view,
    request: ({ requests, dataset }, part) => {
      const name = requests.name();
      return { params: { id: name }, body: { name, aplQuery: `['${dataset}'] | count`, ...part } };
    },
  },
  {
    method: 'POST',
    path: '/v2/annotations',
    members: spec.annotation,
    request: ({ dataset }, part) => ({ body: { datasets: [dataset], type: 'deploy', ...part } }),
    undo: remove('deleteAnnotation', 'id', 'id'),
  },
  {
    method: 'PUT',
    path: '/v2/dashboards/uid/{uid}',
    members: spec.dashboardRequest,
    // The uid of the body is the uid of the path.
    except: ['uid'],
    request: (world, part) => dashboard(world, {}, part),
    undo: dashboardUndo,
  },
  {
    method: 'PUT',
    path: '/v2/dashboards/uid/{uid}',
    members: spec.dashboardDocument,
    request: (world, part) => dashboard(world, part),
    undo: dashboardUndo,
  },
  {
    method: 'PUT',
    path: '/v2/dashboards/uid/{uid}',
    members: spec.chart,
    request: (world, part) => dashboard(world, { charts: [{ ...chart(world), ...part }] }),
    undo: dashboardUndo,
  },
  {
    method: 'PUT',
    path: '/v2/dashboards/uid/{uid}',
    members: spec.chartQuery,
    request: (world, part) => {
      const whole = chart(world);
      return dashboard(world, { charts: [{ ...whole, query: { ...whole.query, ...part } }] });
    },
    undo: dashboardUndo,
  },
  {
    method: 'PUT',
    path: '/v2/dashboards/uid/{uid}',
    members: spec.layoutItem,
    request: (world, part) =>
      dashboard(world, {
        charts: [chart(world)],
        layout: [{ i: 'a', x: 0, y: 0, w: 1, h: 1, ...part }],
      }),
    undo: dashboardUndo,
  },
  {
    method: 'POST',
    path: '/v2/datasets/{dataset_id}/mapfields',
    members: spec.mapField,
    request: ({ requests, dataset }, part) => ({
      params: { dataset_id: dataset },
      body: { name: requests.name(), ...part },
    }),
  },
  {
    method: 'POST',
    path: '/v1/query/_apl',
    members: spec.edgeQuery,
    request: queryRequest('?format=tabular'),
  },
  {
    method: 'POST',
    path: '/v1/datasets/_apl',
    members: spec.generalQuery,
    request: queryRequest('?format=tabular'),
  },
  ...(['/v1/query/_apl', '/v1/datasets/_apl'] as const).map(
    (path): Place => ({
      method: 'POST',
      path,
      members: spec.queryOptions,
      request: (world, part) => queryRequest('?format=tabular')(world, { queryOptions: part }),
    }),
  ),
  {
    method: 'POST',
    path: '/v1/query/_apl',
    members: spec.order,
    request: (world, part) =>
      queryRequest('?format=tabular')(world, {
        defaultOrder: [{ field: 'n', desc: true, ...part }],
      }),
  },
  {
    method: 'POST',
    path: '/v2/rbac/roles',
    members: spec.role,
    request: ({ requests }, part) => ({ body: { name: requests.name(), ...part } }),
  },
  {
    method: 'POST',
    path: '/v2/rbac/groups',
    members: spec.group,
    request: ({ requests }, part) => ({ body: { name: requests.name(), ...part } }),
  },
  {
    method: 'POST',
    path: '/v2/tokens',
    members: spec.token,
    request: ({ requests }, part) => ({
      body: { name: requests.name(), datasetCapabilities: {}, orgCapabilities: {}, ...part },
    }),
  },
];

/** Checks of each organization capability, which is a list of known actions. */
const capabilityChecks: readonly Check[] = ['/v2/rbac/roles', '/v2/tokens'].flatMap((path) => {
  const endpoint = endpointAt('POST', path);
  const remove = endpointAt('DELETE', `${path}/{id}`);
  if (endpoint === undefined || remove === undefined) return [];
  const asking = ({ requests }: World, orgCapabilities: object): Asking => ({
    body: { name: requests.name(), datasetCapabilities: {}, orgCapabilities },
  });
  return [
    ...spec.ORG_CAPABILITIES.map(
      (capability): Check => ({
        endpoint,
        name: `rejects a value of ${capability} that isn't a list of known actions`,
        run: async (world) => {
          for (const actions of ['read', { read: true }, [5], ['fly'], ['read', 'READ']]) {
            await refused(world.requests, endpoint, asking(world, { [capability]: actions }));
          }
        },
      }),
    ),
    {
      endpoint,
      name: 'stores every capability of the organization',
      run: async (world) => {
        const all = Object.fromEntries(spec.ORG_CAPABILITIES.map((name) => [name, ['read']]));
        const { id, orgCapabilities } = await granted(world.requests, endpoint, asking(world, all));
        assert.deepEqual(orgCapabilities, all);
        await granted(world.requests, remove, { params: { id } });
      },
    },
  ];
});

/** Query strings with their `?`, and whether they are accepted. */
const strings: readonly (readonly [Method, string, string, boolean])[] = [
  ['POST', '/v1/query/_apl', '', false],
  ['POST', '/v1/query/_apl', '?format=csv', false],
  ['POST', '/v1/query/_apl', '?format=legacy', true],
  ['POST', '/v1/query/_apl', '?format=tabular-rows', true],
  ['POST', '/v1/query/_apl', '?format=tabular&nocache=maybe', false],
  ['POST', '/v1/query/_apl', '?format=tabular&totals=maybe', false],
  [
    'POST',
    '/v1/query/_apl',
    '?format=tabular&nocache=true&streaming-duration=1s&apl-source=console&apl-source-id=x&totals=false',
    true,
  ],
  ['POST', '/v1/query/_apl', '?format=tabular&saveAsKind=true&id=contract', true],
  ['POST', '/v1/datasets/_apl', '?format=tabular&saveAsKind=true&dataset_name=contract', true],
  ['POST', '/v1/datasets/_apl', '?format=tabular&nocache=false', true],
  ['POST', '/v1/datasets/_apl', '', false],
  ['POST', '/v1/datasets/_apl', '?format=csv', false],
  ['POST', '/v1/datasets/_apl', '?format=tabular-rows', false],
  ['POST', '/v1/datasets/_apl', '?format=legacy', true],
  ['POST', '/v1/datasets/_apl', '?format=tabular&nocache=maybe', false],
  ['GET', '/v2/annotations', '?start=monday', false],
  ['GET', '/v2/annotations', '?end=2026-02-30T00:00:00Z', false],
  ['GET', '/v2/annotations', '?start=2026-01-01T00:00:00Z&end=2026-01-02T00:00:00Z', true],
  ['GET', '/v2/dashboards', '?limit=0', false],
  ['GET', '/v2/dashboards', '?limit=1001', false],
  ['GET', '/v2/dashboards', '?offset=-1', false],
  ['GET', '/v2/dashboards', '?limit=1000&offset=0', true],
];

function checksOf(place: Place): Check[] {
  const endpoint = endpointAt(place.method, place.path);
  if (endpoint === undefined) return [];
  const { members, except = [], request, undo } = place;
  const counts = ({ member }: Break) => !except.includes(member);
  const ask = (world: World, { member, value }: Break) => request(world, { [member]: value });
  return [
    ...breaksOf(members)
      .filter(counts)
      .map((broken) => ({
        endpoint,
        name: `rejects ${broken.what}`,
        run: async (world: World) => {
          await refused(world.requests, endpoint, ask(world, broken));
        },
      })),
    ...boundsOf(members)
      .filter(counts)
      .map((bound) => ({
        endpoint,
        name: `accepts ${bound.what}`,
        run: async (world: World) => {
          await undo?.(world, await granted(world.requests, endpoint, ask(world, bound)));
        },
      })),
  ];
}

export const constraintChecks: readonly Check[] = [
  ...places.flatMap(checksOf),
  ...capabilityChecks,
  ...strings.flatMap(([method, path, query, accepted]): Check[] => {
    const endpoint = endpointAt(method, path);
    if (endpoint === undefined) return [];
    const asking = (world: World): Asking =>
      method === 'GET' ? { query } : { ...queryRequest(query)(world, {}) };
    return [
      {
        endpoint,
        name: `${accepted ? 'accepts' : 'rejects'} the query string "${query}"`,
        run: async (world) => {
          await (accepted ? granted : refused)(world.requests, endpoint, asking(world));
        },
      },
    ];
  }),
];
