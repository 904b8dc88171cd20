// Sends a sample to a dataset with a few concurrent requests. A failed request isn't retried and ends the sending,
// because failures on this machine aren't temporary.
import type { Batch, RunProgress } from '../../../../ingest/src/contract.ts';
import { SampleReader } from '../../../../ingest/src/samples/sampleReader.ts';
import type { SampleSettings } from '../../../../ingest/src/samples/settings.ts';
import type { Failure } from '../../service/failure.ts';
import { sendEvents } from '../../service/sendEvents.ts';
import type { Service } from '../../service/service.ts';

export interface SampleJob {
  readonly service: Service;
  readonly dataset: string;
  readonly sample: SampleSettings;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SampleProgress) => void;
}

export type SampleProgress = Pick<RunProgress, 'events' | 'eventsPerSecond'>;

export interface SampleOutcome {
  readonly stored: number;
  /** The number of events that the deployment rejected, for example because they exceed the limit of fields. */
  readonly failed: number;
  readonly cancelled: boolean;
  readonly failure?: Failure;
}

const IN_FLIGHT = 3;
const REQUEST_TIMEOUT_MS = 120_000;

/** Never rejects. Waits for the requests in progress even after a cancellation, to count the stored events. */
export async function sendSample(job: SampleJob): Promise<SampleOutcome> {
  const started = performance.now();
  const inFlight = new Set<Promise<void>>();
  let stored = 0;
  let failed = 0;
  let failure: Failure | undefined;
  const take = async (batch: Batch) => {
    const answer = await sendBatch(job, batch);
    if (!answer.ok) {
      failure ??= answer.failure;
      return;
    }
    stored += answer.value.typed.ingested;
    failed += answer.value.typed.failed;
    const seconds = (performance.now() - started) / 1_000;
    job.onProgress({ events: stored, eventsPerSecond: stored / seconds });
  };
  for await (const batch of new SampleReader(job.sample).batches()) {
    if (failure !== undefined || job.signal.aborted) break;
    const sending: Promise<void> = take(batch).finally(() => inFlight.delete(sending));
    inFlight.add(sending);
    if (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
  return { stored, failed, cancelled: job.signal.aborted, ...(failure && { failure }) };
}

function sendBatch({ service, dataset }: SampleJob, { body, contentType }: Batch) {
  return sendEvents(service, dataset, { contentType, body, timeoutMs: REQUEST_TIMEOUT_MS });
}
