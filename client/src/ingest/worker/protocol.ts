// Messages between the extension host and the worker thread that reads files. Batches are transferred with the memory
// of their bodies. The worker sends only as many as the host has given credit for, so that neither side runs ahead.
import type {
  Batch,
  BatchEvent,
  BatchLimits,
  BrokenBatchEvent,
  CheckProgress,
  FileCheck,
  Position,
  Preview,
  TargetSchema,
} from '../../../../ingest/src/contract.ts';
import type { ChosenSettings } from '../../../../ingest/src/preview/settings.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';

/** A file as it crosses to the worker: on disk at `path`, or with its bytes in shared memory. */
export interface SourceAbout {
  readonly name: string;
  readonly path?: string;
  readonly bytes?: Uint8Array;
  readonly size: number;
  readonly modified?: number;
}

/** A file with the settings and limits it is read with. */
export interface ReadTarget {
  readonly file: SourceAbout;
  readonly settings: ReadSettings;
  readonly limits: BatchLimits;
}

/** Parameters and results of the calls with one reply, by name. */
export interface Methods {
  events: {
    readonly params: ReadTarget & { readonly start: Position; readonly end: Position };
    readonly result: {
      readonly events: readonly BatchEvent[];
      readonly broken: readonly BrokenBatchEvent[];
    };
  };
  batchWithout: {
    readonly params: ReadTarget & {
      readonly start: Position;
      readonly end: Position;
      readonly indexes: ReadonlySet<number>;
    };
    readonly result: Batch;
  };
  fileHead: { readonly params: ReadTarget; readonly result: string };
  preview: {
    readonly params: { readonly file: SourceAbout } & PreviewRequest;
    readonly result: Preview;
  };
  check: {
    readonly params: { readonly file: SourceAbout; readonly settings: ReadSettings };
    readonly result: FileCheck;
  };
}

export interface PreviewRequest {
  /** Explicit settings. The others are guessed. */
  readonly choices: ChosenSettings;
  readonly target?: TargetSchema;
}

export type MethodName = keyof Methods;

export interface ReadFailure {
  readonly message: string;
  /** Whether the message is about the file and meant for the user. */
  readonly isFileProblem: boolean;
  readonly line?: number;
}

export type ToWorker =
  | {
      readonly [Name in MethodName]: {
        readonly type: 'call';
        readonly call: number;
        readonly method: Name;
        readonly params: Methods[Name]['params'];
      };
    }[MethodName]
  | { readonly type: 'cancel'; readonly call: number }
  /** Starts reading batches; `credit` of them may be sent before more is given. */
  | {
      readonly type: 'read';
      readonly stream: number;
      readonly target: ReadTarget;
      readonly from?: Position;
      readonly credit: number;
    }
  | { readonly type: 'credit'; readonly stream: number }
  /** Returns the memory of a body that was sent. */
  | { readonly type: 'recycle'; readonly stream: number; readonly body: Batch['body'] }
  /** Ends a stream early. */
  | { readonly type: 'stop'; readonly stream: number };

export type FromWorker =
  | { readonly type: 'progress'; readonly call: number; readonly progress: CheckProgress }
  | { readonly type: 'result'; readonly call: number; readonly result: unknown }
  | { readonly type: 'failure'; readonly call: number; readonly failure: ReadFailure }
  | { readonly type: 'batch'; readonly stream: number; readonly batch: Batch }
  | { readonly type: 'end'; readonly stream: number; readonly failure?: ReadFailure };
