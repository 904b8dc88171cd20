// For every endpoint, a request that is valid except for its token. It refers to one of two
// datasets, and resources that a request deletes are recreated.
import assert from 'node:assert/strict';
import { type EndpointKey, endpointRow } from '../../api/src/index.ts';
import type { Deployment } from './deployment.ts';

export type Name = 'a' | 'b';

export interface Request {
  readonly path: string;
  readonly body?: object | string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let count = 0;

/** Creates a resource that requests refer to, with the owner's token. Returns its identifier. */
type Make = (
  make: (path: string, body: object) => Promise<Made>,
  dataset: Name,
  local: Deployment,
) => Promise<string>;

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
type Made = any;

const makers = {
  monitor: async (make, dataset) => (await make('/v2/monitors', monitor(`['${dataset}']`))).id,
  view: async (make, dataset) => (await make('/v2/views', view(dataset))).name,
  annotation: async (make, dataset) =>
    (await make('/v2/annotations', { datasets: [dataset], type: 'deploy' })).id,
  savedQuery: async (make, dataset) => (await make('/v2/apl-starred-queries', saved(dataset))).id,
  virtualField: async (make, dataset) => (await make('/v2/vfields', virtualField(dataset))).id,
  notifier: async (make) => (await make('/v2/notifiers', notifier)).id,
  dashboard: async (make) =>
    (await make('/v2/dashboards', { dashboard: { name: 'd' } })).dashboard.uid,
  /** A dataset that requests may change. */
  spare: async (make) => (await make('/v2/datasets', { name: `spare-${++count}` })).name,
  map: async (make, dataset) =>
    (await make(`/v2/datasets/${dataset}/mapfields`, { name: `map-${++count}` })).name,
  user: async (make) => (await make('/v2/users', user())).id,
  role: async (make) => (await make('/v2/rbac/roles', { name: `role-${++count}` })).id,
  group: async (make) => (await make('/v2/rbac/groups', { name: `group-${++count}` })).id,
  kept: async (_make, dataset, local) => {
    const path = '/v1/query/_apl?format=tabular&saveAsKind=apl';
    const { headers } = await local.call('POST', path, { apl: `['${dataset}'] | count` });
    return headers.get('x-axiom-history-query-id') ?? '';
  },
  token: async (make) => (await make('/v2/tokens', { name: 'powerless' })).id,
} satisfies Record<string, Make>;

type Member = keyof typeof makers;

/** Identifiers of the resources that requests about a dataset refer to. */
export type Targets = { readonly dataset: Name } & { [M in Member]: string };

/** Creates all resources that requests about a dataset refer to. The dataset must exist. */
export async function makeTargets(local: Deployment, dataset: Name): Promise<Targets> {
  const targets = { dataset } as Targets;
  for (const member of Object.keys(makers) as Member[]) await remake(local, targets, member);
  return targets;
}

async function remake(local: Deployment, targets: Targets, member: Member): Promise<void> {
  const make = async (path: string, body: object) => {
    const answer = await local.call('POST', path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  targets[member] = await makers[member](make, targets.dataset, local);
}

const usedUp: { readonly [K in EndpointKey]?: Member } = {
  deleteDataset: 'spare',
  deleteDatasetV1: 'spare',
  deleteMapField: 'map',
  deleteMonitor: 'monitor',
  deleteNotifier: 'notifier',
  deleteDashboard: 'dashboard',
  deleteView: 'view',
  deleteAnnotation: 'annotation',
  deleteSavedQuery: 'savedQuery',
  deleteVirtualField: 'virtualField',
  deleteUser: 'user',
  deleteRole: 'role',
  deleteGroup: 'group',
  deleteToken: 'token',
};

/** Requests of current endpoints that create nothing, or nothing that can be deleted. */
const leavesNothing: ReadonlySet<EndpointKey> = new Set<EndpointKey>([
  'queryStructured',
  'createOrganization',
  'trimDataset',
  'vacuumDataset',
]);

/** Recreates what a successful request deleted, and deletes what it created. */
export async function restore(
  local: Deployment,
  key: EndpointKey,
  targets: Targets,
  { body }: { readonly body: Made },
): Promise<void> {
  const member = usedUp[key];
  if (member !== undefined) await remake(local, targets, member);
  const { path, method } = endpointRow(key);
  const isPresent = path.startsWith('/v2/') && !leavesNothing.has(key);
  if (method !== 'POST' || !(isPresent || key === 'createDatasetV1')) return;
  const id = key === 'createDashboard' ? `uid/${body.dashboard.uid}` : (body.id ?? body.name);
  const list = path.replace('/{id}/regenerate', '').replace('{dataset_id}', targets.spare);
  const gone = await local.call('DELETE', `${list}/${id}`);
  assert.equal(gone.status, 204, gone.text);
}

const view = (dataset: Name) => ({ name: `view-${++count}`, aplQuery: `['${dataset}']` });
const virtualField = (dataset: Name) => ({
  dataset,
  name: `virtual_${++count}`,
  expression: 'n + 1',
});
const monitor = (aplQuery: string) => ({ name: 'm', type: 'Threshold', aplQuery });
const notifier = { name: 'n', properties: { webhook: { url: 'https://example.com' } } };
const saved = (dataset: string) => ({
  name: 'q',
  kind: 'apl',
  query: { apl: `['${dataset}']` },
  who: 'team',
  dataset,
});
const user = () => ({ name: 'Jane', email: `jane-${++count}@example.com`, role: 'none' });

/** Path parameters and body. */
type Parts = readonly [params: readonly string[], body?: object | string];

const parts: { readonly [K in EndpointKey]: (on: Targets) => Parts } = {
  ingest: ({ dataset }) => [[dataset], '{"n":1}'],
  ingestV1: ({ dataset }) => [[dataset], '{"n":1}'],
  ingestTraces: () => [[], { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'x' }] }] }] }],
  ingestLogs: () => [[], { resourceLogs: [{ scopeLogs: [{ logRecords: [{}] }] }] }],
  ingestMetrics: () => [[]],
  bulkIngest: ({ dataset }) => [[dataset], '{"index":{}}\n{"n":1}\n'],
  bulkIngestGeneral: ({ dataset }) => [[dataset], '{"create":{}}\n{"n":1}\n'],
  getBulkServer: ({ dataset }) => [[dataset]],
  getBulkServerGeneral: ({ dataset }) => [[dataset]],
  queryEdge: ({ dataset }) => [[], { apl: `['${dataset}'] | count` }],
  queryBatch: ({ dataset }) => [
    [],
    [{ queryId: 'q', aplRequest: { apl: `['${dataset}'] | count` } }],
  ],
  queryGeneral: ({ dataset }) => [[], { apl: `['${dataset}'] | count` }],
  queryStructured: ({ dataset }) => [[dataset], {}],
  queryStructuredV1: ({ dataset }) => [[dataset], {}],
  getHistoryQuery: ({ kept }) => [[kept]],
  listAllFields: () => [[]],
  listDatasets: () => [[]],
  createDataset: () => [[], { name: `fresh-${++count}` }],
  getDataset: ({ dataset }) => [[dataset]],
  updateDataset: ({ spare }) => [[spare], { description: 'x' }],
  deleteDataset: ({ spare }) => [[spare]],
  listDatasetsV1: () => [[]],
  createDatasetV1: () => [[], { name: `fresh-${++count}` }],
  getDatasetV1: ({ dataset }) => [[dataset]],
  updateDatasetV1: ({ spare }) => [[spare], { description: 'x' }],
  deleteDatasetV1: ({ spare }) => [[spare]],
  getDatasetInfo: ({ dataset }) => [[dataset]],
  // No event is older than this.
  trimDataset: ({ dataset }) => [[dataset], { maxDuration: '10000h' }],
  trimDatasetV1: ({ dataset }) => [[dataset], { maxDuration: '10000h' }],
  vacuumDataset: ({ dataset }) => [[dataset]],
  listFields: ({ dataset }) => [[dataset]],
  getField: ({ dataset }) => [[dataset, 'n']],
  updateField: ({ dataset }) => [[dataset, 'n'], { unit: 'ms' }],
  listMapFields: ({ dataset }) => [[dataset]],
  replaceMapFields: ({ spare }) => [[spare], ['x']],
  createMapField: ({ spare }) => [[spare], { name: `x${++count}` }],
  deleteMapField: ({ dataset, map }) => [[dataset, map]],
  listMonitors: () => [[]],
  createMonitor: ({ dataset }) => [[], monitor(`['${dataset}'] | count`)],
  getMonitor: (on) => [[on.monitor]],
  getMonitorHistory: (on) => [[on.monitor]],
  updateMonitor: (on) => [[on.monitor], monitor(`['${on.dataset}'] | count`)],
  deleteMonitor: (on) => [[on.monitor]],
  listNotifiers: () => [[]],
  createNotifier: () => [[], notifier],
  getNotifier: (on) => [[on.notifier]],
  updateNotifier: (on) => [[on.notifier], notifier],
  deleteNotifier: (on) => [[on.notifier]],
  listDashboards: () => [[]],
  createDashboard: () => [[], { dashboard: { name: 'd' } }],
  getDashboard: (on) => [[on.dashboard]],
  updateDashboard: (on) => [[on.dashboard], { dashboard: { name: 'e' }, overwrite: true }],
  deleteDashboard: (on) => [[on.dashboard]],
  listViews: () => [[]],
  createView: ({ dataset }) => [[], view(dataset)],
  getView: (on) => [[on.view]],
  updateView: (on) => [[on.view], { name: on.view, aplQuery: `['${on.dataset}']` }],
  deleteView: (on) => [[on.view]],
  listAnnotations: () => [[]],
  createAnnotation: ({ dataset }) => [[], { datasets: [dataset], type: 'deploy' }],
  getAnnotation: (on) => [[on.annotation]],
  updateAnnotation: (on) => [[on.annotation], { title: 'x' }],
  deleteAnnotation: (on) => [[on.annotation]],
  listSavedQueries: () => [[]],
  createSavedQuery: ({ dataset }) => [[], saved(dataset)],
  getSavedQuery: (on) => [[on.savedQuery]],
  updateSavedQuery: (on) => [[on.savedQuery], saved(on.dataset)],
  deleteSavedQuery: (on) => [[on.savedQuery]],
  listVirtualFields: () => [[]],
  createVirtualField: ({ dataset }) => [[], virtualField(dataset)],
  getVirtualField: (on) => [[on.virtualField]],
  updateVirtualField: (on) => [[on.virtualField], virtualField(on.dataset)],
  deleteVirtualField: (on) => [[on.virtualField]],
  getCurrentUser: () => [[]],
  getCurrentUserV1: () => [[]],
  updateCurrentUser: () => [[], { name: 'Local user' }],
  listUsers: () => [[]],
  createUser: () => [[], user()],
  getUser: (on) => [[on.user]],
  deleteUser: (on) => [[on.user]],
  updateUserRole: (on) => [[on.user], { role: 'none' }],
  listOrganizations: () => [[]],
  createOrganization: () => [[], { name: 'Other' }],
  getOrganization: () => [['local']],
  updateOrganization: () => [['local'], { name: 'Local' }],
  listRoles: () => [[]],
  createRole: () => [[], { name: `made-${++count}` }],
  getRole: (on) => [[on.role]],
  updateRole: (on) => [[on.role], { name: `changed-${++count}` }],
  deleteRole: (on) => [[on.role]],
  listGroups: () => [[]],
  createGroup: () => [[], { name: `made-${++count}` }],
  getGroup: (on) => [[on.group]],
  updateGroup: (on) => [[on.group], { name: `changed-${++count}` }],
  deleteGroup: (on) => [[on.group]],
  listTokens: () => [[]],
  createToken: () => [[], { name: 'powerless' }],
  getToken: (on) => [[on.token]],
  deleteToken: (on) => [[on.token]],
  regenerateToken: (on) => [[on.token], { existingTokenExpiresAt: '2020-01-01T00:00:00Z' }],
};

const queries: { readonly [K in EndpointKey]?: (on: Targets) => string } = {
  queryEdge: () => '?format=tabular',
  queryGeneral: () => '?format=tabular',
  listSavedQueries: () => '?who=all',
  listVirtualFields: ({ dataset }) => `?dataset=${dataset}`,
  getMonitorHistory: () => '?startTime=2026-01-01T00:00:00Z&endTime=2026-01-02T00:00:00Z',
};

const headers: { readonly [K in EndpointKey]?: (on: Targets) => Record<string, string> } = {
  ingestTraces: ({ dataset }) => ({ 'x-axiom-dataset': dataset }),
  ingestLogs: ({ dataset }) => ({ 'x-axiom-dataset': dataset }),
};

export function requestOf(key: EndpointKey, on: Targets): Request {
  const [params, body] = parts[key](on);
  const values = [...params];
  const path = endpointRow(key).path.replace(/\{[^}]+\}/g, () => values.shift()!);
  return {
    path: path + (queries[key]?.(on) ?? ''),
    ...(body === undefined ? {} : { body }),
    ...(typeof body === 'string' ? { type: 'application/x-ndjson' } : {}),
    headers: headers[key]?.(on) ?? {},
  };
}
