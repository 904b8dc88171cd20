// A session's effects outside its page: datasets, connections, queries and documents.
import type { TargetSchema } from '../../../../ingest/src/contract.ts';
import type { Action } from '../../host/advice.ts';
import type { Extent } from '../../service/extent.ts';
import type { TimeRange } from '../../time/timeRange.ts';
import type { Choices } from './choices.ts';
import type { FinishedReport, IngestInput, Sender } from './engine.ts';
import type { RangeInEffect } from './previewView.ts';

export interface ArrivedEvents {
  readonly dataset: string;
  /** The time span of the events, possibly only of the first ones. Absent if events get their arrival time. */
  readonly first?: string;
  readonly last?: string;
  /** When sending started and ended, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

export interface FailedEvents {
  readonly dataset: string;
  readonly choices: Choices;
}

export interface SendRequest {
  readonly dataset: string;
  readonly files: number;
  readonly bytes: number;
  readonly isNew: boolean;
  /** Paths of files that are sent from the start instead of being resumed. */
  readonly fresh: readonly string[];
}

export interface SessionEffects {
  /** Lists the deployment's datasets; undefined if that fails. */
  datasets(): Promise<readonly string[] | undefined>;
  targetSchema(dataset: string): Promise<TargetSchema | undefined>;
  /** Connects after confirmation; undefined if the user or the service declines. */
  connect(job: SendRequest): Promise<Sender | undefined>;
  /** Returns the stored events' time span if the query is free. */
  arrivedSpan(arrived: ArrivedEvents): Promise<Extent | undefined>;
  currentRange(): RangeInEffect;
  setTimeRange(range: TimeRange): Promise<void>;
  queryArrived(events: ArrivedEvents): Promise<void>;
  queryDoubt(report: FinishedReport): Promise<void>;
  openLine(input: IngestInput, line: number): Promise<void>;
  /** Opens a file of failed events, and remembers how to read it. */
  openFailed(path: string, from: FailedEvents): Promise<void>;
  runAction(action: Action): void;
  /** Returns actions that may fix the cause of a failed run. */
  actionsFor(report: FinishedReport): readonly Action[];
  /** Called after files were sent. `resumable` lists the journals of interrupted runs, whose report is shown. */
  ended(dataset: string, resumable: readonly string[]): Promise<void>;
  close(): void;
}
