// The host's end of the worker thread that reads files. The thread starts with the first reader, ends after a minute
// without calls, and starts again after a crash.
import { Worker } from 'node:worker_threads';
import type {
  Batch,
  BatchLimits,
  BatchReader,
  CheckProgress,
  FileCheck,
  FileSource,
  Position,
  Preview,
} from '../../../ingest/src/contract.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import { SharedBytes } from './sharedBytes.ts';
import { errorOf } from './worker/failures.ts';
import type {
  FromWorker,
  MethodName,
  Methods,
  PreviewRequest,
  ReadTarget,
  ToWorker,
} from './worker/protocol.ts';

/** The number of batches that the worker may read ahead. */
const CREDIT = 2;
const IDLE_MS = 60_000;

export interface CallOptions {
  /** Rejects the call with its reason when it is aborted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

interface Pending extends Pick<CallOptions, 'onProgress'> {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** Batches of a stream that were received and not taken yet. */
interface Stream {
  readonly batches: Batch[];
  end?: { readonly error?: Error };
  wake: () => void;
}

export class ReaderWorker {
  readonly #path: string | URL;
  readonly #shared = new SharedBytes();
  readonly #pending = new Map<number, Pending>();
  readonly #streams = new Map<number, Stream>();
  #worker: Worker | undefined;
  #numbers = 0;
  #idle: NodeJS.Timeout | undefined;

  /** `path` is the file of the worker, dist/ingest.cjs. */
  constructor(path: string | URL) {
    this.#path = path;
  }

  /** Returns a reader that reads in the worker. */
  open(file: FileSource, settings: ReadSettings, limits: BatchLimits): BatchReader {
    const how = { settings, limits };
    let stream: number | undefined;
    return {
      batches: (from) => {
        stream = this.#numbers++;
        return this.#batches(stream, file, how, from);
      },
      recycle: (body) => {
        if (stream !== undefined && this.#streams.has(stream))
          this.#post({ type: 'recycle', stream, body }, [body.buffer]);
      },
      events: (start, end) => this.#callOn(file, 'events', { ...how, start, end }),
      batchWithout: (start, end, indexes) =>
        this.#callOn(file, 'batchWithout', { ...how, start, end, indexes }),
      fileHead: () => this.#callOn(file, 'fileHead', how),
    };
  }

  /** Reads the head of a file. Rejects with a FileProblem. */
  preview(file: FileSource, request: PreviewRequest, signal: AbortSignal): Promise<Preview> {
    return this.#callOn(file, 'preview', request, { signal });
  }

  /** Reads all of a file and sends nothing. Rejects with a FileProblem. */
  check(file: FileSource, settings: ReadSettings, options: CallOptions): Promise<FileCheck> {
    return this.#callOn(file, 'check', { settings }, options);
  }

  /** Calls a method about a file. */
  async #callOn<Name extends MethodName>(
    file: FileSource,
    method: Name,
    params: Omit<Methods[Name]['params'], 'file'>,
    options: CallOptions = {},
  ): Promise<Methods[Name]['result']> {
    const about = await this.#shared.acquire(file);
    try {
      const all = { ...params, file: about } as Methods[Name]['params'];
      return await this.#call(method, all, options);
    } finally {
      this.#shared.release(file);
    }
  }

  async #call<Name extends MethodName>(
    method: Name,
    params: Methods[Name]['params'],
    { signal, onProgress }: CallOptions,
  ): Promise<Methods[Name]['result']> {
    signal?.throwIfAborted();
    const call = this.#numbers++;
    const cancel = () => this.#post({ type: 'cancel', call });
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(call, { resolve, reject, onProgress });
        this.#post({ type: 'call', call, method, params } as ToWorker);
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Ends the worker. Calls in progress fail. */
  async dispose(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll('Reading was ended.');
    await worker?.terminate();
  }

  async *#batches(
    id: number,
    file: FileSource,
    how: Omit<ReadTarget, 'file'>,
    from?: Position,
  ): AsyncGenerator<Batch, void, void> {
    const target: ReadTarget = { ...how, file: await this.#shared.acquire(file) };
    const stream: Stream = { batches: [], wake: () => {} };
    this.#streams.set(id, stream);
    try {
      this.#post({ type: 'read', stream: id, target, credit: CREDIT, ...(from && { from }) });
      for (;;) {
        const batch = stream.batches.shift();
        if (batch) {
          this.#post({ type: 'credit', stream: id });
          yield batch;
        } else if (stream.end) {
          if (stream.end.error) throw stream.end.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            stream.wake = resolve;
          });
        }
      }
    } finally {
      this.#streams.delete(id);
      this.#shared.release(file);
      if (!stream.end) this.#post({ type: 'stop', stream: id });
      this.#idleSoon();
    }
  }

  #post(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    clearTimeout(this.#idle);
    this.#started().postMessage(message, [...transfer]);
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#path, { name: 'ingest', execArgv: [] });
    this.#worker = worker;
    let problem: string | undefined;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error: Error) => {
      problem = error.message;
    });
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#failAll(`The thread that reads files ended: ${problem ?? `exit code ${code}`}.`);
    });
    return worker;
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'result':
      case 'failure': {
        const pending = this.#pending.get(message.call);
        this.#pending.delete(message.call);
        if (message.type === 'result') pending?.resolve(message.result as never);
        else pending?.reject(errorOf(message.failure));
        this.#idleSoon();
        return;
      }
      case 'progress':
        return this.#pending.get(message.call)?.onProgress?.(message.progress);
      case 'batch':
      case 'end': {
        const stream = this.#streams.get(message.stream);
        if (!stream) return;
        if (message.type === 'batch') stream.batches.push(message.batch);
        else stream.end = message.failure ? { error: errorOf(message.failure) } : {};
        stream.wake();
        return;
      }
    }
  }

  #failAll(message: string): void {
    const error = new Error(message);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    for (const stream of this.#streams.values()) {
      stream.end ??= { error };
      stream.wake();
    }
  }

  #idleSoon(): void {
    clearTimeout(this.#idle);
    if (this.#pending.size > 0 || this.#streams.size > 0) return;
    this.#idle = setTimeout(() => void this.dispose(), IDLE_MS);
    this.#idle.unref();
  }
}
