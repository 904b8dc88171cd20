// Answers the host's calls in the worker.
import type { BatchReader, CheckProgress, FileSource } from '../../../../ingest/src/contract.ts';
import { previewFile } from '../../../../ingest/src/preview/previewFile.ts';
import { checkFile } from '../../../../ingest/src/read/checkFile.ts';
import { batchReader } from '../../../../ingest/src/read/reader.ts';
import { fileSource } from '../../../../ingest/src/read/sources.ts';
import { failureOf } from './failures.ts';
import type {
  FromWorker,
  MethodName,
  Methods,
  ReadTarget,
  SourceAbout,
  ToWorker,
} from './protocol.ts';
import { sharedSource } from './sharedSource.ts';

type Post = (message: FromWorker, transfer?: readonly ArrayBuffer[]) => void;

type Handlers = {
  readonly [Name in MethodName]: (
    params: Methods[Name]['params'],
    task: Task,
  ) => Promise<Methods[Name]['result']>;
};

/** A call in progress. */
interface Task {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CheckProgress) => void;
}

const PROGRESS_MS = 100;

/** A stream of batches to the host. */
interface Stream {
  readonly reader: BatchReader;
  credit: number;
  isStopped: boolean;
  /** Resumes reading after more credit or a request to stop. */
  wake: () => void;
}

export class ReadServer {
  readonly #post: Post;
  readonly #streams = new Map<number, Stream>();
  readonly #calls = new Map<number, AbortController>();
  readonly #handlers: Handlers = {
    events: (params) => readerOf(params).events(params.start, params.end),
    batchWithout: (params) =>
      readerOf(params).batchWithout(params.start, params.end, params.indexes),
    fileHead: (params) => readerOf(params).fileHead(),
    preview: ({ file, choices, target }, { signal }) =>
      previewFile(sourceOf(file), choices, target, signal),
    check: ({ file, settings }, { signal, onProgress }) =>
      checkFile(sourceOf(file), settings, signal, onProgress),
  };

  constructor(post: Post) {
    this.#post = post;
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'call':
        return void this.#call(message.call, message.method, message.params);
      case 'cancel':
        return this.#calls.get(message.call)?.abort();
      case 'read':
        return void this.#read(message);
      case 'credit':
      case 'stop': {
        const stream = this.#streams.get(message.stream);
        if (!stream) return;
        if (message.type === 'credit') stream.credit += 1;
        else stream.isStopped = true;
        stream.wake();
        return;
      }
      case 'recycle':
        return this.#streams.get(message.stream)?.reader.recycle?.(message.body);
    }
  }

  async #call(call: number, method: MethodName, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(call, controller);
    try {
      const task = { signal: controller.signal, onProgress: this.#progressOf(call) };
      const result = await this.#handlers[method](params as never, task);
      const isBatch = typeof result === 'object' && 'body' in result;
      this.#post({ type: 'result', call, result }, isBatch ? [result.body.buffer] : []);
    } catch (error) {
      this.#post({ type: 'failure', call, failure: failureOf(error) });
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Posts progress at most ten times a second. */
  #progressOf(call: number): Task['onProgress'] {
    let posted = 0;
    return (progress) => {
      if (performance.now() - posted < PROGRESS_MS) return;
      posted = performance.now();
      this.#post({ type: 'progress', call, progress });
    };
  }

  async #read({ stream: id, target, from, credit }: Extract<ToWorker, { type: 'read' }>) {
    const reader = readerOf(target);
    const stream: Stream = { reader, credit, isStopped: false, wake: () => {} };
    this.#streams.set(id, stream);
    try {
      for await (const batch of reader.batches(from)) {
        while (stream.credit === 0 && !stream.isStopped) {
          await new Promise<void>((resolve) => {
            stream.wake = resolve;
          });
        }
        if (stream.isStopped) break;
        stream.credit -= 1;
        this.#post({ type: 'batch', stream: id, batch }, [batch.body.buffer]);
      }
      this.#post({ type: 'end', stream: id });
    } catch (error) {
      this.#post({ type: 'end', stream: id, failure: failureOf(error) });
    } finally {
      this.#streams.delete(id);
    }
  }
}

function readerOf({ file, settings, limits }: ReadTarget): BatchReader {
  return batchReader(sourceOf(file), settings, limits);
}

function sourceOf({ bytes, path, ...file }: SourceAbout): FileSource {
  return path === undefined
    ? sharedSource(file, bytes ?? new Uint8Array())
    : fileSource({ ...file, path });
}
