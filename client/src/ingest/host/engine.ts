// The parts that preview, check and send files for a session of the ingest page.
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

/** A file that is offered for ingest. */
export interface IngestInput {
  readonly source: FileSource;
  /** Opens a file on a disk again, which may have changed. Rejects with a FileProblem. */
  readonly reopen?: () => Promise<FileSource>;
  /** The URI for an editor; absent for the clipboard. */
  readonly uri?: string;
  /** The number of lines ahead of the ingested selection. */
  readonly linesBefore?: number;
  /** The name of the file or folder that suggests a dataset, if it isn't that of the source. */
  readonly namedAfter?: string;
  /** Known choices, such as for failed events or after a reload. */
  readonly choices?: Choices;
  /** The folder below the one that was chosen. */
  readonly folder?: string;
  /** The URI of the folder that was chosen. Links that lead out of it are refused. */
  readonly within?: string;
  /** The target, if the file is a link. */
  readonly link?: FileLink;
  readonly included: boolean;
  /** The run to resume: its journal, its dataset and the settings it read the file with. */
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
  /** The journal of the run to resume. */
  readonly resume?: string;
  readonly onProgress: (progress: RunProgress) => void;
}

export interface Run {
  pause(): void;
  resume(): void;
  /** Ends it after the requests in progress. */
  cancel(): void;
  readonly report: Promise<FinishedReport>;
}

export interface FinishedReport extends RunReport {
  /** The journal of the run, if it can be resumed. */
  readonly resumable?: string;
}

/** Sends to a confirmed deployment. */
export interface Sender {
  run(job: RunJob): Run;
  /** Called after the last run, also if it failed. */
  end(): Promise<void>;
}

export interface IngestEngine {
  /** Reads the head of a file. Rejects with a FileProblem. */
  preview(
    source: FileSource,
    choices: Choices,
    target: TargetSchema | undefined,
    signal: AbortSignal,
  ): Promise<Preview>;
  /** Reads all of a file and sends nothing. */
  check(job: RunJob): Run;
}
