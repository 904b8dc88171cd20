// What the parts of ingest pass to one another: a file is previewed, cut into batches by a reader, sent by a
// run through a `Sink`, and reported.
import type { Readable } from 'node:stream';
import type { ReadSettings } from './settings.ts';

/** A file that can be opened more than once. */
export interface FileSource {
  readonly name: string;
  /** On a disk. Absent for what an editor, the clipboard or another file system provides. */
  readonly path?: string;
  /** Bytes as stored, compressed or not. What is appended later is not read. */
  readonly size: number;
  /** When it was last changed, in ms since 1970, where that is known. */
  readonly modified?: number;
  /** The bytes as stored, from an offset. */
  open(from?: number): Readable;
}

/** Something about a file that keeps it from being read. The message has what, where and what to do. */
export class FileProblem extends Error {
  /** From 1. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** What could not be read as an event. */
export interface BrokenEvent {
  /** From 1, as an editor shows the decoded file. */
  readonly line: number;
  readonly lastLine: number;
  readonly reason: string;
  /** As in the file, at most 64 KiB of it. */
  readonly text: string;
}

// Preview

export interface PreviewField {
  /** As it will be stored: flattened, and `_user_…` where the name is reserved. */
  readonly name: string;
  /** As in the file, where it differs. */
  readonly nameInFile?: string;
  /** The service's names of types: `string`, `integer`, `float`, `boolean`, `array`, `unknown` for null alone. */
  readonly types: readonly string[];
  /** In how many of the previewed events it has a value. */
  readonly present: number;
}

export interface TimeFinding {
  /** Fields that may be the time, best first, each with the format and zone that its values suggest. */
  readonly candidates: readonly {
    readonly settings: NonNullable<ReadSettings['time']>;
    /** A value from the file. */
    readonly sample: string;
    /** Whether values name a zone. */
    readonly hasZone: boolean;
  }[];
  /** The span of the previewed events' times, as chosen; RFC 3339 with nanoseconds. */
  readonly first?: string;
  readonly last?: string;
  /** Previewed events without a time that can be read. */
  readonly without: number;
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
  /** One sentence, and where there is something to do, a second. */
  readonly message: string;
  readonly fields: readonly string[];
}

/** A cell of the preview: the value as JSON text; undefined where the event does not have the field. */
export type PreviewCell = string | undefined;

export interface Preview {
  /** Guessed where they were not chosen. */
  readonly settings: ReadSettings;
  readonly fields: readonly PreviewField[];
  /** At most `PREVIEW_EVENTS`, a cell per field. `_time` is first. */
  readonly events: readonly { readonly line: number; readonly cells: readonly PreviewCell[] }[];
  readonly time: TimeFinding;
  readonly broken: readonly BrokenEvent[];
  readonly notices: readonly PreviewNotice[];
  /** Whether these are all events of the file. */
  readonly complete: boolean;
}

/** What is known of the target dataset; absent members are unknown. */
export interface TargetSchema {
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly mapFields: readonly string[];
  readonly maxFields?: number;
}

export const PREVIEW_EVENTS = 100;

// Batches

export interface BatchLimits {
  readonly events: number;
  /** Before compression. An event that alone exceeds it travels alone, up to `eventBytes`. */
  readonly bytes: number;
  readonly eventBytes: number;
}

/** Where a batch ends. The same file, settings and limits give the same batches. */
export interface Position {
  /** Batches up to here. */
  readonly batch: number;
  /** Events up to here, broken ones not counted. */
  readonly events: number;
  /** Broken events up to here. */
  readonly broken: number;
  /** In the decoded, decompressed file, from its first byte after the mark. */
  readonly offset: number;
  /** The line that follows, from 1. */
  readonly line: number;
  /** Whether that is inside a JSON array. */
  readonly inArray?: boolean;
  /** Bytes of the file as stored that had been read by then, for progress; of no other meaning. */
  readonly stored: number;
}

export interface Batch {
  /** Uncompressed from a reader; the run compresses it. The receiver owns its buffer. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Of the body before compression. */
  readonly bytes: number;
  readonly contentEncoding: 'identity' | 'gzip' | 'zstd';
  readonly contentType: 'application/json' | 'application/x-ndjson' | 'text/csv';
  /** `timestamp-field`, `timestamp-format`, `csv-delimiter`. */
  readonly query: Readonly<Record<string, string>>;
  /** `X-Axiom-CSV-Fields`, `X-Axiom-Event-Labels`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Not more than the limit; zero in a batch that has broken events alone, which is not to be sent. */
  readonly events: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The span of its events' times, where the reader knows them; RFC 3339. */
  readonly firstTime?: string;
  readonly lastTime?: string;
  /** Left out of this batch. */
  readonly broken: readonly BrokenEvent[];
  readonly start: Position;
  readonly end: Position;
}

/** An event of a batch, for reports of what the service did not store. */
export interface BatchEvent {
  /** Its place in the batch as it was sent, from 0. */
  readonly index: number;
  readonly line: number;
  readonly lastLine: number;
  /** As in the file. */
  readonly text: string;
  /** RFC 3339, where the file has a time. */
  readonly time?: string;
}

/** Reads a file in order. In a worker thread or in this one. */
export interface BatchReader {
  /** Rejects with a FileProblem or an error of reading. Ending the iteration early frees everything. */
  batches(from?: Position): AsyncIterable<Batch>;
  /**
   * The events of a batch, read from the file again; every one is parsed, and those that are not an event are
   * broken. For a batch of which the service refused all or some.
   */
  events(
    start: Position,
    end: Position,
  ): Promise<{
    readonly events: readonly BatchEvent[];
    /** Of those that were sent. */
    readonly broken: readonly BrokenBatchEvent[];
  }>;
  /**
   * The batch from `start` to `end` without the events at these places of the batch as it was sent. Lines would
   * not do: a JSON array may be a single line. NaN and Infinity, which a strict service refuses, become null.
   */
  batchWithout(start: Position, end: Position, indexes: ReadonlySet<number>): Promise<Batch>;
  /**
   * Takes back the memory of a body from `batches` that is not needed any more, to write later ones into. Without
   * it, a large file costs more for memory than for reading.
   */
  recycle?(body: Batch['body']): void;
  /** How a file with some of the events begins: the header line of CSV with its line end; otherwise empty. */
  fileHead(): Promise<string>;
}

export interface BrokenBatchEvent extends BrokenEvent {
  readonly index: number;
}

// Check only

export interface FileCheck {
  readonly events: number;
  readonly brokenCount: number;
  /** The first of them, at most 1,000. */
  readonly broken: readonly BrokenEvent[];
  /** As they would be stored; at most the first 10,000. */
  readonly fields: readonly {
    readonly name: string;
    readonly types: readonly string[];
    readonly present: number;
  }[];
  /** RFC 3339 with nanoseconds. */
  readonly firstTime?: string;
  readonly lastTime?: string;
  /** Events that would get the time of their arrival. */
  readonly withoutTime: number;
  readonly unreadTimes?: UnreadTimes;
  /** CSV values that are not of the type of their column and are sent as strings, by column. */
  readonly mistyped: Readonly<Record<string, number>>;
  /** As in a RunReport. */
  readonly grownBytes?: number;
}

/** Events whose time is not RFC 3339. The service reads it if it can, and refuses the event otherwise. */
export interface UnreadTimes {
  readonly field: string;
  readonly events: number;
  /** The line and the text of the first of them. */
  readonly line: number;
  readonly text: string;
}

export interface CheckProgress {
  /** Of the file as stored. */
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
  /** Nothing of the batch is stored, and the same may be sent again. */
  | {
      readonly kind: 'later';
      readonly afterMs?: number;
      readonly message: string;
      readonly advice?: unknown;
    }
  /** The batch is refused as a whole; nothing of it is stored. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string;
      readonly advice?: unknown;
    }
  /** Whether it is stored is unknown. */
  | { readonly kind: 'doubt'; readonly message: string; readonly advice?: unknown }
  /** Nothing of it was sent: no connection, no token, a certificate that is not trusted. */
  | { readonly kind: 'unsent'; readonly message: string; readonly advice?: unknown }
  | { readonly kind: 'cancelled'; readonly sent: boolean };

export interface Sink {
  /** Never rejects. */
  send(batch: Batch, signal: AbortSignal): Promise<SendResult>;
  /** Creates the dataset, after the service has answered that it does not exist. Never rejects. */
  create?(signal: AbortSignal): Promise<CreateResult>;
  /** Deletes the dataset that was created, if it has no events. Never rejects. */
  deleteIfEmpty?(): Promise<void>;
}

export type CreateResult =
  | { readonly kind: 'created' }
  | { readonly kind: 'refused'; readonly message: string; readonly advice?: unknown };

export interface RunProgress {
  readonly state: 'sending' | 'waiting' | 'paused' | 'done';
  /** While waiting: why, and until when (ms since 1970). */
  readonly waiting?: { readonly message: string; readonly until: number };
  /** Bytes of the file as stored, whose events were answered. */
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly secondsLeft?: number;
}

/** An event that is not stored. */
export interface FailedEvent extends BrokenEvent {
  /** Whether it could not be read, or the service did not store it. */
  readonly by: 'reader' | 'service';
  /**
   * Where the service does not say which events it did not store: how many it may be, of which `count` are not
   * stored. The lines are those of all of them, and `text` is empty.
   */
  readonly among?: { readonly events: number; readonly count: number };
}

export interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly events: number;
}

/**
 * What came of a run, with what earlier parts of it came to where it was resumed. `read = stored + failed +
 * doubt + unsent`, where `doubt` is the sum of its ranges; `skipped` events are not in `read`.
 */
export interface RunReport {
  readonly file: string;
  readonly dataset: string;
  /** When its first part began, by the clock of this machine; RFC 3339. Absent where nothing was sent. */
  readonly startedAt?: string;
  readonly outcome: 'complete' | 'cancelled' | 'stopped';
  /** Why it stopped. */
  readonly problem?: string;
  readonly advice?: unknown;
  readonly read: number;
  readonly stored: number;
  /** Refused by the service. */
  readonly failed: number;
  /** Read and not sent. */
  readonly unsent: number;
  /** Left out, since they could not be read. */
  readonly skipped: number;
  /** Bytes sent, before compression. */
  readonly bytes: number;
  readonly durationMs: number;
  /** The first of them, at most 1,000; all are in the file of failed events. */
  readonly failures: readonly FailedEvent[];
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly doubt: readonly LineRange[];
  readonly messages: readonly string[];
  /** The span of the stored events' times, where the file has them; RFC 3339. */
  readonly firstTime?: string;
  readonly lastTime?: string;
  /** Bytes that were appended to the file while it was read. They were not read, except the rest of its last line. */
  readonly grownBytes?: number;
  /** The file with the failed events, in the format of the file, ready to be sent again. */
  readonly failedFile?: string;
  /** The first line that was not sent, where it ended early; the run can be resumed there. */
  readonly resumeLine?: number;
}
