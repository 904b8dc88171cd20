// Starts a run over a file, or resumes one from its journal.
import type { BatchLimits, BatchReader, FileSource, RunProgress, Sink } from '../contract.ts';
import { batchLimits } from '../read/limits.ts';
import type { ReadSettings } from '../settings.ts';
import type { RetryLimits } from './backoff.ts';
import type { SendEncoding } from './compress.ts';
import { failedFilePath } from './failedFile.ts';
import { describeChange, identify } from './identity.ts';
import { Journal, JournalProblem, newRunId } from './journal.ts';
import type { RunHeader } from './records.ts';
import { IngestRun } from './run.ts';

/** The inputs common to new and resumed runs. */
export interface RunParts {
  readonly file: FileSource;
  /** Opens the file with the run's settings and limits. */
  readonly openReader: (
    file: FileSource,
    settings: ReadSettings,
    limits: BatchLimits,
  ) => BatchReader;
  readonly sink: Sink;
  readonly maxInFlight?: number;
  readonly retryLimits?: Partial<RetryLimits>;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface NewRun extends RunParts {
  readonly dataset: string;
  /** A name or an address, without a token, by which the caller finds the deployment again. */
  readonly deployment: string;
  readonly settings: ReadSettings;
  readonly limits?: BatchLimits;
  /** The compression. For a deployment on this machine, it costs more than it saves. */
  readonly encoding: SendEncoding;
  /** The journal's folder. Absent: the run can't be resumed. */
  readonly runsFolder?: string;
  /** The folder for events that aren't stored. Absent: they are only in the report. */
  readonly failedFolder?: string;
}

/** Starts a run. Rejects with an error of reading the file or writing the journal. */
export async function startRun(run: NewRun): Promise<IngestRun> {
  const { file, dataset, deployment, settings, encoding, limits = batchLimits } = run;
  const id = newRunId();
  const header: RunHeader = {
    version: 2,
    id,
    startedAt: new Date().toISOString(),
    file: await identify(file),
    dataset,
    deployment,
    settings,
    limits,
    encoding,
    ...(run.failedFolder !== undefined && {
      failedFile: failedFilePath(run.failedFolder, file.name, settings, id),
    }),
  };
  const journal =
    run.runsFolder === undefined ? undefined : await Journal.create(run.runsFolder, header);
  return newRun(header, journal, run);
}

/**
 * Resumes a run. Unanswered requests of its earlier part are in doubt and aren't sent again. Rejects with a
 * JournalProblem if the file has changed or the run is in progress.
 */
export async function resumeRun(path: string, parts: RunParts): Promise<IngestRun> {
  const journal = await Journal.open(path);
  try {
    const changed = describeChange(journal.header.file, await identify(parts.file));
    if (changed !== undefined) throw new JournalProblem(changed);
  } catch (error) {
    await journal.close();
    throw error;
  }
  return newRun(journal.header, journal, parts);
}

function newRun(header: RunHeader, journal: Journal | undefined, parts: RunParts): IngestRun {
  const { file, openReader, sink, maxInFlight, retryLimits, onProgress } = parts;
  return new IngestRun({
    header,
    journal,
    reader: openReader(file, header.settings, header.limits),
    sink,
    ...(maxInFlight !== undefined && { maxInFlight }),
    ...(retryLimits && { retryLimits }),
    ...(onProgress && { onProgress }),
  });
}
