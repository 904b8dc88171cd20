// The endpoint table: it contains the specification's endpoints as specified, and every row is consistent.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as api from '../../api/src/index.ts';

// The specification's endpoints: method, host, path, key, token kinds, query parameters, and the
// schemas of body and response.
const both = ['api', 'personal'];
const inSpec: readonly (readonly [
  string,
  string,
  string,
  api.EndpointKey,
  readonly string[],
  readonly string[],
  unknown,
  unknown,
])[] = [
  [
    'POST',
    'edge',
    '/v1/ingest/{dataset_name}',
    'ingest',
    ['api'],
    ['timestamp-field', 'timestamp-format'],
    undefined,
    api.IngestResponse,
  ],
  [
    'POST',
    'edge',
    '/v1/query/_apl',
    'queryEdge',
    ['api'],
    [
      'format',
      'nocache',
      'saveAsKind',
      'id',
      'streaming-duration',
      'apl-source',
      'apl-source-id',
      'totals',
    ],
    api.EdgeQueryRequest,
    api.QueryResult,
  ],
  [
    'POST',
    'general',
    '/v1/datasets/_apl',
    'queryGeneral',
    both,
    ['format', 'nocache', 'saveAsKind', 'dataset_name'],
    api.GeneralQueryRequest,
    api.QueryResult,
  ],
  ['GET', 'general', '/v2/monitors', 'listMonitors', both, [], undefined, [api.Monitor]],
  [
    'PUT',
    'general',
    '/v2/dashboards/uid/{uid}',
    'updateDashboard',
    both,
    [],
    api.DashboardWrite,
    api.DashboardWriteResponse,
  ],
  ['GET', 'general', '/v2/rbac/roles', 'listRoles', both, [], undefined, [api.Role]],
  ['GET', 'general', '/v2/rbac/groups/{id}', 'getGroup', both, [], undefined, api.Group],
  ['GET', 'general', '/v2/tokens/{id}', 'getToken', both, [], undefined, api.Token],
  ['GET', 'general', '/v2/orgs/{id}', 'getOrganization', both, [], undefined, api.Organization],
  ['PUT', 'general', '/v2/views/{id}', 'updateView', both, [], api.ViewWrite, api.View],
  [
    'GET',
    'general',
    '/v2/annotations',
    'listAnnotations',
    both,
    ['datasets', 'start', 'end'],
    undefined,
    [api.Annotation],
  ],
  ['GET', 'general', '/v2/user', 'getCurrentUser', ['personal'], [], undefined, api.User],
  [
    'POST',
    'general',
    '/v2/datasets/{dataset_id}/mapfields',
    'createMapField',
    both,
    [],
    api.MapField,
    api.MapField,
  ],
];

// The endpoints beyond the specification, by resource or purpose.
const needed: Readonly<Record<string, readonly api.EndpointKey[]>> = {
  datasets: ['listDatasets', 'getDataset', 'createDataset', 'updateDataset', 'deleteDataset'],
  olderPaths: [
    'ingestV1',
    'listDatasetsV1',
    'getDatasetV1',
    'createDatasetV1',
    'updateDatasetV1',
    'deleteDatasetV1',
    'trimDatasetV1',
    'queryStructuredV1',
    'getCurrentUserV1',
  ],
  maintenance: ['getDatasetInfo', 'trimDataset', 'vacuumDataset'],
  structured: ['queryStructured'],
  notifiers: ['listNotifiers', 'createNotifier', 'getNotifier', 'updateNotifier', 'deleteNotifier'],
  fields: ['listAllFields', 'listFields', 'getField', 'updateField'],
  mapFields: ['listMapFields', 'replaceMapFields', 'deleteMapField'],
  monitors: ['createMonitor', 'getMonitor', 'getMonitorHistory', 'updateMonitor', 'deleteMonitor'],
  dashboards: ['listDashboards', 'createDashboard', 'getDashboard', 'deleteDashboard'],
  views: ['listViews', 'createView', 'getView', 'deleteView'],
  annotations: ['createAnnotation', 'getAnnotation', 'updateAnnotation', 'deleteAnnotation'],
  savedQueries: [
    'listSavedQueries',
    'createSavedQuery',
    'getSavedQuery',
    'updateSavedQuery',
    'deleteSavedQuery',
  ],
  virtualFields: [
    'listVirtualFields',
    'createVirtualField',
    'getVirtualField',
    'updateVirtualField',
    'deleteVirtualField',
  ],
  batch: ['queryBatch'],
  openTelemetry: ['ingestTraces', 'ingestLogs', 'ingestMetrics'],
  bulk: ['bulkIngest', 'bulkIngestGeneral', 'getBulkServer', 'getBulkServerGeneral'],
  history: ['getHistoryQuery'],
  tokens: ['listTokens', 'createToken', 'deleteToken', 'regenerateToken'],
  roles: ['createRole', 'getRole', 'updateRole', 'deleteRole'],
  groups: ['listGroups', 'createGroup', 'updateGroup', 'deleteGroup'],
  users: [
    'updateCurrentUser',
    'listUsers',
    'createUser',
    'getUser',
    'deleteUser',
    'updateUserRole',
  ],
  organizations: ['listOrganizations', 'createOrganization', 'updateOrganization'],
};

describe('the endpoint table', () => {
  for (const [method, host, path, key, tokens, query, body, response] of inSpec) {
    it(`matches the specification for ${method} ${path}`, () => {
      const row = api.endpointRow(key);
      assert.deepEqual(
        [row.inSpec, row.method, row.host, row.path, row.tokens],
        [true, method, host, path, tokens],
      );
      const names = Object.keys(row.query.properties);
      assert.deepEqual(
        names.filter((name) => query.includes(name)),
        query,
      );
      assert.equal(row.body, body);
      if (Array.isArray(response)) {
        const list = row.response as { type?: string; items?: unknown };
        assert.deepEqual([list.type, list.items], ['array', response[0]]);
      } else {
        assert.equal(row.response, response);
      }
      assert.ok(row.status.includes(200));
    });
  }

  it('marks exactly the endpoints in the specification as specified', () => {
    const marked = api.endpointKeys.filter((key) => api.endpointRow(key).inSpec);
    assert.deepEqual(marked.toSorted(), inSpec.map((row) => row[3]).toSorted());
  });

  it('contains exactly the endpoints of the specification and the additions listed in this test', () => {
    const keys = [...inSpec.map((row) => row[3]), ...Object.values(needed).flat()];
    assert.deepEqual(api.endpointKeys.toSorted(), keys.toSorted());
  });

  it('restricts exactly the edge endpoints to API tokens', () => {
    for (const key of api.endpointKeys) {
      const row = api.endpointRow(key);
      assert.equal(row.host === 'edge', row.tokens.length === 1 && row.tokens[0] === 'api', key);
    }
  });

  it('has consistent values for each endpoint', () => {
    for (const key of api.endpointKeys) {
      const row = api.endpointRow(key);
      assert.equal(row.content === 'json', row.body !== undefined, `${key}: body`);
      assert.equal(row.content === 'none', row.contentTypes.length === 0, `${key}: types`);
      assert.equal(row.reply === 'json', row.response !== undefined, `${key}: response`);
      assert.ok(row.reply === 'none' || !row.status.includes(204), `${key}: status`);
      assert.ok(
        row.status.every((status) => status >= 200 && status < 300),
        key,
      );
      assert.match(row.summary, /^[A-Z].*\.$/, key);
      const names = [...row.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!);
      assert.equal(new Set(names).size, names.length, key);
      for (const name of Object.keys(row.params?.properties ?? {})) {
        assert.ok(names.includes(name), `${key}: ${name} is not in its path`);
      }
      if (row.capability !== undefined) assert.match(row.capability, /^[a-zA-Z]+:[a-z]+$/, key);
    }
  });

  it('has at most one endpoint per method and path', () => {
    const seen = api.endpointKeys.map((key) => {
      const row = api.endpointRow(key);
      return `${row.method} ${row.path.replace(/\{[^}]+\}/g, '{}')}`;
    });
    assert.equal(new Set(seen).size, seen.length);
  });

  it('distinguishes API and personal tokens by prefix', () => {
    assert.equal(api.tokenKind('xaat-1'), 'api');
    assert.equal(api.tokenKind('xapt-1'), 'personal');
    assert.equal(api.tokenKind('secret'), undefined);
    assert.equal(api.tokenKind(''), undefined);
  });
});
