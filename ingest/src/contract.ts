// Types shared by the parts of ingest: a file is previewed, split into batches by a reader, sent by a run through a
// `Sink`, and reported.
import type { Readable } from 'node:stream';
import type { ReadSettings } from './settings.ts';

/** A file that can be opened more than once. */
export interface FileSource {
  readonly name: string;
  /** The path on disk. Absent for content from an editor, the clipboard or another file system. */
  readonly path?: string;
  /** Stored bytes, compressed or not. Of bytes appended later, at most the rest of the last line is read. */
  readonly size: number;
  /** Modification time in ms since 1970, if known. */
  readonly modified?: number;
  /** Opens the stored bytes from an offset. */
  open(from?: number): Readable;
}

/** A problem that prevents a file from being read. The message says what happened, where, and what to do. */
export class FileProblem extends Error {
  /** The line, from 1. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** Text that could not be read as an event. */
export interface BrokenEvent {
  /** The line, from 1, as an editor shows the decoded file. */
  readonly line: number;
  readonly lastLine: number;
  readonly reason: string;
  /** The text as in the file, at most 64 KiB. */
  readonly text: string;
}

// Preview

export interface PreviewField {
  /** The name as stored: flattened, and prefixed with `_user_` if reserved. */
  readonly name: string;
  /** The name in the file, if different. */
  readonly nameInFile?: string;
  /**
   * The service's type names: `string`, `integer`, `float`, `boolean`, `array`, `map`, `datetime` for `_time`, or
   * `unknown` if there are no values other than null.
   */
  readonly types: readonly string[];
  /** The number of previewed events in which it has a value. */
  readonly eventCount: number;
}

export interface TimeFinding {
  /** Fields that may be the time, best first, each with the format and zone suggested by its values. */
  readonly candidates: readonly {
    readonly settings: NonNullable<ReadSettings['time']>;
    /** A value from the file. */
    readonly sample: string;
    /** Whether the values include a zone. */
    readonly hasZone: boolean;
  }[];
  /** The earliest and latest time of the previewed events under the chosen settings; RFC 3339 with nanoseconds. */
  readonly first?: string;
  readonly last?: string;
  /** The number of previewed events without a readable time. */
  readonly withoutTime: number;
}

export interface PreviewNotice {
  readonly code:
    | 'reserved-field'
    | 'field-limit'
    | 'type-conflict'
    | 'map-field'
    | 'long-string'
    | 'long-name'
    | 'deep'
    | 'doubled-header'
    | 'ragged-rows'
    | 'precision'
    | 'empty-names'
    | 'broken-events'
    | 'no-time'
    | 'unread-time'
    | 'ambiguous-time';
  /** One sentence, and a second one if there is something to do. */
  readonly message: string;
  readonly fields: readonly string[];
}

/** A preview cell: the value as JSON text; undefined if the event lacks the field. */
export type PreviewCell = string | undefined;

export interface Preview {
  /** The settings, with guesses for those that weren't chosen. */
  readonly settings: ReadSettings;
  readonly fields: readonly PreviewField[];
  /** At most `PREVIEW_EVENTS` events, with one cell per field. `_time` is first. */
  readonly events: readonly { readonly line: number; readonly cells: readonly PreviewCell[] }[];
  readonly time: TimeFinding;
  readonly broken: readonly BrokenEvent[];
  readonly notices: readonly PreviewNotice[];
  /** Whether the preview has all events of the file. */
  readonly complete: boolean;
}

/** The known schema of the target dataset. Absent members are unknown. */
export interface TargetSchema {
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly mapFields: readonly string[];
  readonly maxFields?: number;
}

export const PREVIEW_EVENTS = 100;

// Batches

export interface BatchLimits {
  readonly events: number;
  /** Maximum bytes before compression. A single event above the limit, up to `eventBytes`, is sent alone. */
  readonly bytes: number;
  readonly eventBytes: number;
}

/** The end of a batch. The same file, settings and limits give the same batches. */
export interface Position {
  /** The number of batches up to here. */
  readonly batch: number;
  /** The number of events up to here, without broken ones. */
  readonly events: number;
  /** The number of broken events up to here. */
  readonly broken: number;
  /** The offset in the decoded, decompressed file, after any byte order mark. */
  readonly offset: number;
  /** The following line, from 1. */
  readonly line: number;
  /** Whether the position is inside a JSON array. */
  readonly inArray?: boolean;
  /** Stored bytes of the file read so far. Used for progress, and to find out whether a run read the entire file. */
  readonly stored: number;
}

export interface Batch {
  /** The request body. Readers leave it uncompressed and the run compresses it. The receiver owns its buffer. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Size of the body before compression. */
  readonly bytes: number;
  readonly contentEncoding: 'identity' | 'gzip' | 'zstd';
  readonly contentType: 'application/json' | 'application/x-ndjson' | 'text/csv';
  /** Query parameters, such as `timestamp-field`. */
  readonly query: Readonly<Record<string, string>>;
  /** Request headers, such as `X-Axiom-Event-Labels`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The number of events, within the limit. Zero if all events are broken; such a batch is not to be sent. */
  readonly events: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The earliest and latest time of its events, if the reader knows them; RFC 3339. */
  readonly firstTime?: string;
  readonly lastTime?: string;
  /** The broken events left out of this batch. */
  readonly broken: readonly BrokenEvent[];
  readonly start: Position;
  readonly end: Position;
}

/** An event of a batch, used to report events the service didn't store. */
export interface BatchEvent {
  /** The index in the batch as sent, from 0. */
  readonly index: number;
  readonly line: number;
  readonly lastLine: number;
  /** The text as in the file. */
  readonly text: string;
  /** RFC 3339, if the file has a time. */
  readonly time?: string;
}

/** Reads a file in order, on a worker thread or on the current one. */
export interface BatchReader {
  /** Rejects with a FileProblem or a read error. Ending the iteration early frees all resources. */
  batches(from?: Position): AsyncIterable<Batch>;
  /**
   * Reads a batch's events from the file again, after the service refused all or some of them. Every event is parsed,
   * and those that aren't valid events are returned as broken.
   */
  events(
    start: Position,
    end: Position,
  ): Promise<{
    readonly events: readonly BatchEvent[];
    /** Broken events that were sent. */
    readonly broken: readonly BrokenBatchEvent[];
  }>;
  /**
   * Returns the batch from `start` to `end` without the events at these indexes of the batch as sent. Line numbers
   * wouldn't do, because a JSON array may be a single line. NaN and Infinity become null, because a strict service
   * refuses them.
   */
  batchWithout(start: Position, end: Position, indexes: ReadonlySet<number>): Promise<Batch>;
  /**
   * Returns a body's memory from `batches` for reuse by later batches. Without reuse, allocating memory for a large
   * file costs more than reading it.
   */
  recycle?(body: Batch['body']): void;
  /**
   * Returns the text that starts a file with a subset of the events: the CSV header line with its line end, otherwise
   * an empty string.
   */
  fileHead(): Promise<string>;
}

export interface BrokenBatchEvent extends BrokenEvent {
  readonly index: number;
}

// Check only

export interface FileCheck {
  readonly events: number;
  readonly brokenCount: number;
  /** The first broken events, at most 1,000. */
  readonly broken: readonly BrokenEvent[];
  /** The fields as they would be stored. At most 10,000 names are counted, including those of nested objects. */
  readonly fields: readonly {
    readonly name: string;
    readonly types: readonly string[];
    readonly eventCount: number;
  }[];
  /** RFC 3339 with nanoseconds. */
  readonly firstTime?: string;
  readonly lastTime?: string;
  /** The number of events that would get their arrival time. */
  readonly withoutTime: number;
  readonly unreadTimes?: UnreadTimes;
  /** The number of CSV values per column that don't match the column's type and are sent as strings. */
  readonly mistyped: Readonly<Record<string, number>>;
  /** Same as in a RunReport. */
  readonly appendedBytes?: number;
}

/** Events whose time isn't RFC 3339 or can't be stored. The service refuses the event if it can't read the time. */
export interface UnreadTimes {
  readonly field: string;
  readonly events: number;
  /** The first event's line and time text. */
  readonly line: number;
  readonly text: string;
}

export interface CheckProgress {
  /** Bytes of the file as stored. */
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
  readonly broken: number;
}

// Sending

export type SendResult =
  | {
      readonly kind: 'answered';
      readonly ingested: number;
      readonly failed: number;
      readonly failures: readonly { readonly timestamp?: string; readonly error: string }[];
      readonly messages: readonly string[];
    }
  /** The batch wasn't stored and may be sent again unchanged. */
  | {
      readonly kind: 'later';
      readonly afterMs?: number;
      readonly message: string;
      readonly advice?: unknown;
    }
  /** The entire batch is refused; none of it is stored. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string;
      readonly advice?: unknown;
    }
  /** Unknown whether the batch is stored. */
  | { readonly kind: 'doubt'; readonly message: string; readonly advice?: unknown }
  /** None of the batch was sent: no connection, no token, or an untrusted certificate. */
  | { readonly kind: 'unsent'; readonly message: string; readonly advice?: unknown }
  | { readonly kind: 'cancelled'; readonly sent: boolean };

export interface Sink {
  /** Sends a batch. Never rejects. */
  send(batch: Batch, signal: AbortSignal): Promise<SendResult>;
  /** Creates the dataset after the service has answered that it doesn't exist. Never rejects. */
  create?(signal: AbortSignal): Promise<CreateResult>;
  /** Deletes the dataset created by this run, if it has no events. Never rejects. */
  deleteIfEmpty?(): Promise<void>;
}

export type CreateResult =
  | { readonly kind: 'created' }
  | { readonly kind: 'refused'; readonly message: string; readonly advice?: unknown };

export interface RunProgress {
  readonly state: 'sending' | 'waiting' | 'paused' | 'done';
  /** While waiting: the reason, and the end of the wait in ms since 1970. */
  readonly waiting?: { readonly message: string; readonly until: number };
  /** Stored bytes of the file whose events are decided: stored, failed or in doubt. */
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly secondsLeft?: number;
}

/** An event that wasn't stored. */
export interface FailedEvent extends BrokenEvent {
  /** Whether the reader couldn't read it or the service didn't store it. */
  readonly by: 'reader' | 'service';
  /**
   * Set if the service doesn't identify the events it didn't store: `count` of these `events` are not stored. The line
   * range covers all of them, and `text` is empty.
   */
  readonly among?: { readonly events: number; readonly count: number };
}

export interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly events: number;
}

/**
 * The result of a run, including its earlier parts if it was resumed. `read = stored + failed + doubt + unsent`, where
 * `doubt` is the sum of its ranges. `skipped` events are not part of `read`.
 */
export interface RunReport {
  readonly file: string;
  readonly dataset: string;
  /** The start time of the first part, by the local clock; RFC 3339. Absent for a check, which sends nothing. */
  readonly startedAt?: string;
  readonly outcome: 'complete' | 'cancelled' | 'stopped';
  /** The reason the run stopped. */
  readonly problem?: string;
  readonly advice?: unknown;
  readonly read: number;
  readonly stored: number;
  /** Events refused by the service. */
  readonly failed: number;
  /** Events read that are neither stored, failed nor in doubt. */
  readonly unsent: number;
  /** Events left out because they couldn't be read. */
  readonly skipped: number;
  /** Bytes sent, before compression, without attempts that were repeated. */
  readonly bytes: number;
  readonly durationMs: number;
  /** The first failed events, at most 1,000. The file of failed events has all of them. */
  readonly failures: readonly FailedEvent[];
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly doubt: readonly LineRange[];
  readonly messages: readonly string[];
  /** The earliest and latest time of the stored events, if the file has times; RFC 3339. */
  readonly firstTime?: string;
  readonly lastTime?: string;
  /** Bytes appended to the file while it was read. At most the rest of its last line was read. */
  readonly appendedBytes?: number;
  /** The file of failed events, in the original format, ready to be sent again. */
  readonly failedFile?: string;
  /** The first line that isn't known to be decided, if the run ended early. The run can be resumed there. */
  readonly resumeLine?: number;
}
