// The tables of the service's specification as data, copied from the specification and not from `api`, so that
// mistakes in `api` are found. Bounds that the specification does not state (amounts below zero) are marked.

/** The rules of a member; the keys after `type` are its constraints. */
export interface Member {
  readonly type:
    | 'string'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'timestamp'
    | 'object'
    | 'string[]'
    | 'object[]'
    | 'array';
  readonly required?: true;
  /** Required in responses, optional in requests. */
  readonly answered?: true;
  /** Null is allowed as a separate value. */
  readonly nullable?: true;
  readonly enum?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly itemMinLength?: number;
  /** Strings that the service must reject. */
  readonly never?: readonly string[];
  /** Only in responses. */
  readonly readOnly?: true;
  /** A string format, such as `now-1h` for a query time. */
  readonly form?: 'query-time';
}

export type Members = Readonly<Record<string, Member>>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const whole = { type: 'integer' } as const;
const time = { type: 'timestamp' } as const;
const texts = { type: 'string[]' } as const;
const anObject = { type: 'object' } as const;
const required = { required: true } as const;
const readOnly = { readOnly: true } as const;

export const monitor: Members = {
  name: { ...text, ...required },
  type: { ...text, ...required, enum: ['Threshold', 'MatchEvent', 'AnomalyDetection'] },
  id: { ...text, ...required, ...readOnly },
  alertOnNoData: flag,
  aplQuery: text,
  mplQuery: text,
  columnName: text,
  // None of the three amounts may be negative.
  compareDays: { ...whole, min: 0, max: 7 },
  createdAt: { ...time, ...readOnly },
  createdBy: { ...text, ...readOnly },
  description: text,
  disabled: flag,
  disabledUntil: { ...time, nullable: true },
  intervalMinutes: { ...whole, min: 1 },
  rangeMinutes: { ...whole, min: 1 },
  notifierIds: texts,
  notifyByGroup: flag,
  notifyEveryRun: flag,
  operator: { ...text, enum: ['Below', 'BelowOrEqual', 'Above', 'AboveOrEqual', 'AboveOrBelow'] },
  resolvable: flag,
  secondDelay: { ...whole, min: 0, max: 86_400 },
  skipResolved: flag,
  threshold: { type: 'number' },
  tolerance: { type: 'number', min: 0, max: 100 },
  triggerAfterNPositiveResults: whole,
  triggerFromNRuns: whole,
};

export const dashboardDocument: Members = {
  name: text,
  owner: text,
  charts: { type: 'object[]' },
  layout: { type: 'object[]' },
  refreshTime: whole,
  schemaVersion: whole,
  timeWindowStart: text,
  timeWindowEnd: text,
  description: text,
  against: text,
  againstTimestamp: text,
  uid: text,
};

export const chart: Members = { id: text, type: text, name: text, query: anObject };

export const chartQuery: Members = { apl: text, queryOptions: anObject };

export const layoutItem: Members = {
  i: text,
  x: whole,
  y: whole,
  w: whole,
  h: whole,
  minW: { type: 'number' },
  minH: { type: 'number' },
  maxW: { type: 'number' },
  maxH: { type: 'number' },
  static: flag,
};

export const dashboardRequest: Members = {
  dashboard: { ...anObject, ...required },
  message: text,
  overwrite: flag,
  uid: text,
  version: whole,
};

export const dashboardRecord: Members = {
  createdAt: time,
  createdBy: text,
  dashboard: anObject,
  id: text,
  uid: text,
  updatedAt: time,
  updatedBy: text,
  version: whole,
};

export const dashboardWritten: Members = {
  dashboard: { ...anObject, ...required },
  status: { ...text, ...required, enum: ['created', 'updated'] },
  overwritten: flag,
};

export const view: Members = {
  aplQuery: text,
  name: text,
  datasets: texts,
  description: text,
  sharedByOrg: text,
  sharedByOrgName: text,
};

export const annotation: Members = {
  datasets: { ...texts, ...required, minItems: 1, itemMinLength: 1 },
  id: { ...text, ...required, ...readOnly },
  // If omitted in a request, the time of the request is used.
  time: { ...time, answered: true },
  type: { ...text, ...required, maxLength: 256, never: ['Deploy', 'a b', 'a_b', '', 'é'] },
  description: { ...text, maxLength: 512 },
  endTime: { ...time, nullable: true },
  title: { ...text, maxLength: 256 },
  url: { ...text, maxLength: 512 },
};

const capabilities = {
  datasetCapabilities: anObject,
  viewCapabilities: anObject,
  orgCapabilities: anObject,
};

/** The keys of `orgCapabilities`, each with a list of actions. */
export const ORG_CAPABILITIES = [
  'annotations',
  'apiTokens',
  'auditLog',
  'billing',
  'dashboards',
  'datasets',
  'endpoints',
  'flows',
  'integrations',
  'monitors',
  'notifiers',
  'rbac',
  'sharedAccessKeys',
  'users',
  'views',
] as const;

export const role: Members = {
  name: { ...text, ...required },
  id: { ...text, ...required, ...readOnly },
  description: text,
  members: texts,
  ...capabilities,
};

export const group: Members = {
  name: { ...text, ...required },
  id: { ...text, ...required, ...readOnly },
  description: text,
  isManaged: { ...flag, ...readOnly },
  members: texts,
  roles: texts,
};

export const token: Members = {
  name: { ...text, ...required },
  id: { ...text, ...required, ...readOnly },
  description: text,
  expiresAt: { ...time, nullable: true },
  samlAuthenticated: { ...flag, ...readOnly },
  viewCapabilities: anObject,
  // If omitted in a request, the token has no permissions.
  datasetCapabilities: { ...anObject, answered: true },
  orgCapabilities: { ...anObject, answered: true },
};

export const organization: Members = {
  id: { ...text, ...required },
  lastUsageSync: { ...text, ...required },
  license: { ...anObject, ...required },
  name: { ...text, ...required },
  paymentStatus: { ...text, ...required, enum: ['na', 'failed', 'success', 'blocked'] },
  plan: {
    ...text,
    ...required,
    enum: [
      'personal',
      'basicDirect',
      'teamMonthlyDirect',
      'teamMonthlyProvider',
      'serviceCloud',
      'teamPlus',
      'enterprise',
      'comped',
      'accelerator',
    ],
  },
  planCreated: { ...text, ...required },
  primaryEmail: { ...text, ...required },
  defaultEdgeDeployment: text,
  firstFailedPayment: text,
  metaCreated: text,
  metaModified: text,
  metaVersion: text,
  role: text,
};

export const license: Members = {
  apiRateLimitPerSecond: whole,
  billingPeriodEnd: time,
  billingPeriodStart: time,
  defaultEdgeDeployment: text,
  edgeDeployments: texts,
  features: anObject,
  id: text,
  issuedAt: time,
  issuedTo: text,
  issuer: text,
  maxAuditWindowSeconds: whole,
  maxDatasets: whole,
  maxEndpoints: whole,
  maxFields: whole,
  maxMonitors: whole,
  maxQueryWindowSeconds: whole,
  maxUsers: whole,
  monthlyIngestGb: { type: 'number' },
  monthlyQueryGbHours: { type: 'number' },
  tier: text,
  validFrom: time,
  withAuths: texts,
  expiresAt: time,
  storageAllowanceGB: { type: 'number' },
};

export const roleOfUser: Members = {
  id: { ...text, ...required },
  name: { ...text, ...required },
};

export const user: Members = {
  email: { ...text, ...required },
  id: { ...text, ...required },
  name: { ...text, ...required },
  role: { ...anObject, ...required },
};

export const mapField: Members = {
  name: { ...text, ...required, never: ['', ' ', '.a', 'a.', 'a..b', '__invalid__', '_time'] },
};

export const ingestResponse: Members = {
  ingested: { ...whole, ...required },
  failed: { ...whole, ...required },
  failures: { type: 'array', ...required },
  processedBytes: { ...whole, ...required },
  blocksCreated: { ...whole, ...required },
  walLength: { ...whole, ...required },
};

/** The members of `queryOptions`, all of them strings. */
export const queryOptions: Members = Object.fromEntries(
  [
    'against',
    'againstStart',
    'againstTimestamp',
    'aggChartOpts',
    'caseSensitive',
    'containsTimeFilter',
    'datasets',
    'displayNull',
    'editorContent',
    'endColumn',
    'endLineNumber',
    'endTime',
    'integrationsFilter',
    'nanosecondPrecision',
    'openIntervals',
    'overlayCharts',
    'queryObject',
    'quickRange',
    'resolution',
    'resultsHistogram',
    'selection',
    'shownColumns',
    'startColumn',
    'startLineNumber',
    'startTime',
    'timeSeriesVariant',
    'timeSeriesView',
  ].map((name) => [name, text]),
);

/** An item of `defaultOrder`. */
export const order: Members = {
  field: { ...text, ...required },
  desc: { ...flag, ...required },
};

export const generalQuery: Members = {
  apl: { ...text, ...required },
  cursor: text,
  startTime: { ...text, form: 'query-time' },
  endTime: { ...text, form: 'query-time' },
  includeCursor: flag,
  queryOptions: anObject,
  variables: anObject,
};

export const edgeQuery: Members = {
  ...generalQuery,
  defaultLimit: whole,
  defaultOrder: { type: 'object[]' },
  includeCursorField: flag,
  libraries: texts,
  maxBinAutoGroups: whole,
};

export const queryResult: Members = {
  format: { ...text, ...required, enum: ['legacy', 'tabular', 'tabular-rows'] },
  status: { ...anObject, ...required },
  tables: { type: 'object[]' },
  datasetNames: { ...texts, ...required },
  fieldsMetaMap: anObject,
  buckets: anObject,
  matches: { type: 'object[]' },
  request: anObject,
};

export const queryStatus: Members = {
  elapsedTime: { ...whole, ...required },
  minCursor: text,
  maxCursor: text,
  blocksExamined: { ...whole, ...required },
  blocksCached: { ...whole, ...required },
  blocksMatched: { ...whole, ...required },
  rowsExamined: { ...whole, ...required },
  rowsMatched: { ...whole, ...required },
  numGroups: { ...whole, ...required },
  isPartial: { ...flag, ...required },
  cacheStatus: { ...whole, ...required },
  minBlockTime: time,
  maxBlockTime: time,
};

export const table: Members = {
  name: { ...text, ...required },
  sources: { type: 'object[]', ...required },
  fields: { type: 'object[]', ...required },
  order: { type: 'object[]', ...required },
  groups: { type: 'array', ...required },
  range: anObject,
  columns: { type: 'array' },
};

export const tableSource: Members = { name: { ...text, ...required } };

export const tableField: Members = {
  name: { ...text, ...required },
  type: { ...text, ...required },
};

export const tableRange: Members = {
  field: { ...text, ...required },
  start: { ...time, ...required },
  end: { ...time, ...required },
};

/** An item of `fieldsMetaMap`. */
export const fieldMetadata: Members = {
  name: { ...text, ...required },
  type: { ...text, ...required },
  unit: text,
  hidden: flag,
  description: text,
};
