// Files that are read in the worker but whose bytes only this thread has, such as unsaved documents and files of
// other extensions. They are sent chunk by chunk, as the worker asks for them.
import type { Readable } from 'node:stream';
import type { FileSource } from '../../../ingest/src/contract.ts';
import { failureOf } from './worker/failures.ts';
import type { FromWorker, SourceAbout, ToWorker } from './worker/protocol.ts';

type Pull = Extract<FromWorker, { type: 'pull' | 'endPull' }>;

interface Open {
  readonly stream: Readable;
  readonly chunks: AsyncIterator<Uint8Array>;
}

export class HostSources {
  readonly #post: (message: ToWorker) => void;
  readonly #sources = new Map<number, FileSource>();
  readonly #open = new Map<number, Open>();
  #numbers = 0;

  constructor(post: (message: ToWorker) => void) {
    this.#post = post;
  }

  /** The file as it crosses to the worker. It is held until `remove`. */
  add(file: FileSource): SourceAbout {
    const source = this.#numbers++;
    const { name, path, size, modified } = file;
    this.#sources.set(source, file);
    return {
      source,
      name,
      size,
      ...(path !== undefined && { path }),
      ...(modified !== undefined && { modified }),
    };
  }

  remove({ source }: SourceAbout): void {
    this.#sources.delete(source);
  }

  receive(message: Pull): void {
    if (message.type === 'pull') void this.#pull(message);
    else {
      this.#open.get(message.pull)?.stream.destroy();
      this.#open.delete(message.pull);
    }
  }

  async #pull({ pull, source, from }: Extract<Pull, { type: 'pull' }>): Promise<void> {
    try {
      const open = this.#open.get(pull) ?? this.#begin(pull, source, from);
      const next = await open.chunks.next();
      this.#post({ type: 'bytes', pull, ...(!next.done && { bytes: next.value }) });
    } catch (error) {
      this.#post({ type: 'bytesFailure', pull, failure: failureOf(error) });
    }
  }

  #begin(pull: number, source: number, from: number): Open {
    const file = this.#sources.get(source);
    if (!file) throw new Error('Reading has ended.');
    const stream = file.open(from);
    const open = { stream, chunks: stream[Symbol.asyncIterator]() };
    this.#open.set(pull, open);
    return open;
  }
}
