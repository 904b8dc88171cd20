// The effects of a session beyond its page: datasets, connections, queries and documents.
import type { TargetSchema } from '../../../../ingest/src/contract.ts';
import type { Action } from '../../host/advice.ts';
import type { Extent } from '../../service/extent.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import type { Choices } from './choices.ts';
import type { FinishedReport, IngestInput, Sender } from './engine.ts';
import type { RangeInEffect } from './previewView.ts';

export interface ArrivedEvents {
  readonly dataset: string;
  /** The span of their times, or of the first of them. Absent for events with the time of their arrival. */
  readonly first?: string;
  readonly last?: string;
  /** The start and the end of sending, in ms since 1970. */
  readonly from: number;
  readonly to: number;
}

export interface FailedEvents {
  readonly dataset: string;
  readonly choices: Choices;
}

/** Files that are about to be sent. */
export interface SendRequest {
  readonly dataset: string;
  readonly files: number;
  readonly bytes: number;
  readonly isNew: boolean;
  /** Paths of files that are sent from their start rather than resumed. */
  readonly fresh: readonly string[];
}

export interface SessionEffects {
  /** Lists the datasets of the deployment; undefined if they cannot be listed. */
  datasets(): Promise<readonly string[] | undefined>;
  /** Returns the schema of an existing dataset. */
  targetSchema(dataset: string): Promise<TargetSchema | undefined>;
  /** Confirms and reaches the deployment; undefined if the user or the service declined. */
  connect(job: SendRequest): Promise<Sender | undefined>;
  /** Returns the span of the arrived events' times, if it costs nothing to ask. */
  arrivedSpan(arrived: ArrivedEvents): Promise<Extent | undefined>;
  currentRange(): RangeInEffect;
  setTimeRange(range: TimeRange): Promise<void>;
  queryArrived(events: ArrivedEvents): Promise<void>;
  /** Opens the query that counts the events in doubt. */
  queryDoubt(report: FinishedReport): Promise<void>;
  openLine(input: IngestInput, line: number): Promise<void>;
  /** Opens a file of failed events, which are read like the file that they come from. */
  openFailed(path: string, from: FailedEvents): Promise<void>;
  runAction(action: Action): void;
  /** Returns the actions that may solve the problem of a failed run. */
  actionsFor(report: FinishedReport): readonly Action[];
  /** Called after files were sent. `resumable` names the runs that ended early, whose report is shown. */
  ended(dataset: string, resumable: readonly string[]): Promise<void>;
  close(): void;
}
