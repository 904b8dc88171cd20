// Endpoints that store events.
import { REQUEST_HEADERS } from '../auth.ts';
import * as R from '../resources.ts';
import { object, optional, text } from '../schema.ts';
import { aliasAt, edge, get, type Scope, send, spec, unrestricted } from './row.ts';

/**
 * The body's first character determines the format for these media types. The empty string means that the header is
 * absent.
 */
export const UNSPECIFIED_CONTENT_TYPES = ['text/plain', 'application/octet-stream', ''] as const;

export const INGEST_CONTENT_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/nd-json',
  'application/ndjson',
  'text/csv',
  ...UNSPECIFIED_CONTENT_TYPES,
] as const;

export const INGEST_ENCODINGS = ['gzip', 'zstd', 'deflate'] as const;

/** OTLP over HTTP has two encodings: protobuf and JSON. */
export const OTLP_CONTENT_TYPES = ['application/x-protobuf', 'application/json'] as const;

/** Media types that Elasticsearch clients send for bulk requests. */
export const BULK_CONTENT_TYPES = [
  'application/x-ndjson',
  'application/json',
  'application/vnd.elasticsearch+x-ndjson',
  'application/vnd.elasticsearch+json',
] as const;

const canIngest = { capability: 'ingest:create' } as const;
const datasetInPath = { in: 'path', need: 'ingest:create' } as const;
const storesEvents: Scope = { dataset: datasetInPath, meters: true };
const encodingHeader = {
  [REQUEST_HEADERS.contentEncoding]: optional(text('Content encoding of the body.')),
};

const events = {
  ...canIngest,
  scope: storesEvents,
  query: object({
    'timestamp-field': optional(text('Field with the time of an event. Default: _time.')),
    'timestamp-format': optional(
      text('Format of that time, as a Go reference layout. Detected by default.'),
    ),
    'csv-delimiter': optional(text('Delimiter between the values of a CSV line. Not in the spec.')),
  }),
  headers: object({
    [REQUEST_HEADERS.contentEncoding]: optional(
      text('Content encoding of the body. Not in the spec.'),
    ),
    [REQUEST_HEADERS.csvFields]: optional(
      text('Field names of a CSV body without a header line. Not in the spec.'),
    ),
    [REQUEST_HEADERS.eventLabels]: optional(
      text('JSON object with labels that are added to every event. Not in the spec.'),
    ),
  }),
  contentTypes: INGEST_CONTENT_TYPES,
} as const;

const otlp = {
  ...edge,
  ...canIngest,
  scope: { dataset: { in: 'header', need: 'ingest:create' }, meters: true, converts: true },
  headers: object({
    [REQUEST_HEADERS.dataset]: text('Dataset that receives the data.', { minLength: 1 }),
    ...encodingHeader,
  }),
  contentTypes: OTLP_CONTENT_TYPES,
} as const;

const bulk = {
  ...edge,
  ...canIngest,
  scope: { ...storesEvents, converts: true },
  query: object({
    'timestamp-field': optional(text('Field with the time of a document. Default: @timestamp.')),
  }),
  headers: object(encodingHeader),
  contentTypes: BULK_CONTENT_TYPES,
  error: R.BulkError,
} as const;

const general = { host: 'general', tokens: ['api', 'personal'] } as const;

const ingest = send('/v1/ingest/{dataset_name}', 'Store events in a dataset.', R.IngestResponse, {
  ...edge,
  ...events,
  ...spec,
});
const bulkIngest = send(
  '/v1/ingest/{dataset_name}/elastic/_bulk',
  'Store the documents of an Elasticsearch bulk request.',
  R.BulkResponse,
  bulk,
);
const getBulkServer = get(
  '/v1/ingest/{dataset_name}/elastic/',
  'Get the Elasticsearch version whose bulk requests are supported.',
  R.BulkServer,
  { ...edge, ...canIngest, scope: { dataset: datasetInPath }, error: R.BulkError },
);

export const ingestEndpoints = {
  ingest,
  ingestV1: aliasAt(
    ingest,
    '/v1/datasets/{dataset_name}/ingest',
    'Store events in a dataset, through the general address.',
    { ...general, inSpec: false },
  ),
  ingestTraces: send(
    '/v1/traces',
    'Store the spans of OpenTelemetry traces.',
    R.OtlpResponse,
    otlp,
  ),
  ingestLogs: send('/v1/logs', 'Store OpenTelemetry log records.', R.OtlpResponse, otlp),
  // Metrics aren't stored, so the request needs no dataset.
  ingestMetrics: get('/v1/metrics', 'Store OpenTelemetry metrics.', R.OtlpResponse, {
    ...edge,
    ...canIngest,
    scope: unrestricted,
    method: 'POST',
  }),
  bulkIngest,
  bulkIngestGeneral: aliasAt(
    bulkIngest,
    '/v1/datasets/{dataset_name}/elastic/_bulk',
    'Store the documents of an Elasticsearch bulk request, through the general address.',
    general,
  ),
  getBulkServer,
  getBulkServerGeneral: aliasAt(
    getBulkServer,
    '/v1/datasets/{dataset_name}/elastic/',
    'Get that version through the general address.',
    general,
  ),
};
