// One complete, valid value for each resource, request and response, with every declared member, so that tests can
// break one member at a time.
import * as api from '../../api/src/index.ts';

const time = '2026-03-01T10:20:30.123456789Z';

const monitorWrite = {
  name: 'Errors',
  type: 'Threshold',
  alertOnNoData: false,
  aplQuery: "['http-logs'] | count",
  mplQuery: '',
  columnName: 'count_',
  compareDays: 7,
  description: 'Too many errors',
  disabled: false,
  disabledUntil: null,
  intervalMinutes: 1,
  rangeMinutes: 1,
  notifierIds: ['n1'],
  notifyByGroup: false,
  notifyEveryRun: true,
  operator: 'AboveOrEqual',
  resolvable: true,
  secondDelay: 86_400,
  skipResolved: false,
  threshold: 0.5,
  tolerance: 100,
  triggerAfterNPositiveResults: 1,
  triggerFromNRuns: 2,
};

const annotationWrite = {
  datasets: ['http-logs'],
  type: 'deploy-2',
  time,
  description: 'x'.repeat(512),
  endTime: null,
  title: 'Version 2',
  url: 'https://example.com/2',
};

const document = {
  name: 'Traffic',
  owner: 'X-AXIOM-EVERYONE',
  charts: [
    {
      id: 'c1',
      type: 'TimeSeries',
      name: 'Requests',
      query: {
        apl: "['http-logs'] | count",
        mpl: '',
        queryOptions: {
          displayNull: 'auto',
          overlayCharts: true,
          shownColumns: 'a',
          timeSeriesVariant: 'area',
          timeSeriesView: 'charts',
        },
      },
    },
  ],
  layout: [
    { i: 'c1', x: 11, y: 0, w: 12, h: 100, minW: 1, minH: 0.5, maxW: 12, maxH: 4, static: true },
  ],
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-1h',
  timeWindowEnd: 'qr-now',
  description: '',
  against: '-1h',
  againstTimestamp: '',
  uid: 'traffic',
};

const dashboard = {
  id: '1',
  uid: 'traffic',
  dashboard: document,
  version: 3,
  createdAt: time,
  createdBy: 'u1',
  updatedAt: time,
  updatedBy: 'u1',
};

const dashboardWrite = {
  dashboard: document,
  message: 'wider',
  overwrite: false,
  uid: 'traffic_2-A',
  version: 3,
};

const view = {
  name: 'slow',
  aplQuery: "['http-logs'] | where duration > 1s",
  datasets: ['http-logs'],
  description: 'Slow requests',
  sharedByOrg: 'o2',
  sharedByOrgName: 'Other',
};

const order = [{ field: '_time', desc: true }];

const query = {
  apl: "['http-logs']",
  cursor: '0d8q6stroluyo-07c3957e7400015c-0000c875',
  startTime: 'now-1h',
  endTime: time,
  includeCursor: true,
  queryOptions: Object.fromEntries(api.QUERY_OPTIONS.map((name) => [name, 'x'])),
  variables: { status: 500 },
  defaultLimit: 1_000_000,
  defaultOrder: order,
  includeCursorField: false,
  libraries: ['l1'],
  maxBinAutoGroups: 10_000,
};

const status = {
  elapsedTime: 12_000,
  minCursor: 'a',
  maxCursor: 'b',
  blocksExamined: 1,
  blocksCached: 0,
  blocksMatched: 1,
  blocksSkipped: 0,
  rowsExamined: 10,
  rowsMatched: 2,
  numGroups: 0,
  isPartial: false,
  isEstimate: false,
  cacheStatus: 1,
  minBlockTime: time,
  maxBlockTime: time,
  continuationToken: 't',
  messages: [
    { priority: 'warn', code: 'default_limit_warning', count: 1, msg: 'limited', message: '' },
  ],
};

const field = { name: 'geo.city', type: 'string', unit: 'none', hidden: false, description: '' };

const table = {
  name: '0',
  sources: [{ name: 'http-logs' }],
  fields: [
    { name: '_time', type: 'datetime' },
    { name: 'count_', type: 'integer', agg: { name: 'count', fields: [], args: [] } },
  ],
  order,
  groups: [{ name: 'status' }],
  range: { field: '_time', start: time, end: time },
  buckets: { field: '_time', size: 60_000_000_000 },
  columns: [
    [time, null],
    [1, 2],
  ],
  rows: [
    [time, 1],
    [null, 2],
  ],
};

const group = {
  id: 1,
  group: { status: 200 },
  aggregations: [{ op: 'count', value: 3, data: null }],
};

const result = {
  format: 'tabular',
  status,
  tables: [table],
  datasetNames: ['http-logs'],
  fieldsMetaMap: { 'http-logs': [field] },
  buckets: {
    series: [{ startTime: time, endTime: time, groups: [group] }],
    totals: [group],
  },
  matches: [{ _time: time, _sysTime: time, _rowId: 'r', data: { status: 200 } }],
  request: {
    startTime: time,
    endTime: time,
    resolution: 'auto',
    aggregations: [{ op: 'count', field: '*', argument: 1, alias: 'n' }],
    groupBy: ['status'],
    filter: { op: 'and', field: '', value: 1, caseSensitive: true, children: [] },
    order,
    limit: 10,
    virtualFields: [{ alias: 'a', expr: '1' }],
    project: [{ field: 'a', alias: 'b' }],
    cursor: '',
    includeCursor: false,
    continuationToken: '',
    fieldsMeta: null,
  },
};

const source = {
  database: 'otel',
  table: 'otel_logs',
  time: 'Timestamp',
  hidden: ['Body'],
  key: ['TraceId', 'SpanId'],
  units: { duration: 'ns' },
};

const dataset = {
  id: 'http-logs',
  name: 'http-logs',
  created: time,
  updatedAt: time,
  who: 'u1',
  canWrite: true,
  description: 'Requests',
  retentionDays: 30,
  useRetentionPeriod: true,
  kind: 'axiom:events:v1',
  edgeDeployment: 'cloud.us-east-1.aws',
  edgeDeploymentUrl: 'https://edge.example.com',
  mapFields: ['labels'],
  sharedByOrg: '',
  source: { ...source, file: '/data/datasets.yaml' },
};

const savedQuery = {
  name: 'By status',
  kind: 'apl',
  query: {
    apl: 'x',
    startTime: 'now-1h',
    endTime: 'now',
    defaultOrder: order,
    libraries: [],
    queryOptions: { quickRange: '1h' },
  },
  metadata: {},
  who: 'team',
  dataset: 'http-logs',
};

const virtualField = {
  dataset: 'http-logs',
  name: 'slow',
  expression: 'duration > 1s',
  description: '',
  type: 'boolean',
  unit: '',
};

function everyAction(table: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(table).map(([name, actions]) => [name, [...actions]]));
}

const capabilities = {
  orgCapabilities: everyAction(api.ORG_CAPABILITY_ACTIONS),
  datasetCapabilities: { 'http-logs': everyAction(api.DATASET_CAPABILITY_ACTIONS) },
  viewCapabilities: { slow: { query: ['read'], share: ['delete'] } },
};

const organization = {
  id: 'o1',
  name: 'Org',
  license: {
    id: 'l1',
    issuer: 'i',
    issuedTo: 't',
    issuedAt: time,
    validFrom: time,
    expiresAt: time,
    billingPeriodStart: time,
    billingPeriodEnd: time,
    tier: 'personal',
    features: { sso: false },
    withAuths: ['local'],
    defaultEdgeDeployment: 'cloud.us-east-1.aws',
    edgeDeployments: ['cloud.us-east-1.aws'],
    apiRateLimitPerSecond: 1,
    maxAuditWindowSeconds: 1,
    maxDatasets: 3,
    maxEndpoints: 1,
    maxFields: 256,
    maxMonitors: 3,
    maxQueryWindowSeconds: 1,
    maxUsers: 1,
    monthlyIngestGb: 500,
    monthlyQueryGbHours: 10.5,
    storageAllowanceGB: 1.5,
  },
  plan: 'personal',
  planCreated: time,
  paymentStatus: 'na',
  primaryEmail: 'a@example.com',
  lastUsageSync: time,
  defaultEdgeDeployment: 'cloud.us-east-1.aws',
  firstFailedPayment: '',
  metaCreated: time,
  metaModified: time,
  metaVersion: '1',
  role: 'owner',
};

export interface Sample {
  readonly schema: api.TSchema;
  readonly value: unknown;
}

/** Samples by schema name: the schema, and a value with all of its members. */
export const samples: Readonly<Record<string, Sample>> = {
  Monitor: {
    schema: api.Monitor,
    value: { id: 'm1', ...monitorWrite, createdAt: time, createdBy: 'u1', updatedAt: time },
  },
  MonitorCheck: {
    schema: api.MonitorCheck,
    value: { checkId: 'c1', name: 'Errors', state: 'open', timestamp: time },
  },
  MonitorWrite: { schema: api.MonitorWrite, value: monitorWrite },
  Annotation: { schema: api.Annotation, value: { id: 'ann_1', ...annotationWrite } },
  NewAnnotation: { schema: api.NewAnnotation, value: annotationWrite },
  AnnotationUpdate: { schema: api.AnnotationUpdate, value: annotationWrite },
  Dashboard: { schema: api.Dashboard, value: dashboard },
  DashboardWrite: { schema: api.DashboardWrite, value: dashboardWrite },
  DashboardUpdate: { schema: api.DashboardUpdate, value: dashboardWrite },
  DashboardWriteResponse: {
    schema: api.DashboardWriteResponse,
    value: { dashboard, status: 'updated', overwritten: false },
  },
  View: { schema: api.View, value: { id: 'v1', ...view } },
  ViewWrite: { schema: api.ViewWrite, value: view },
  SavedQuery: { schema: api.SavedQuery, value: { id: 'q1', ...savedQuery } },
  SavedQueryWrite: { schema: api.SavedQueryWrite, value: savedQuery },
  VirtualField: { schema: api.VirtualField, value: { id: 'f1', ...virtualField } },
  VirtualFieldWrite: { schema: api.VirtualFieldWrite, value: virtualField },
  HistoryQuery: {
    schema: api.HistoryQuery,
    value: { id: 'k1', kind: 'apl', dataset: 'http-logs', who: 'u1', created: time, query: {} },
  },
  GeneralQueryRequest: { schema: api.GeneralQueryRequest, value: query },
  EdgeQueryRequest: { schema: api.EdgeQueryRequest, value: query },
  GeneralQueryParameters: {
    schema: api.GeneralQueryParameters,
    value: { format: 'tabular', nocache: true, saveAsKind: 'apl', dataset_name: 'http-logs' },
  },
  EdgeQueryParameters: {
    schema: api.EdgeQueryParameters,
    value: {
      format: 'tabular-rows',
      nocache: true,
      saveAsKind: 'apl',
      id: 'http-logs',
      'streaming-duration': '5s',
      'apl-source': 'console',
      'apl-source-id': 'd1',
      totals: false,
    },
  },
  BatchRequest: {
    schema: api.BatchRequest,
    value: [
      { queryId: 'a', aplRequest: query },
      { queryId: 'b', mplRequest: { startTime: 'now-1h', endTime: 'now', mpl: 'm' } },
    ],
  },
  BatchParameters: {
    schema: api.BatchParameters,
    value: { maxConcurrency: 20, nocache: false, 'apl-source': 'x', 'apl-source-id': 'y' },
  },
  QueryResult: { schema: api.QueryResult, value: result },
  TabularResult: { schema: api.TabularResult, value: result },
  IngestEvents: { schema: api.IngestEvents, value: [{ a: 1, b: { c: [[1]] } }] },
  IngestResponse: {
    schema: api.IngestResponse,
    value: {
      ingested: 2,
      failed: 1,
      failures: [{ timestamp: time, error: 'too many fields' }],
      processedBytes: 10,
      blocksCreated: 0,
      walLength: 2,
      messages: [{ priority: 'warn', code: 'schema_rules_drop:a', count: 1, msg: 'dropped' }],
    },
  },
  Dataset: { schema: api.Dataset, value: dataset },
  NewDataset: {
    schema: api.NewDataset,
    value: {
      name: 'http-logs',
      description: '',
      kind: 'axiom:events:v1',
      edgeDeployment: 'cloud.us-east-1.aws',
      retentionDays: 30,
      useRetentionPeriod: true,
      source,
    },
  },
  DeclaredDataset: {
    schema: api.DeclaredDataset,
    value: { name: 'http-logs', description: '', ...source },
  },
  DatasetSource: { schema: api.DatasetSource, value: source },
  DatasetUpdate: {
    schema: api.DatasetUpdate,
    value: { description: '', retentionDays: 30, useRetentionPeriod: false },
  },
  Field: { schema: api.Field, value: field },
  FieldUpdate: { schema: api.FieldUpdate, value: field },
  DatasetFields: {
    schema: api.DatasetFields,
    value: { datasetName: 'http-logs', fields: [field] },
  },
  MapField: { schema: api.MapField, value: { name: 'labels' } },
  MapFieldNames: { schema: api.MapFieldNames, value: ['labels', 'geo.city'] },
  OrganizationUpdate: { schema: api.OrganizationUpdate, value: { name: 'Org' } },
  NewUser: {
    schema: api.NewUser,
    value: { name: 'Jane Doe', email: 'jane.doe@example.com', role: 'user' },
  },
  UserUpdate: { schema: api.UserUpdate, value: { name: 'Jane' } },
  UserRoleUpdate: { schema: api.UserRoleUpdate, value: { role: 'user' } },
  RoleWrite: {
    schema: api.RoleWrite,
    value: { name: 'Reader', description: '', members: [], ...capabilities },
  },
  GroupWrite: {
    schema: api.GroupWrite,
    value: { name: 'Team', description: '', members: [], roles: ['user'] },
  },
  NewToken: {
    schema: api.NewToken,
    value: { name: 'ci', description: '', expiresAt: null, ...capabilities },
  },
  TrimOptions: { schema: api.TrimOptions, value: { maxDuration: '1h30m' } },
  TrimResult: { schema: api.TrimResult, value: { numDeleted: 3 } },
  DatasetInfo: {
    schema: api.DatasetInfo,
    value: {
      name: 'logs',
      created: time,
      numEvents: 1,
      numFields: 3,
      numBlocks: 1,
      inputBytes: 20,
      inputBytesHuman: '20 B',
      compressedBytes: 0,
      compressedBytesHuman: '0 B',
      minTime: time,
      maxTime: time,
      fields: [{ name: 'a', type: 'integer', unit: '', hidden: false, description: '' }],
    },
  },
  UserV1: {
    schema: api.UserV1,
    value: { id: 'u1', name: 'Ann', email: 'a@b.c', role: 'Owner', permissions: ['users:read'] },
  },
  Notifier: {
    schema: api.Notifier,
    value: {
      id: 'n1',
      name: 'mail',
      properties: { email: { emails: ['a@b.c'] } },
      disabledUntil: null,
      createdAt: time,
      createdBy: 'u1',
      updatedAt: time,
    },
  },
  NotifierWrite: {
    schema: api.NotifierWrite,
    value: {
      name: 'hook',
      properties: {
        customWebhook: { url: 'https://a.b', body: '{}', headers: { a: 'b' }, secretHeaders: {} },
      },
      disabledUntil: time,
    },
  },
  StructuredQuery: {
    schema: api.StructuredQuery,
    value: {
      startTime: 'now-1h',
      endTime: 'now',
      resolution: 'auto',
      aggregations: [{ op: 'count', field: '*', alias: 'n', argument: 1 }],
      groupBy: ['host'],
      filter: { op: '==', field: 'n', value: 1, caseSensitive: false, children: [] },
      order: [{ field: 'n', desc: true }],
      limit: 10,
      virtualFields: [{ alias: 'v', expr: 'n + 1' }],
      project: [{ field: 'n', alias: 'm' }],
      cursor: '',
      includeCursor: false,
      continuationToken: '',
      queryOptions: { displayNull: 'auto' },
    },
  },
  TokenRegeneration: {
    schema: api.TokenRegeneration,
    value: {
      existingTokenExpiresAt: time,
      newTokenExpiresAt: time,
      newToken: { name: 'ci', description: '', expiresAt: null, ...capabilities },
    },
  },
  TokenWithSecret: {
    schema: api.TokenWithSecret,
    value: {
      id: 't1',
      name: 'ci',
      description: '',
      expiresAt: null,
      samlAuthenticated: false,
      token: 'xaat-1',
      ...capabilities,
    },
  },
  Role: {
    schema: api.Role,
    value: { id: 'r1', name: 'Reader', description: '', members: ['u1'], ...capabilities },
  },
  Group: {
    schema: api.Group,
    value: {
      id: 'g1',
      name: 'Team',
      description: '',
      isManaged: false,
      members: ['u1'],
      roles: ['r1'],
    },
  },
  Token: {
    schema: api.Token,
    value: {
      id: 't1',
      name: 'ci',
      description: '',
      expiresAt: null,
      samlAuthenticated: false,
      ...capabilities,
    },
  },
  Organization: { schema: api.Organization, value: organization },
  User: {
    schema: api.User,
    value: { id: 'u1', name: 'A', email: 'a@example.com', role: { id: 'r1', name: 'owner' } },
  },
  ApiError: {
    schema: api.ApiError,
    value: { code: 404, message: 'no dataset "x"', error: 'not-found' },
  },
  QueryError: {
    schema: api.QueryError,
    value: {
      code: '400',
      message: 'no column "x"',
      error: 'bad-query',
      detail: {
        message: 'no column',
        line: 1,
        column: 2,
        endLine: 1,
        endColumn: 3,
        code: 'APL1',
        errorType: 1,
        compileErrorCode: 16,
      },
    },
  },
  DashboardError: {
    schema: api.DashboardError,
    value: {
      code: 'conflict',
      message: 'm',
      error: 'e',
      reason: 'version',
      uid: 'traffic',
      currentVersion: 4,
    },
  },
};

/** Returns a deep copy of a sample's value for a test to change. */
export function sampleOf(name: string): unknown {
  return structuredClone(samples[name]!.value);
}
