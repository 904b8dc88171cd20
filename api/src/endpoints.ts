// The endpoints of the service, one row each. The client makes its calls and the local deployment
// its routes from these rows, so neither names a path, a status or a shape of its own.
import type { TokenKind } from './auth.ts';
import { REQUEST_HEADERS } from './auth.ts';
import { DASHBOARD_PAGE_DEFAULT, DASHBOARD_PAGE_MAX } from './limits.ts';
import * as R from './resources.ts';
import {
  integer,
  list,
  object,
  optional,
  type Static,
  type TObject,
  type TSchema,
  text,
  timestamp,
} from './schema.ts';
import type { Tolerant } from './tolerant.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The general address of the service, or that of one edge deployment. */
export type Host = 'general' | 'edge';

/** The shape of a row; `endpoints` holds each with its own exact type. */
export interface EndpointRow {
  /** A sentence about what it does. */
  readonly summary: string;
  readonly method: Method;
  /** The path, with parameters in braces. */
  readonly path: `/${string}`;
  readonly host: Host;
  /** The kinds of token it accepts. */
  readonly tokens: readonly TokenKind[];
  /**
   * The capability a token needs, as resource:action; absent where any token will do. Those of dashboards and of
   * a change of the organisation are not published.
   */
  readonly capability?: string;
  /** Whether the specification has it. */
  readonly inSpec: boolean;
  /** Constraints on path parameters; those without one only must not be empty. */
  readonly params?: TObject;
  readonly query: TObject;
  /** Headers of its own, by their lower-case names. */
  readonly headers: TObject;
  /** What the body is: JSON read with `body`, bytes as they come, or nothing. */
  readonly content: 'json' | 'bytes' | 'none';
  readonly contentTypes: readonly string[];
  readonly body?: TSchema;
  /** The statuses of success. */
  readonly status: readonly number[];
  /** What comes back: JSON read with `response`, an event stream, or nothing. */
  readonly reply: 'json' | 'events' | 'none';
  readonly response?: TSchema;
  /** The body of a refusal. */
  readonly error: TSchema;
}

const nothing = object({});

const anyToken = ['api', 'personal'] as const;
const apiToken = ['api'] as const;
const personalToken = ['personal'] as const;

// The parts of a row that most rows share.
const general = {
  host: 'general',
  tokens: anyToken,
  query: nothing,
  headers: nothing,
  error: R.ApiError,
} as const;
const edge = {
  host: 'edge',
  tokens: apiToken,
  query: nothing,
  headers: nothing,
  error: R.ApiError,
} as const;
const noBody = { content: 'none', contentTypes: [] } as const;
const json = { content: 'json', contentTypes: ['application/json'] } as const;
const ok = { status: [200], reply: 'json' } as const;
const created = { status: [201], reply: 'json' } as const;
const gone = { ...noBody, status: [204], reply: 'none' } as const;
const spec = { inSpec: true } as const;
const extra = { inSpec: false } as const;

/** Media types that do not name the format of events, which the first character decides. Empty is none. */
export const UNTOLD_CONTENT_TYPES = ['text/plain', 'application/octet-stream', ''] as const;

/** Media types of event bodies, and how they may be packed. */
export const INGEST_CONTENT_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/nd-json',
  'application/ndjson',
  'text/csv',
  ...UNTOLD_CONTENT_TYPES,
] as const;
export const INGEST_ENCODINGS = ['gzip', 'zstd', 'deflate'] as const;

/** Media types of OpenTelemetry data: the two encodings of OTLP over HTTP. */
export const OTLP_CONTENT_TYPES = ['application/x-protobuf', 'application/json'] as const;

/** Media types of a bulk request, as clients of Elasticsearch name them. */
export const BULK_CONTENT_TYPES = [
  'application/x-ndjson',
  'application/json',
  'application/vnd.elasticsearch+x-ndjson',
  'application/vnd.elasticsearch+json',
] as const;

const uid = object({ uid: R.DashboardUid });

const otlp = {
  ...edge,
  ...extra,
  ...ok,
  method: 'POST',
  capability: 'ingest:create',
  headers: object({
    [REQUEST_HEADERS.dataset]: text('The dataset that receives the data.', { minLength: 1 }),
    [REQUEST_HEADERS.contentEncoding]: optional(text('How the body is packed.')),
  }),
  content: 'bytes',
  contentTypes: OTLP_CONTENT_TYPES,
  response: R.OtlpResponse,
} as const;
const bulk = {
  ...extra,
  ...ok,
  capability: 'ingest:create',
  method: 'POST',
  query: object({
    'timestamp-field': optional(
      text('The field that holds the time of a document; @timestamp if absent.'),
    ),
  }),
  headers: object({
    [REQUEST_HEADERS.contentEncoding]: optional(text('How the body is packed.')),
  }),
  content: 'bytes',
  contentTypes: BULK_CONTENT_TYPES,
  response: R.BulkResponse,
  error: R.BulkError,
} as const;
const bulkServer = {
  ...extra,
  ...noBody,
  ...ok,
  capability: 'ingest:create',
  method: 'GET',
  response: R.BulkServer,
  error: R.BulkError,
} as const;

/** What the addresses of structured queries have in common. */
const structured = {
  ...json,
  ...ok,
  method: 'POST',
  capability: 'query:read',
  query: R.StructuredQueryParameters,
  body: R.StructuredQuery,
  response: R.StructuredResult,
  error: R.QueryError,
} as const;

const trim = {
  ...json,
  method: 'POST',
  capability: 'trim:update',
  body: R.TrimOptions,
} as const;

/** What the ways to send events have in common. */
const events = {
  ...ok,
  method: 'POST',
  capability: 'ingest:create',
  query: object({
    'timestamp-field': optional(
      text('The field that holds the time of an event; _time if absent.'),
    ),
    'timestamp-format': optional(
      text('How that time is written, as a Go reference layout; found out if absent.'),
    ),
    'csv-delimiter': optional(text('What separates the values of a CSV line. Not in the spec.')),
  }),
  headers: object({
    [REQUEST_HEADERS.contentEncoding]: optional(text('How the body is packed. Not in the spec.')),
    [REQUEST_HEADERS.csvFields]: optional(
      text('Field names of a CSV body without a header line. Not in the spec.'),
    ),
    [REQUEST_HEADERS.eventLabels]: optional(
      text('One JSON object of labels for every event. Not in the spec.'),
    ),
  }),
  content: 'bytes',
  contentTypes: INGEST_CONTENT_TYPES,
  response: R.IngestResponse,
} as const;

export const endpoints = {
  ingest: {
    ...edge,
    ...spec,
    ...events,
    summary: 'Store events in a dataset.',
    path: '/v1/ingest/{dataset_name}',
  },
  ingestV1: {
    ...general,
    ...extra,
    ...events,
    summary: 'Store events in a dataset, through the general address.',
    path: '/v1/datasets/{dataset_name}/ingest',
  },
  ingestTraces: {
    ...otlp,
    summary: 'Store the spans of OpenTelemetry traces.',
    path: '/v1/traces',
  },
  ingestLogs: {
    ...otlp,
    summary: 'Store OpenTelemetry log records.',
    path: '/v1/logs',
  },
  ingestMetrics: {
    ...edge,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Store OpenTelemetry metrics.',
    method: 'POST',
    path: '/v1/metrics',
    capability: 'ingest:create',
    response: R.OtlpResponse,
  },
  bulkIngest: {
    ...edge,
    ...bulk,
    summary: 'Store the documents of an Elasticsearch bulk request.',
    path: '/v1/ingest/{dataset_name}/elastic/_bulk',
  },
  bulkIngestGeneral: {
    ...general,
    ...bulk,
    summary: 'Store the documents of an Elasticsearch bulk request, through the general address.',
    path: '/v1/datasets/{dataset_name}/elastic/_bulk',
  },
  getBulkServer: {
    ...edge,
    ...bulkServer,
    summary: 'Get the version of Elasticsearch whose bulk requests are accepted.',
    path: '/v1/ingest/{dataset_name}/elastic/',
  },
  getBulkServerGeneral: {
    ...general,
    ...bulkServer,
    summary: 'Get that version through the general address.',
    path: '/v1/datasets/{dataset_name}/elastic/',
  },
  queryEdge: {
    ...edge,
    ...spec,
    ...json,
    ...ok,
    summary: 'Run an APL query on an edge deployment.',
    method: 'POST',
    path: '/v1/query/_apl',
    capability: 'query:read',
    query: R.EdgeQueryParameters,
    body: R.EdgeQueryRequest,
    response: R.QueryResult,
    error: R.QueryError,
  },
  queryBatch: {
    ...edge,
    ...extra,
    ...json,
    summary: 'Run several queries on an edge deployment; results come as events.',
    method: 'POST',
    path: '/v1/query/batch',
    capability: 'query:read',
    query: R.BatchParameters,
    body: R.BatchRequest,
    status: [200],
    reply: 'events',
    error: R.QueryError,
  },
  queryGeneral: {
    ...general,
    ...spec,
    ...json,
    ...ok,
    summary: 'Run an APL query through the general address.',
    method: 'POST',
    path: '/v1/datasets/_apl',
    capability: 'query:read',
    query: R.GeneralQueryParameters,
    body: R.GeneralQueryRequest,
    response: R.QueryResult,
    error: R.QueryError,
  },

  queryStructured: {
    ...general,
    ...extra,
    ...structured,
    summary: 'Run a structured query over a dataset.',
    path: '/v2/datasets/{dataset_id}/query',
  },
  queryStructuredV1: {
    ...general,
    ...extra,
    ...structured,
    summary: 'Run a structured query over a dataset, by the older path.',
    path: '/v1/datasets/{dataset_id}/query',
  },

  getKeptQuery: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a query that was kept when it ran.',
    method: 'GET',
    path: '/v1/datasets/_history/{id}',
    response: R.KeptQuery,
  },

  listAllFields: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List the fields of every dataset.',
    method: 'GET',
    path: '/v1/datasets/_fields',
    response: list(R.DatasetFields),
  },
  listDatasets: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List datasets.',
    method: 'GET',
    path: '/v2/datasets',
    response: list(R.Dataset),
  },
  createDataset: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a dataset.',
    method: 'POST',
    path: '/v2/datasets',
    capability: 'datasets:create',
    body: R.NewDataset,
    response: R.Dataset,
  },
  getDataset: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a dataset.',
    method: 'GET',
    path: '/v2/datasets/{dataset_id}',
    response: R.Dataset,
  },
  updateDataset: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change the settings of a dataset.',
    method: 'PUT',
    path: '/v2/datasets/{dataset_id}',
    capability: 'datasets:update',
    body: R.DatasetUpdate,
    response: R.Dataset,
  },
  deleteDataset: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a dataset and its events.',
    method: 'DELETE',
    path: '/v2/datasets/{dataset_id}',
    capability: 'datasets:delete',
  },
  listDatasetsV1: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List datasets, by the older path.',
    method: 'GET',
    path: '/v1/datasets',
    response: list(R.Dataset),
  },
  createDatasetV1: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a dataset, by the older path.',
    method: 'POST',
    path: '/v1/datasets',
    capability: 'datasets:create',
    body: R.NewDataset,
    response: R.Dataset,
  },
  getDatasetV1: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a dataset, by the older path.',
    method: 'GET',
    path: '/v1/datasets/{dataset_id}',
    response: R.Dataset,
  },
  updateDatasetV1: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change the settings of a dataset, by the older path.',
    method: 'PUT',
    path: '/v1/datasets/{dataset_id}',
    capability: 'datasets:update',
    body: R.DatasetUpdate,
    response: R.Dataset,
  },
  deleteDatasetV1: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a dataset and its events, by the older path.',
    method: 'DELETE',
    path: '/v1/datasets/{dataset_id}',
    capability: 'datasets:delete',
  },
  getDatasetInfo: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Tell how much a dataset holds, and its fields.',
    method: 'GET',
    path: '/v1/datasets/{dataset_id}/info',
    capability: 'datasets:read',
    response: R.DatasetInfo,
  },
  trimDataset: {
    ...general,
    ...extra,
    ...trim,
    status: [204],
    reply: 'none',
    summary: 'Delete the events of a dataset that are older than a duration.',
    path: '/v2/datasets/{dataset_id}/trim',
  },
  trimDatasetV1: {
    ...general,
    ...extra,
    ...trim,
    ...ok,
    summary: 'Delete the events of a dataset that are older than a duration, and count them.',
    path: '/v1/datasets/{dataset_id}/trim',
    response: R.TrimResult,
  },
  vacuumDataset: {
    ...general,
    ...extra,
    ...noBody,
    status: [200],
    reply: 'none',
    summary: 'Take fields without values out of a dataset, at most once a day.',
    method: 'POST',
    path: '/v2/datasets/{dataset_id}/vacuum',
    capability: 'vacuum:update',
  },
  listFields: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List the fields of a dataset.',
    method: 'GET',
    path: '/v2/datasets/{dataset_id}/fields',
    capability: 'datasets:read',
    response: list(R.Field),
  },
  getField: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a field of a dataset.',
    method: 'GET',
    path: '/v2/datasets/{dataset_id}/fields/{field_id}',
    capability: 'datasets:read',
    response: R.Field,
  },
  updateField: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change the unit, description or visibility of a field.',
    method: 'PUT',
    path: '/v2/datasets/{dataset_id}/fields/{field_id}',
    capability: 'datasets:update',
    body: R.FieldUpdate,
    response: R.Field,
  },
  listMapFields: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List the map fields of a dataset.',
    method: 'GET',
    path: '/v2/datasets/{dataset_id}/mapfields',
    capability: 'datasets:read',
    response: R.MapFieldNames,
  },
  replaceMapFields: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Replace the map fields of a dataset.',
    method: 'PUT',
    path: '/v2/datasets/{dataset_id}/mapfields',
    capability: 'datasets:update',
    body: R.MapFieldNames,
    response: R.MapFieldNames,
  },
  createMapField: {
    ...general,
    ...spec,
    ...json,
    ...ok,
    summary: 'Make a field of a dataset a map field.',
    method: 'POST',
    path: '/v2/datasets/{dataset_id}/mapfields',
    capability: 'datasets:update',
    body: R.MapField,
    response: R.MapField,
  },
  deleteMapField: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Make a map field an ordinary field.',
    method: 'DELETE',
    path: '/v2/datasets/{dataset_id}/mapfields/{map_field_name}',
    capability: 'datasets:update',
  },

  listMonitors: {
    ...general,
    ...spec,
    ...noBody,
    ...ok,
    summary: 'List the monitors on datasets the token may query.',
    method: 'GET',
    path: '/v2/monitors',
    capability: 'monitors:read',
    response: list(R.Monitor),
  },
  createMonitor: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a monitor.',
    method: 'POST',
    path: '/v2/monitors',
    capability: 'monitors:create',
    body: R.MonitorWrite,
    response: R.Monitor,
  },
  getMonitor: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a monitor.',
    method: 'GET',
    path: '/v2/monitors/{id}',
    capability: 'monitors:read',
    response: R.Monitor,
  },
  getMonitorHistory: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List the alerts of a monitor that opened or closed in a span of time.',
    method: 'GET',
    path: '/v2/monitors/{id}/history',
    capability: 'monitors:read',
    query: object({
      startTime: timestamp('Only checks from this time on.'),
      endTime: timestamp('Only checks before this time.'),
    }),
    response: list(R.MonitorCheck),
  },
  updateMonitor: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change a monitor.',
    method: 'PUT',
    path: '/v2/monitors/{id}',
    capability: 'monitors:update',
    body: R.MonitorWrite,
    response: R.Monitor,
  },
  deleteMonitor: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a monitor.',
    method: 'DELETE',
    path: '/v2/monitors/{id}',
    capability: 'monitors:delete',
  },

  listNotifiers: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List notifiers.',
    method: 'GET',
    path: '/v2/notifiers',
    capability: 'notifiers:read',
    response: list(R.Notifier),
  },
  createNotifier: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a notifier.',
    method: 'POST',
    path: '/v2/notifiers',
    capability: 'notifiers:create',
    body: R.NotifierWrite,
    response: R.Notifier,
  },
  getNotifier: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a notifier.',
    method: 'GET',
    path: '/v2/notifiers/{id}',
    capability: 'notifiers:read',
    response: R.Notifier,
  },
  updateNotifier: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change a notifier.',
    method: 'PUT',
    path: '/v2/notifiers/{id}',
    capability: 'notifiers:update',
    body: R.NotifierWrite,
    response: R.Notifier,
  },
  deleteNotifier: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a notifier.',
    method: 'DELETE',
    path: '/v2/notifiers/{id}',
    capability: 'notifiers:delete',
  },

  listDashboards: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List dashboards, whole.',
    method: 'GET',
    path: '/v2/dashboards',
    capability: 'dashboards:read',
    query: object({
      limit: optional(
        integer('Dashboards in this page.', {
          minimum: 1,
          maximum: DASHBOARD_PAGE_MAX,
          default: DASHBOARD_PAGE_DEFAULT,
        }),
      ),
      offset: optional(integer('Dashboards to pass over.', { minimum: 0, default: 0 })),
    }),
    response: list(R.Dashboard),
  },
  createDashboard: {
    ...general,
    ...extra,
    ...json,
    summary: 'Make a dashboard.',
    method: 'POST',
    path: '/v2/dashboards',
    capability: 'dashboards:create',
    body: R.DashboardWrite,
    status: [201, 200],
    reply: 'json',
    response: R.DashboardWriteResponse,
    error: R.DashboardError,
  },
  getDashboard: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a dashboard.',
    method: 'GET',
    path: '/v2/dashboards/uid/{uid}',
    capability: 'dashboards:read',
    params: uid,
    response: R.Dashboard,
    error: R.DashboardError,
  },
  updateDashboard: {
    ...general,
    ...spec,
    ...json,
    summary: 'Change a dashboard, or make it under a chosen uid.',
    method: 'PUT',
    path: '/v2/dashboards/uid/{uid}',
    capability: 'dashboards:update',
    params: uid,
    body: R.DashboardWrite,
    status: [200, 201],
    reply: 'json',
    response: R.DashboardWriteResponse,
    error: R.DashboardError,
  },
  deleteDashboard: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a dashboard.',
    method: 'DELETE',
    path: '/v2/dashboards/uid/{uid}',
    capability: 'dashboards:delete',
    params: uid,
    error: R.DashboardError,
  },

  listViews: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List views.',
    method: 'GET',
    path: '/v2/views',
    capability: 'views:read',
    response: list(R.View),
  },
  createView: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a view.',
    method: 'POST',
    path: '/v2/views',
    capability: 'views:create',
    body: R.ViewWrite,
    response: R.View,
  },
  getView: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a view.',
    method: 'GET',
    path: '/v2/views/{id}',
    capability: 'views:read',
    response: R.View,
  },
  updateView: {
    ...general,
    ...spec,
    ...json,
    ...ok,
    summary: 'Change a view.',
    method: 'PUT',
    path: '/v2/views/{id}',
    capability: 'views:update',
    body: R.ViewWrite,
    response: R.View,
  },
  deleteView: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a view.',
    method: 'DELETE',
    path: '/v2/views/{id}',
    capability: 'views:delete',
  },

  listAnnotations: {
    ...general,
    ...spec,
    ...noBody,
    ...ok,
    summary: 'List annotations.',
    method: 'GET',
    path: '/v2/annotations',
    capability: 'annotations:read',
    query: object({
      datasets: optional(list(text(), { description: 'Only annotations of these datasets.' })),
      start: optional(timestamp('Only annotations after this time.')),
      end: optional(timestamp('Only annotations before this time.')),
    }),
    response: list(R.Annotation),
  },
  createAnnotation: {
    ...general,
    ...extra,
    ...json,
    ...created,
    summary: 'Make an annotation.',
    method: 'POST',
    path: '/v2/annotations',
    capability: 'annotations:create',
    body: R.NewAnnotation,
    response: R.Annotation,
  },
  getAnnotation: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get an annotation.',
    method: 'GET',
    path: '/v2/annotations/{id}',
    capability: 'annotations:read',
    response: R.Annotation,
  },
  updateAnnotation: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change an annotation.',
    method: 'PUT',
    path: '/v2/annotations/{id}',
    capability: 'annotations:update',
    body: R.AnnotationUpdate,
    response: R.Annotation,
  },
  deleteAnnotation: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete an annotation.',
    method: 'DELETE',
    path: '/v2/annotations/{id}',
    capability: 'annotations:delete',
  },

  listSavedQueries: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List saved queries.',
    method: 'GET',
    path: '/v2/apl-starred-queries',
    capability: 'starredQueries:read',
    query: object({
      limit: optional(integer('Queries in this page.', { minimum: 1 })),
      offset: optional(integer('Queries to pass over.', { minimum: 0 })),
      dataset: optional(text('Only queries about this dataset.')),
      who: optional(text('Only those of a user, of the team, or all; the own if absent.')),
      qs: optional(text('Only queries that contain this text.')),
    }),
    response: list(R.SavedQuery),
  },
  createSavedQuery: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Save a query.',
    method: 'POST',
    path: '/v2/apl-starred-queries',
    capability: 'starredQueries:create',
    body: R.SavedQueryWrite,
    response: R.SavedQuery,
  },
  getSavedQuery: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a saved query.',
    method: 'GET',
    path: '/v2/apl-starred-queries/{id}',
    capability: 'starredQueries:read',
    response: R.SavedQuery,
  },
  updateSavedQuery: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change a saved query.',
    method: 'PUT',
    path: '/v2/apl-starred-queries/{id}',
    capability: 'starredQueries:update',
    body: R.SavedQueryWrite,
    response: R.SavedQuery,
  },
  deleteSavedQuery: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a saved query.',
    method: 'DELETE',
    path: '/v2/apl-starred-queries/{id}',
    capability: 'starredQueries:delete',
  },

  listVirtualFields: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List the virtual fields of a dataset.',
    method: 'GET',
    path: '/v2/vfields',
    capability: 'virtualFields:read',
    query: object({ dataset: text('The dataset they belong to.', { minLength: 1 }) }),
    response: list(R.VirtualField),
  },
  createVirtualField: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a virtual field.',
    method: 'POST',
    path: '/v2/vfields',
    capability: 'virtualFields:create',
    body: R.VirtualFieldWrite,
    response: R.VirtualField,
  },
  getVirtualField: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a virtual field.',
    method: 'GET',
    path: '/v2/vfields/{id}',
    capability: 'virtualFields:read',
    response: R.VirtualField,
  },
  updateVirtualField: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change a virtual field.',
    method: 'PUT',
    path: '/v2/vfields/{id}',
    capability: 'virtualFields:update',
    body: R.VirtualFieldWrite,
    response: R.VirtualField,
  },
  deleteVirtualField: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a virtual field.',
    method: 'DELETE',
    path: '/v2/vfields/{id}',
    capability: 'virtualFields:delete',
  },

  getCurrentUser: {
    ...general,
    ...spec,
    ...noBody,
    ...ok,
    summary: 'Get the user a personal token acts as.',
    method: 'GET',
    path: '/v2/user',
    tokens: personalToken,
    response: R.User,
  },
  updateCurrentUser: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change the user a personal token acts as.',
    method: 'PUT',
    path: '/v2/user',
    tokens: personalToken,
    body: R.UserUpdate,
    response: R.User,
  },
  getCurrentUserV1: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get the user a token acts as or belongs to, in the older shape.',
    method: 'GET',
    path: '/v1/user',
    response: R.UserV1,
  },
  listUsers: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List users.',
    method: 'GET',
    path: '/v2/users',
    capability: 'users:read',
    response: list(R.User),
  },
  createUser: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a user.',
    method: 'POST',
    path: '/v2/users',
    capability: 'users:create',
    body: R.NewUser,
    response: R.User,
  },
  getUser: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a user.',
    method: 'GET',
    path: '/v2/users/{id}',
    capability: 'users:read',
    response: R.User,
  },
  deleteUser: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a user.',
    method: 'DELETE',
    path: '/v2/users/{id}',
    capability: 'users:delete',
  },
  updateUserRole: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Give a user another role.',
    method: 'PUT',
    path: '/v2/users/{id}/role',
    capability: 'users:update',
    body: R.UserRoleUpdate,
    response: R.User,
  },
  listOrganizations: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List the organisations the token reaches.',
    method: 'GET',
    path: '/v2/orgs',
    response: list(R.Organization),
  },
  createOrganization: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make an organisation.',
    method: 'POST',
    path: '/v2/orgs',
    capability: 'rbac:create',
    body: R.OrganizationUpdate,
    response: R.Organization,
  },
  getOrganization: {
    ...general,
    ...spec,
    ...noBody,
    ...ok,
    summary: 'Get an organisation.',
    method: 'GET',
    path: '/v2/orgs/{id}',
    response: R.Organization,
  },
  updateOrganization: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change an organisation.',
    method: 'PUT',
    path: '/v2/orgs/{id}',
    capability: 'rbac:create',
    body: R.OrganizationUpdate,
    response: R.Organization,
  },
  listRoles: {
    ...general,
    ...spec,
    ...noBody,
    ...ok,
    summary: 'List roles.',
    method: 'GET',
    path: '/v2/rbac/roles',
    capability: 'rbac:read',
    response: list(R.Role),
  },
  createRole: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a role.',
    method: 'POST',
    path: '/v2/rbac/roles',
    capability: 'rbac:create',
    body: R.RoleWrite,
    response: R.Role,
  },
  getRole: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'Get a role.',
    method: 'GET',
    path: '/v2/rbac/roles/{id}',
    capability: 'rbac:read',
    response: R.Role,
  },
  updateRole: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change a role.',
    method: 'PUT',
    path: '/v2/rbac/roles/{id}',
    capability: 'rbac:create',
    body: R.RoleWrite,
    response: R.Role,
  },
  deleteRole: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a role.',
    method: 'DELETE',
    path: '/v2/rbac/roles/{id}',
    capability: 'rbac:create',
  },
  listGroups: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List groups.',
    method: 'GET',
    path: '/v2/rbac/groups',
    capability: 'rbac:read',
    response: list(R.Group),
  },
  createGroup: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make a group.',
    method: 'POST',
    path: '/v2/rbac/groups',
    capability: 'rbac:create',
    body: R.GroupWrite,
    response: R.Group,
  },
  getGroup: {
    ...general,
    ...spec,
    ...noBody,
    ...ok,
    summary: 'Get a group.',
    method: 'GET',
    path: '/v2/rbac/groups/{id}',
    capability: 'rbac:read',
    response: R.Group,
  },
  updateGroup: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Change a group.',
    method: 'PUT',
    path: '/v2/rbac/groups/{id}',
    capability: 'rbac:create',
    body: R.GroupWrite,
    response: R.Group,
  },
  deleteGroup: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete a group.',
    method: 'DELETE',
    path: '/v2/rbac/groups/{id}',
    capability: 'rbac:create',
  },
  listTokens: {
    ...general,
    ...extra,
    ...noBody,
    ...ok,
    summary: 'List the records of API tokens.',
    method: 'GET',
    path: '/v2/tokens',
    capability: 'apiTokens:read',
    response: list(R.Token),
  },
  createToken: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Make an API token; the answer alone has its secret.',
    method: 'POST',
    path: '/v2/tokens',
    capability: 'apiTokens:create',
    body: R.NewToken,
    response: R.TokenWithSecret,
  },
  getToken: {
    ...general,
    ...spec,
    ...noBody,
    ...ok,
    summary: 'Get the record of an API token.',
    method: 'GET',
    path: '/v2/tokens/{id}',
    capability: 'apiTokens:read',
    response: R.Token,
  },
  deleteToken: {
    ...general,
    ...extra,
    ...gone,
    summary: 'Delete an API token.',
    method: 'DELETE',
    path: '/v2/tokens/{id}',
    capability: 'apiTokens:delete',
  },
  regenerateToken: {
    ...general,
    ...extra,
    ...json,
    ...ok,
    summary: 'Replace an API token by one with another secret.',
    method: 'POST',
    path: '/v2/tokens/{id}/regenerate',
    capability: 'apiTokens:update',
    body: R.TokenRegeneration,
    response: R.TokenWithSecret,
  },
} as const satisfies Record<string, EndpointRow>;

type Rows = typeof endpoints;

/** The stable name of an endpoint. */
export type EndpointKey = keyof Rows;

/** The row of one endpoint, with its exact types. */
export type Endpoint<K extends EndpointKey> = Rows[K];

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The parameters in an endpoint's path, decoded. */
export type PathParams<K extends EndpointKey> = { [Name in Names<Rows[K]['path']>]: string };

/** The parameters of an endpoint's query string. */
export type QueryParams<K extends EndpointKey> = Static<Rows[K]['query']>;

/** The headers of an endpoint beyond those that every request has. */
export type HeaderParams<K extends EndpointKey> = Static<Rows[K]['headers']>;

/** An endpoint's request body: its type where it is JSON, bytes, or undefined where there is none. */
export type Body<K extends EndpointKey> = Rows[K] extends { body: infer S extends TSchema }
  ? Static<S>
  : Rows[K]['content'] extends 'bytes'
    ? Uint8Array
    : undefined;

/** An endpoint's response as a service must give it; undefined where there is none, or a stream. */
export type Response<K extends EndpointKey> = Rows[K] extends { response: infer S extends TSchema }
  ? Static<S>
  : undefined;

/** An endpoint's response as far as the tolerant reader vouches for it. */
export type ReadResponse<K extends EndpointKey> = Rows[K] extends {
  response: infer S extends TSchema;
}
  ? Tolerant<S>
  : undefined;

/** The row of an endpoint under the shape common to all, for code that handles any of them. */
export function endpointRow(key: EndpointKey): EndpointRow {
  return endpoints[key];
}

/** The names of all endpoints, in the order of the table. */
export const endpointKeys = Object.keys(endpoints) as EndpointKey[];
