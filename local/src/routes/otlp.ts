/** OpenTelemetry data by OTLP over HTTP: spans and log records, each stored as an event. */
import { checkEdge } from '../edges.ts';
import { ApiError } from '../errors.ts';
import { jsonAnswer, PROTOBUF, protobufAnswer, type RejectedName } from '../otlp/answers.ts';
import { EventLines } from '../otlp/eventText.ts';
import { readJsonForm } from '../otlp/json.ts';
import { addLogRecords, type LogsRequest } from '../otlp/logRecords.ts';
import { logsRequest, type Message, traceRequest } from '../otlp/messages.ts';
import { readProtobuf } from '../otlp/protobuf.ts';
import { OTLP_BODY_BYTES_MAX } from '../otlp/reading.ts';
import { addSpans, type TraceRequest } from '../otlp/spans.ts';
import { TIME_FIELD } from '../store/datasets.ts';
import { ingestJson } from '../store/ingest/ingest.ts';
import { datasetOf, mapsOf } from '../store/ingest/target.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Handlers, IngestReply } from './handler.ts';

export const otlpHandlers: Handlers = {
  ingestTraces: (call) =>
    store(call, traceRequest, (read, to) => addSpans(read as TraceRequest, to), 'rejectedSpans'),
  ingestLogs: (call) =>
    store(
      call,
      logsRequest,
      (read, to) => addLogRecords(read as LogsRequest, to),
      'rejectedLogRecords',
    ),
  ingestMetrics: () => {
    throw new ApiError('metrics-unsupported');
  },
};

async function store(
  {
    store,
    headers,
    body,
    contentType,
    edge,
    origin,
    now,
    signal,
  }: Call<'ingestTraces' | 'ingestLogs'>,
  message: Message,
  add: (read: object, to: EventLines) => void,
  rejected: RejectedName,
): Promise<IngestReply> {
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
  // Exporters send a request without spans to find out whether they may.
  if (lines.count === 0) return answer([]);
  await ensureMaps(store, name, lines.maps);
  await body.replace(lines.bytes());
  const options = {
    ...{ timeField: TIME_FIELD, timeLayout: undefined, labels: new Map(), now, signal },
  };
  const { failures } = await ingestJson(store, name, body, 'newline_delimited', options);
  return answer(failures);
}

/** Makes maps of the fields that hold attributes of any name. */
async function ensureMaps(store: Store, name: string, maps: readonly string[]): Promise<void> {
  const lacks = () => {
    const known = mapsOf(datasetOf(store, name));
    return maps.some((map) => !known.has(map));
  };
  if (!lacks()) return;
  await store.datasets.update(name, (document) => ({
    ...document,
    mapFields: [...new Set([...(document.mapFields ?? []), ...maps])],
  }));
}
