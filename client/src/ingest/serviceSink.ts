// Sends batches of events, and reports each as stored, not stored or in doubt.
import type { ReadResponse } from '../../../api/src/index.ts';
import { REQUEST_HEADERS } from '../../../api/src/plain.ts';
import type { Batch, CreateResult, SendResult, Sink } from '../../../ingest/src/contract.ts';
import { allTimes, fetchExtent } from '../service/extent.ts';
import type { Failure, FailureKind, Outcome } from '../service/failure.ts';
import type { RouteNotice } from '../service/routing.ts';
import { sendEvents } from '../service/sendEvents.ts';
import type { Service } from '../service/service.ts';

const REQUEST_TIMEOUT_MS = 120_000;

/** What happens to a batch whose request failed. */
type Fate = 'later' | 'refused' | 'doubt' | 'unsent' | 'cancelled';

/** Fates by kind of failure. `whenSent` applies if part of the request may have been sent. */
const fates: Readonly<
  Record<Exclude<FailureKind, 'refused'>, { readonly fate: Fate; readonly whenSent?: Fate }>
> = {
  unreachable: { fate: 'later', whenSent: 'doubt' },
  timeout: { fate: 'later', whenSent: 'doubt' },
  cancelled: { fate: 'cancelled' },
  certificate: { fate: 'unsent' },
  token: { fate: 'unsent' },
  routing: { fate: 'unsent' },
  redirected: { fate: 'refused' },
  // In doubt: the service responded, but the number of stored events is unknown.
  unreadable: { fate: 'doubt' },
  tooLarge: { fate: 'doubt' },
};

/** Fates by HTTP status. Other statuses below 500 refuse the batch, and other statuses from 500 leave it in doubt. */
const fateByStatus: Readonly<Record<number, Fate>> = {
  408: 'later',
  425: 'later',
  429: 'later',
  501: 'refused',
};

interface SinkTarget {
  readonly dataset: string;
  service(): Promise<Outcome<Service>>;
}

export function serviceSink({ dataset, service }: SinkTarget): Sink {
  return {
    async send(batch, signal) {
      const connected = await service();
      // Report the batch as unsent, because the connection failed before anything was sent.
      if (!connected.ok) return { kind: 'unsent', ...adviceOf(connected.failure) };
      const sent = await sendEvents(connected.value, dataset, {
        query: batch.query,
        headers: headersOf(batch),
        contentType: batch.contentType,
        body: batch.body,
        signal,
        timeoutMs: REQUEST_TIMEOUT_MS,
        ask: true,
      });
      return sent.ok ? answered(sent.value.typed, sent.value.routeNotices) : resultOf(sent.failure);
    },
    async create(signal): Promise<CreateResult> {
      const connected = await service();
      const made = connected.ok
        ? await connected.value.call('createDataset', { body: { name: dataset }, signal })
        : connected;
      return made.ok ? { kind: 'created' } : { kind: 'refused', ...adviceOf(made.failure) };
    },
    async deleteIfEmpty() {
      const connected = await service();
      if (!connected.ok) return;
      // Check the dataset first, because someone else may have sent events to it.
      const extent = await fetchExtent(connected.value, [dataset], allTimes);
      if (!extent.ok || extent.value !== undefined) return;
      await connected.value.call('deleteDataset', { params: { dataset_id: dataset } });
    },
  };
}

function headersOf({ contentEncoding, headers }: Batch): Record<string, string> {
  const encoding =
    contentEncoding === 'identity' ? {} : { [REQUEST_HEADERS.contentEncoding]: contentEncoding };
  return { ...headers, ...encoding };
}

function answered(answer: ReadResponse<'ingest'>, notices: readonly RouteNotice[]): SendResult {
  return {
    kind: 'answered',
    ingested: answer.ingested,
    failed: answer.failed,
    failures: (answer.failures ?? []).map(({ timestamp, error }) => ({
      ...(timestamp && { timestamp }),
      error: error ?? '',
    })),
    messages: [
      ...(answer.messages ?? []).flatMap(({ msg, code }) => msg ?? code ?? []),
      ...notices.map(({ msg }) => msg),
    ],
  };
}

function resultOf(failure: Failure): SendResult {
  const { status = 0, sent, retryAfterSeconds: seconds } = failure;
  const advice = adviceOf(failure);
  const kind = fateOf(failure);
  switch (kind) {
    case 'later':
      return { kind, ...advice, ...(seconds !== undefined && { afterMs: seconds * 1_000 }) };
    case 'refused':
      return { kind, status, ...advice };
    case 'cancelled':
      return { kind, sent: sent !== false };
    default:
      return { kind, ...advice };
  }
}

function adviceOf(failure: Failure) {
  return { message: failure.message, advice: failure };
}

function fateOf(failure: Failure): Fate {
  const { kind, status = 0, sent } = failure;
  if (kind === 'refused') {
    // A proxy may respond with 503 after it sent the request and lost the connection. So if a proxy's 503 has no
    // Retry-After, treat the outcome as unknown.
    if (status === 503)
      return failure.byService || failure.retryAfterSeconds !== undefined ? 'later' : 'doubt';
    return fateByStatus[status] ?? (status >= 500 ? 'doubt' : 'refused');
  }
  const { fate, whenSent = fate } = fates[kind];
  return sent === false ? fate : whenSent;
}
