// The records of a run's journal, one JSON object per line, written before and after each request. Replayed in order,
// they restore the run's state. They contain no token.
import type { BatchLimits, FailedEvent, LineRange, Position } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import type { SendEncoding } from './compress.ts';
import type { FailedFileState } from './failedFile.ts';
import type { FileIdentity } from './identity.ts';
import type { Ranges } from './ranges.ts';

/** The first line of a journal. */
export interface RunHeader {
  readonly version: 2;
  readonly id: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly file: FileIdentity;
  readonly dataset: string;
  /** A name or an address by which the caller finds the deployment again. */
  readonly deployment: string;
  readonly settings: ReadSettings;
  readonly limits: BatchLimits;
  readonly encoding: SendEncoding;
  /** The file to which events that aren't stored are written. */
  readonly failedFile?: string;
}

/** Events that aren't stored, in a record. */
export interface NotStored {
  /** The first failures for the report, with their text truncated. */
  readonly failures: readonly FailedEvent[];
  /** The reasons of all failures. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
  /** The file of failed events including these. Later bytes belong to a record that was never written. */
  readonly failedFile: FailedFileState;
}

/** A batch came from the reader. Records are in the order of batches. */
export interface ReadRecord extends NotStored {
  readonly type: 'read';
  readonly batch: number;
  readonly start: Position;
  readonly end: Position;
  readonly events: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Events left out by the reader. */
  readonly skipped: number;
}

/** A request is about to be sent. */
export interface SentRecord {
  readonly type: 'sent';
  readonly request: number;
  readonly batch: number;
  readonly ranges: Ranges;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** None of a request's events are stored, and they may be sent again. */
export interface ReturnedRecord {
  readonly type: 'returned';
  readonly request: number;
}

/** The outcome of some events of a batch is decided, so they aren't sent again. */
export interface SettledRecord extends NotStored {
  readonly type: 'settled';
  /**
   * The request that decided the outcome. Absent for broken events and for events that the service refused
   * individually.
   */
  readonly request?: number;
  readonly batch: number;
  readonly ranges: Ranges;
  readonly stored: number;
  readonly failed: number;
  /** Events found to be broken after being counted as events. */
  readonly skipped: number;
  readonly doubt?: LineRange;
  readonly messages: readonly string[];
  /** Bytes of the request before compression. */
  readonly bytes: number;
  readonly firstTime?: string;
  readonly lastTime?: string;
  /** The run's duration so far, in milliseconds, including earlier parts. */
  readonly durationMs: number;
}

/** The run created the dataset, or deleted it because it stayed empty. */
export interface DatasetRecord {
  readonly type: 'dataset';
  readonly created: boolean;
}

export type JournalRecord =
  | ReadRecord
  | SentRecord
  | ReturnedRecord
  | SettledRecord
  | DatasetRecord;
