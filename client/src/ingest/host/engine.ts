// What a session of the ingest page needs done: files previewed, checked and sent. Free of vscode.
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
  /** Looks at a file on a disk again, which may have changed since. Rejects with a FileProblem. */
  readonly reopen?: () => Promise<FileSource>;
  /** How an editor opens it; absent for the clipboard. */
  readonly uri?: string;
  /** Lines of the document that come before the selection that is ingested. */
  readonly linesBefore?: number;
  /** The file or folder that a name for the dataset comes from; absent if it is the name of the source. */
  readonly namedAfter?: string;
  /** How it is read, where that is known before anything is chosen, as for failed events and after a reload. */
  readonly choices?: Choices;
  /** The folder below the one that was chosen. */
  readonly folder?: string;
  /** The URI of the folder that was chosen. Links that lead out of it are refused. */
  readonly within?: string;
  /** Where the file leads, if it is a link. */
  readonly link?: FileLink;
  readonly included: boolean;
  /** A run over this file that ended early and is resumed: its journal, its dataset and how it read the file. */
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
  /** A run that ended early, as `resumable` names it. */
  readonly resume?: string;
  readonly onProgress: (progress: RunProgress) => void;
}

export interface Run {
  pause(): void;
  resume(): void;
  /** Ends it after what is on its way. */
  cancel(): void;
  readonly report: Promise<FinishedReport>;
}

export interface FinishedReport extends RunReport {
  /** Names the run where it can be resumed. */
  readonly resumable?: string;
}

/** Sends to a deployment that was confirmed and reached. */
export interface Sender {
  run(job: RunJob): Run;
  /** Called after the last run, also if it failed. */
  end(): Promise<void>;
}

export interface IngestEngine {
  /** Reads the head of a file. Rejects with a FileProblem where it cannot be read. */
  preview(
    source: FileSource,
    choices: Choices,
    target: TargetSchema | undefined,
    signal: AbortSignal,
  ): Promise<Preview>;
  /** Reads all of a file and sends nothing. */
  check(job: RunJob): Run;
}
