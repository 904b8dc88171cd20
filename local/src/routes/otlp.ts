/** Receives OpenTelemetry traces and logs (OTLP over HTTP). Each span and each log record is stored as an event. */
import { checkEdge } from '../edges.ts';
import { ApiError } from '../errors.ts';
import { jsonAnswer, PROTOBUF, protobufAnswer, type RejectedName } from '../otlp/answers.ts';
import { EventLines, MAP_FIELDS } from '../otlp/eventJson.ts';
import { readJsonForm } from '../otlp/json.ts';
import { addLogRecords, type LogsRequest, RECORD_FIELDS } from '../otlp/logRecords.ts';
import { logsRequest, type Message, traceRequest } from '../otlp/messages.ts';
import { readProtobuf } from '../otlp/protobuf.ts';
import { OTLP_BODY_BYTES_MAX } from '../otlp/reading.ts';
import { addSpans, SPAN_FIELDS, type TraceRequest } from '../otlp/spans.ts';
import { type Addition, TIME_FIELD } from '../store/datasetRecords.ts';
import { ingestJson } from '../store/ingest/ingest.ts';
import { datasetOf, ensureFields, mapsOf } from '../store/ingest/target.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Handlers, IngestReply } from './handler.ts';

interface Signal {
  readonly message: Message;
  readonly add: (read: object, to: EventLines) => void;
  readonly fields: readonly Addition[];
  readonly rejected: RejectedName;
}

const traces: Signal = {
  message: traceRequest,
  add: (read, to) => addSpans(read as TraceRequest, to),
  fields: SPAN_FIELDS,
  rejected: 'rejectedSpans',
};

const logs: Signal = {
  message: logsRequest,
  add: (read, to) => addLogRecords(read as LogsRequest, to),
  fields: RECORD_FIELDS,
  rejected: 'rejectedLogRecords',
};

export const otlpHandlers = {
  ingestTraces: (call) => store(call, traces),
  ingestLogs: (call) => store(call, logs),
  ingestMetrics: () => {
    throw new ApiError('metrics-unsupported');
  },
} satisfies Handlers;

async function store(
  call: Call<'ingestTraces' | 'ingestLogs'>,
  { message, add, fields, rejected }: Signal,
): Promise<IngestReply> {
  const { store, headers, body, contentType, edge, origin, now, signal } = call;
  const name = headers['x-axiom-dataset'];
  checkEdge(store, name, edge, origin);
  const { length } = body;
  if (length > OTLP_BODY_BYTES_MAX) {
    throw new ApiError('body-too-large', { limit: OTLP_BODY_BYTES_MAX });
  }
  const isProtobuf = contentType === PROTOBUF;
  const lines = new EventLines();
  const bytes = await body.bytes();
  add(isProtobuf ? readProtobuf(bytes, message) : readJsonForm(bytes, message), lines);
  const answer = (failures: readonly { readonly error: string }[]) => {
    const [first] = failures;
    const rejection = first && { count: failures.length, reason: first.error };
    return isProtobuf
      ? new IngestReply(protobufAnswer(rejection), length, { 'content-type': PROTOBUF })
      : new IngestReply(jsonAnswer(rejection, rejected), length);
  };
  // Exporters send empty requests to test their access.
  if (lines.count === 0) return answer([]);
  await ensureMaps(store, name);
  await ensureFields(store, name, fields);
  await body.replace(lines.bytes());
  const times = { timeField: TIME_FIELD, timeLayout: undefined };
  const options = { ...times, labels: new Map(), now, signal };
  const { failures } = await ingestJson(store, name, body, 'newline_delimited', options);
  return answer(failures);
}

/** Attributes can have any name, so they are stored in map fields. */
async function ensureMaps(store: Store, name: string): Promise<void> {
  const known = mapsOf(datasetOf(store, name));
  if (MAP_FIELDS.every((map) => known.has(map))) return;
  await store.datasets.update(name, (document) => ({
    ...document,
    mapFields: [...new Set([...(document.mapFields ?? []), ...MAP_FIELDS])],
  }));
}
