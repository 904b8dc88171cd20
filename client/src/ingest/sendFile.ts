// Sends a file that the worker reads. The run can be resumed.
import type { FileSource, RunProgress } from '../../../ingest/src/contract.ts';
import { bestEncoding } from '../../../ingest/src/send/compress.ts';
import type { IngestRun } from '../../../ingest/src/send/run.ts';
import type { SharedDataset } from '../../../ingest/src/send/sharedDataset.ts';
import { type RunParts, resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import type { Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import type { ReaderWorker } from './readerWorker.ts';
import { serviceSink } from './serviceSink.ts';

interface SendTarget {
  readonly worker: ReaderWorker;
  /** Called before each request, because a restarted local deployment has a different address. */
  readonly service: () => Promise<Outcome<Service>>;
  readonly file: FileSource;
  /** Set if other runs send to the dataset at the same time. */
  readonly shared?: SharedDataset;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface SendJob extends SendTarget {
  readonly dataset: string;
  readonly settings: ReadSettings;
  readonly deployment: { readonly name: string; readonly isLocal: boolean };
  /** The folder for journals and failed events. Absent for a run that doesn't need to be resumable. */
  readonly folder?: string;
}

/** Returns a run, which its method `run` starts. Rejects if the file can't be read or the journal can't be written. */
export function sendFile(job: SendJob): Promise<IngestRun> {
  const { dataset, settings, deployment, folder } = job;
  return startRun({
    ...partsOf(dataset, job),
    dataset,
    deployment: deployment.name,
    settings,
    // Don't compress on the same machine, because compression costs more than it saves.
    encoding: deployment.isLocal ? 'identity' : bestEncoding,
    ...(folder !== undefined && { runsFolder: folder, failedFolder: folder }),
  });
}

/** Returns a run that continues a saved one. Rejects with a JournalProblem. */
export function resumeFile(path: string, dataset: string, target: SendTarget): Promise<IngestRun> {
  return resumeRun(path, partsOf(dataset, target));
}

function partsOf(
  dataset: string,
  { worker, service, file, shared, onProgress }: SendTarget,
): RunParts {
  const sink = serviceSink({ dataset, service });
  return {
    file,
    openReader: (source, how, limits) => worker.open(source, how, limits),
    sink: shared?.share(sink) ?? sink,
    ...(onProgress && { onProgress }),
  };
}
