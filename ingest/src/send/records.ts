// The journal of a run: what is written to disk before and after each request, one JSON object per line. Replayed
// in order, the records give the state of the run. They hold no token.
import type { BatchLimits, FailedEvent, LineRange, Position } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import type { SendEncoding } from './compress.ts';
import type { FailedSoFar } from './failedFile.ts';
import type { FileIdentity } from './identity.ts';
import type { Ranges } from './ranges.ts';

/** The first line of a journal. */
export interface RunAbout {
  readonly version: 2;
  readonly id: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly file: FileIdentity;
  readonly dataset: string;
  /** How the caller finds the deployment again: a name or an address. */
  readonly deployment: string;
  readonly settings: ReadSettings;
  readonly limits: BatchLimits;
  readonly encoding: SendEncoding;
  /** Where events that are not stored are written. */
  readonly failedFile?: string;
}

/** Events that are not stored, as a record has them. */
export interface NotStored {
  /** For the report: the first ones, with the text cut. */
  readonly failures: readonly FailedEvent[];
  /** Of all of them. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
  /** The file of failed events with them; what follows belongs to a record that was never written. */
  readonly failedFile: FailedSoFar;
}

/** A batch came from the reader. In the order of batches. */
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

/** Nothing of a request is stored. */
export interface ReturnedRecord {
  readonly type: 'returned';
  readonly request: number;
}

/** What became of some events of a batch is decided: they are not sent again. */
export interface SettledRecord extends NotStored {
  readonly type: 'settled';
  /** The request that decided it; absent for events that were never sent. */
  readonly request?: number;
  readonly batch: number;
  readonly ranges: Ranges;
  readonly stored: number;
  readonly failed: number;
  /** Found to be broken after they were counted as events. */
  readonly skipped: number;
  readonly doubt?: LineRange;
  readonly messages: readonly string[];
  /** Bytes of the request before compression. */
  readonly bytes: number;
  readonly firstTime?: string;
  readonly lastTime?: string;
  /** Milliseconds that the run had taken by then, with its earlier parts. */
  readonly durationMs: number;
}

/** The run created the dataset, or deleted it again because it stayed empty. */
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
