// Sends a file from the extension: it is read in the worker and sent by a run that can be resumed.
import type { FileSource, RunProgress, Sink } from '../../../ingest/src/contract.ts';
import { bestEncoding } from '../../../ingest/src/send/compress.ts';
import type { IngestRun } from '../../../ingest/src/send/run.ts';
import type { SharedDataset } from '../../../ingest/src/send/sharedDataset.ts';
import { resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import type { Outcome } from '../api/failure.ts';
import type { Service } from '../api/service.ts';
import type { ReaderWorker } from './readerWorker.ts';
import { serviceSink } from './serviceSink.ts';

/** Where the file goes and what reads it. */
export interface SendTarget {
  readonly worker: ReaderWorker;
  /** Asked before each request: a local deployment that was restarted has another address. */
  readonly service: () => Promise<Outcome<Service>>;
  readonly file: FileSource;
  /** The dataset of other runs at the same time. */
  readonly shared?: SharedDataset;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface SendJob extends SendTarget {
  readonly dataset: string;
  readonly settings: ReadSettings;
  readonly deployment: { readonly name: string; readonly isLocal: boolean };
  /** Where journals and failed events are kept; absent for what need not be resumed. */
  readonly folder?: string;
}

/** Starts a run, whose `run` sends the file. Rejects with the error of reading the file or of writing the journal. */
export function sendFile({
  worker,
  service,
  file,
  shared,
  onProgress,
  ...job
}: SendJob): Promise<IngestRun> {
  const { dataset, settings, deployment, folder } = job;
  return startRun({
    file,
    openReader: (source, how, limits) => worker.open(source, how, limits),
    sink: sinkOf(dataset, service, shared),
    dataset,
    deployment: deployment.name,
    settings,
    // On this machine, compression costs more than it saves.
    encoding: deployment.isLocal ? 'identity' : bestEncoding,
    ...(folder !== undefined && { runsFolder: folder, failedFolder: folder }),
    ...(onProgress && { onProgress }),
  });
}

/** Resumes a saved run. Rejects with a JournalProblem that says why it cannot be. */
export function resumeFile(
  path: string,
  dataset: string,
  { worker, service, file, shared, onProgress }: SendTarget,
): Promise<IngestRun> {
  return resumeRun(path, {
    file,
    openReader: (source, how, limits) => worker.open(source, how, limits),
    sink: sinkOf(dataset, service, shared),
    ...(onProgress && { onProgress }),
  });
}

function sinkOf(dataset: string, service: SendTarget['service'], shared?: SharedDataset): Sink {
  const sink = serviceSink({ dataset, service });
  return shared?.share(sink) ?? sink;
}
