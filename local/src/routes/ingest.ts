/** Handles ingest requests. Detects the body's format, stores the events, and returns the counts. */
import { type IngestResponse, UNSPECIFIED_CONTENT_TYPES } from '../../../api/src/index.ts';
import { checkEdge } from '../edges.ts';
import { ApiError } from '../errors.ts';
import type { EventBody } from '../eventBody.ts';
import { isDeeper } from '../jsonDepth.ts';
import { JSON_DEPTH_MAX } from '../limits.ts';
import { TIME_FIELD } from '../store/datasetRecords.ts';
import { checkedDelimiter } from '../store/ingest/csv.ts';
import { isLayout } from '../store/ingest/goLayout.ts';
import { type Ingested, ingestCsv, ingestJson, NOTHING_INGESTED } from '../store/ingest/ingest.ts';
import { type Labels, parseLabels } from '../store/ingest/labels.ts';
import type { JsonFormat } from '../store/ingest/scan.ts';
import type { Call, Handlers } from './handler.ts';

type IngestCall = Call<'ingest'> | Call<'ingestV1'>;

export const ingestHandlers = { ingest, ingestV1: ingest } satisfies Handlers;

async function ingest(call: IngestCall): Promise<IngestResponse> {
  const name = call.params.dataset_name;
  checkEdge(call.store, name, call.edge, call.origin);
  const labelText = call.headers['x-axiom-event-labels'] ?? '';
  const { ingested, failures } = await store(call, name, labelsOf(labelText));
  const processedBytes = call.body.length + Buffer.byteLength(labelText);
  return {
    ingested,
    failed: failures.length,
    failures: [...failures],
    processedBytes,
    // A later checkpoint writes most blocks, so they can't be counted here.
    blocksCreated: 0,
    walLength: ingested,
  };
}

async function store(call: IngestCall, name: string, labels: Labels): Promise<Ingested> {
  const { body } = call;
  const contentType = await formatOf(call);
  const layout = call.query['timestamp-format'] || undefined;
  if (layout !== undefined && !isLayout(layout)) throw new ApiError('bad-time-format', { layout });
  const options = {
    timeField: call.query['timestamp-field'] || TIME_FIELD,
    timeLayout: layout,
    labels,
    now: call.now,
    signal: call.signal,
  };
  if (contentType === 'text/csv') {
    const names = call.headers['x-axiom-csv-fields'] ?? '';
    const bytes = await body.bytes();
    if (firstNonBlank(bytes) === bytes.length) return NOTHING_INGESTED;
    return ingestCsv(call.store, name, bytes, {
      ...options,
      delimiter: checkedDelimiter(call.query['csv-delimiter']),
      names: names.trim() === '' ? undefined : names.split(',').map((each) => each.trim()),
    });
  }
  const format = await jsonFormat(body, contentType);
  return ingestJson(call.store, name, body, format, options);
}

/** For an unspecified type, the first character decides between JSON and CSV. */
async function formatOf({ contentType, body }: IngestCall): Promise<string> {
  if (!unspecifiedTypes.has(contentType)) return contentType;
  const bytes = await body.bytes();
  const start = firstNonBlank(bytes);
  const first = String.fromCharCode(bytes[start] ?? 0);
  return first === '[' || first === '{' || start === bytes.length ? 'application/json' : 'text/csv';
}

const unspecifiedTypes: ReadonlySet<string> = new Set(UNSPECIFIED_CONTENT_TYPES);

function labelsOf(text: string): Labels {
  if (text.trim() === '') return new Map();
  if (isDeeper(Buffer.from(text), JSON_DEPTH_MAX)) {
    throw new ApiError('json-too-deep', { what: 'The JSON of the labels', limit: JSON_DEPTH_MAX });
  }
  const labels = parseLabels(text);
  if (labels === undefined) throw new ApiError('bad-labels');
  return labels;
}

/** Loops by index, because a callback per byte is slow. */
function firstNonBlank(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte > 0x20 || byte === 0) return at;
  }
  return bytes.length;
}

/** An event may extend over several lines. */
async function jsonFormat(body: EventBody, contentType: string): Promise<JsonFormat> {
  if (contentType !== 'application/json') return 'newline_delimited';
  const bytes = await body.bytes();
  const start = firstNonBlank(bytes);
  if (bytes[start] === 0x5b) return 'array';
  const end = bytes.indexOf(0x0a, start);
  const line = bytes.subarray(start, end < 0 ? bytes.length : end);
  if (end < 0 || line.length > FIRST_LINE_MAX) return 'newline_delimited';
  try {
    JSON.parse(line.toString());
    return 'newline_delimited';
  } catch {
    return startsObject(line) ? 'unstructured' : 'newline_delimited';
  }
}

const FIRST_LINE_MAX = 1_048_576;

// The event continues on the next line if its first line ends in a bracket or a comma.
function startsObject(line: Buffer): boolean {
  return /^\s*\{\s*$|[,{[]\s*$/.test(line.toString('utf8', Math.max(0, line.length - 64)));
}
