// What the extension host and the worker thread that reads files say to each other. Batches cross with the memory
// of their bodies, and only as many as the host has given credit for, so that neither side runs ahead.
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

/** A file as it crosses to the worker. Without a path, the worker asks the host for its bytes. */
export interface SourceAbout {
  /** The host's number of the source. */
  readonly source: number;
  readonly name: string;
  readonly path?: string;
  readonly size: number;
  readonly modified?: number;
}

/** What is read, and how. */
export interface ReadTarget {
  readonly file: SourceAbout;
  readonly settings: ReadSettings;
  readonly limits: BatchLimits;
}

/** Calls that are answered once, by name: their parameters and results. */
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
  /** What was chosen; the rest is guessed. */
  readonly choices: ChosenSettings;
  readonly target?: TargetSchema;
}

export type MethodName = keyof Methods;

export interface ReadFailure {
  readonly message: string;
  /** Whether it is about the file, with a message for a person. */
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
  /** Begins to read batches; `credit` may cross before more is given. */
  | {
      readonly type: 'read';
      readonly stream: number;
      readonly target: ReadTarget;
      readonly from?: Position;
      readonly credit: number;
    }
  | { readonly type: 'credit'; readonly stream: number }
  /** The memory of a body that was sent. */
  | { readonly type: 'recycle'; readonly stream: number; readonly body: Batch['body'] }
  /** Nothing more of the stream is wanted. */
  | { readonly type: 'stop'; readonly stream: number }
  /** The next bytes of a source without a path; none at its end. */
  | { readonly type: 'bytes'; readonly pull: number; readonly bytes?: Uint8Array }
  | { readonly type: 'bytesFailure'; readonly pull: number; readonly failure: ReadFailure };

export type FromWorker =
  | { readonly type: 'progress'; readonly call: number; readonly progress: CheckProgress }
  | { readonly type: 'result'; readonly call: number; readonly result: unknown }
  | { readonly type: 'failure'; readonly call: number; readonly failure: ReadFailure }
  | { readonly type: 'batch'; readonly stream: number; readonly batch: Batch }
  | { readonly type: 'end'; readonly stream: number; readonly failure?: ReadFailure }
  /** Asks for the next bytes; the first request of a pull opens the source at an offset. */
  | {
      readonly type: 'pull';
      readonly pull: number;
      readonly source: number;
      readonly from: number;
    }
  | { readonly type: 'endPull'; readonly pull: number };
