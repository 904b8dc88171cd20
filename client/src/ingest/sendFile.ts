// Sends a file that is read in the worker, by a run that can be resumed.
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

/** A file with its reader and its service. */
interface SendTarget {
  readonly worker: ReaderWorker;
  /** Called before each request, since a restarted local deployment has another address. */
  readonly service: () => Promise<Outcome<Service>>;
  readonly file: FileSource;
  /** The dataset, if other runs send to it at the same time. */
  readonly shared?: SharedDataset;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface SendJob extends SendTarget {
  readonly dataset: string;
  readonly settings: ReadSettings;
  readonly deployment: { readonly name: string; readonly isLocal: boolean };
  /** The folder of journals and failed events; absent for a run that need not be resumed. */
  readonly folder?: string;
}

/** Starts a run, whose `run` sends the file. Rejects if the file can't be read or the journal can't be written. */
export function sendFile(job: SendJob): Promise<IngestRun> {
  const { dataset, settings, deployment, folder } = job;
  return startRun({
    ...partsOf(dataset, job),
    dataset,
    deployment: deployment.name,
    settings,
    // Compression costs more than it saves on the same machine.
    encoding: deployment.isLocal ? 'identity' : bestEncoding,
    ...(folder !== undefined && { runsFolder: folder, failedFolder: folder }),
  });
}

/** Resumes a saved run. Rejects with a JournalProblem. */
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
