// The calls to the worker thread that reads files. The memory of batches is transferred rather than copied.
import type {
  Batch,
  BatchEvent,
  BatchLimits,
  BrokenBatchEvent,
  CheckProgress,
  FileCheck,
  FileSource,
  Position,
  Preview,
  TargetSchema,
} from '../../../../ingest/src/contract.ts';
import type { ChosenSettings } from '../../../../ingest/src/preview/settings.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';
import type { Failure, Method } from '../../rpc/calls.ts';

/** A file for the worker: a path on disk, or bytes in shared memory. */
export type SourceAbout = Pick<FileSource, 'name' | 'size' | 'modified'> &
  ({ readonly path: string } | { readonly bytes: Uint8Array });

export interface PreviewRequest {
  /** Explicitly chosen settings. Missing settings are guessed. */
  readonly choices: ChosenSettings;
  readonly target?: TargetSchema;
}

interface OfFile {
  readonly file: SourceAbout;
}

export interface ReadTarget extends OfFile {
  readonly settings: ReadSettings;
  readonly limits: BatchLimits;
}

interface Span {
  readonly start: Position;
  readonly end: Position;
}

export interface Methods {
  /** `stream` identifies the call in `recycle` events. */
  readonly batches: Method<
    ReadTarget & { readonly stream: number; readonly from?: Position },
    AsyncIterable<Batch>
  >;
  readonly events: Method<
    ReadTarget & Span,
    { readonly events: readonly BatchEvent[]; readonly broken: readonly BrokenBatchEvent[] }
  >;
  readonly batchWithout: Method<
    ReadTarget & Span & { readonly indexes: ReadonlySet<number> },
    Batch
  >;
  readonly fileHead: Method<ReadTarget, string>;
  readonly preview: Method<OfFile & PreviewRequest, Preview>;
  readonly check: Method<OfFile & { readonly settings: ReadSettings }, FileCheck, CheckProgress>;
}

/** A sent batch's body, whose memory the stream's reader can reuse. */
export interface Recycled {
  readonly stream: number;
  readonly body: Batch['body'];
}

export interface Events {
  readonly recycle: Recycled;
}

export interface ReadFailure extends Failure {
  /** Whether the message is about the file and meant for the user. */
  readonly isFileProblem: boolean;
  readonly line?: number;
}
