// The host's side of the worker thread that reads files. The thread ends after a minute without calls, and the next
// call starts it again.
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
import type { ProgressOf } from '../rpc/calls.ts';
import type { CallOptions } from '../rpc/client.ts';
import { ThreadClient } from '../rpc/thread.ts';
import { SharedBytes } from './sharedBytes.ts';
import { errorOf } from './worker/failures.ts';
import type { Events, Methods, PreviewRequest, ReadTarget } from './worker/protocol.ts';

const IDLE_MS = 60_000;

type Settings = Omit<ReadTarget, 'file'>;

export class ReaderWorker {
  readonly #thread: ThreadClient<Methods, Events>;
  readonly #shared = new SharedBytes();
  readonly #streams = new Set<number>();
  #count = 0;

  /** `path` is the path of the worker's script, dist/ingest.cjs. */
  constructor(path: string | URL) {
    this.#thread = new ThreadClient({
      path,
      name: 'ingest',
      title: 'The thread that reads files',
      endedMessage: 'Reading was ended.',
      errorOf,
      idleMilliseconds: IDLE_MS,
    });
  }

  open(file: FileSource, settings: ReadSettings, limits: BatchLimits): BatchReader {
    const how = { settings, limits };
    this.#count += 1;
    const stream = this.#count;
    return {
      batches: (from) => this.#batches(stream, file, how, from),
      recycle: (body) => {
        if (this.#streams.has(stream))
          this.#thread.send('recycle', { stream, body }, [body.buffer]);
      },
      events: (start, end) => this.#call(file, 'events', { ...how, start, end }),
      batchWithout: (start, end, indexes) =>
        this.#call(file, 'batchWithout', { ...how, start, end, indexes }),
      fileHead: () => this.#call(file, 'fileHead', how),
    };
  }

  /** Reads the first events of a file. Rejects with a FileProblem. */
  preview(file: FileSource, request: PreviewRequest, signal: AbortSignal): Promise<Preview> {
    return this.#call(file, 'preview', request, { signal });
  }

  /** Reads an entire file without sending it. Rejects with a FileProblem. */
  check(
    file: FileSource,
    settings: ReadSettings,
    options: CallOptions<CheckProgress>,
  ): Promise<FileCheck> {
    return this.#call(file, 'check', { settings }, options);
  }

  /** Ends the worker. Calls in progress fail. */
  async dispose(): Promise<void> {
    this.#shared.dispose();
    await this.#thread.end();
  }

  /** Calls a method for a file. Rejects with the signal's reason if the signal is aborted. */
  async #call<Name extends Exclude<keyof Methods, 'batches'>>(
    file: FileSource,
    method: Name,
    params: Omit<Methods[Name]['params'], 'file'>,
    options: CallOptions<ProgressOf<Methods[Name]>> = {},
  ): Promise<Methods[Name]['result']> {
    options.signal?.throwIfAborted();
    const about = await this.#shared.acquire(file);
    try {
      const all = { ...params, file: about } as Methods[Name]['params'];
      return await this.#thread.call(method, all, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      this.#shared.release(file);
    }
  }

  async *#batches(
    stream: number,
    file: FileSource,
    how: Settings,
    from?: Position,
  ): AsyncGenerator<Batch, void, void> {
    const about = await this.#shared.acquire(file);
    this.#streams.add(stream);
    try {
      const start = from && { from };
      yield* this.#thread.stream('batches', { ...how, ...start, file: about, stream });
    } finally {
      this.#streams.delete(stream);
      this.#shared.release(file);
    }
  }
}
