// Interfaces for previewing, checking and sending files in an ingest session.
import type {
  FileSource,
  Preview,
  RunProgress,
  RunReport,
  TargetSchema,
} from '../../../../ingest/src/contract.ts';
import type { FileLink } from '../../../../ingest/src/read/links.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';
import type { Choices } from './choices.ts';

export interface IngestInput {
  readonly source: FileSource;
  /** Opens the file on disk again, in case it has changed. Rejects with a FileProblem. */
  readonly reopen?: () => Promise<FileSource>;
  /** The URI to open in an editor. Absent for the clipboard. */
  readonly uri?: string;
  /** The number of lines before the ingested selection. */
  readonly linesBefore?: number;
  /** The name from which to suggest a dataset name, if it isn't the source's name. */
  readonly namedAfter?: string;
  /** Choices that are already known, for example for failed events or after a reload. */
  readonly choices?: Choices;
  /** The file's folder, relative to the chosen folder. */
  readonly folder?: string;
  /** The chosen folder's URI. Links to targets outside this folder are refused. */
  readonly within?: string;
  readonly link?: FileLink;
  readonly included: boolean;
  /** The run to resume: its journal, its dataset and the settings for reading the file. */
  readonly resume?: {
    readonly path: string;
    readonly dataset: string;
    readonly settings: ReadSettings;
  };
}

export interface RunJob {
  readonly source: FileSource;
  readonly settings: ReadSettings;
  readonly dataset: string;
  readonly resume?: string;
  readonly onProgress: (progress: RunProgress) => void;
}

export interface Run {
  pause(): void;
  resume(): void;
  /** Cancels the run after the requests in progress. */
  cancel(): void;
  readonly report: Promise<FinishedReport>;
}

export interface FinishedReport extends RunReport {
  /** The run's journal; absent if the run can't be resumed. */
  readonly resumable?: string;
}

/** Sends files to a deployment after the user's confirmation. */
export interface Sender {
  run(job: RunJob): Run;
  /** Called after the last run, even if it failed. */
  end(): Promise<void>;
}

export interface IngestEngine {
  /** Reads the first events of a file. Rejects with a FileProblem. */
  preview(
    source: FileSource,
    choices: Choices,
    target: TargetSchema | undefined,
    signal: AbortSignal,
  ): Promise<Preview>;
  /** Reads an entire file without sending it. */
  check(job: RunJob): Run;
}
