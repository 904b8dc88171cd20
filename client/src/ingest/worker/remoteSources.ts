// Files whose bytes only the host has, read in the worker: each chunk is asked for when it is needed.
import { Readable } from 'node:stream';
import type { FileSource } from '../../../../ingest/src/contract.ts';
import { errorOf } from './failures.ts';
import type { FromWorker, SourceAbout, ToWorker } from './protocol.ts';

interface Waiting {
  readonly resolve: (bytes: Uint8Array | undefined) => void;
  readonly reject: (error: Error) => void;
}

export class RemoteSources {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<number, Waiting>();
  #pulls = 0;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  open({ source, name, size }: SourceAbout): FileSource {
    return {
      name,
      size,
      open: (from = 0) => Readable.from(this.#chunks(source, from), { objectMode: false }),
    };
  }

  receive(message: Extract<ToWorker, { type: 'bytes' | 'bytesFailure' }>): void {
    const waiting = this.#waiting.get(message.pull);
    this.#waiting.delete(message.pull);
    if (message.type === 'bytes') waiting?.resolve(message.bytes);
    else waiting?.reject(errorOf(message.failure));
  }

  async *#chunks(source: number, from: number): AsyncGenerator<Uint8Array, void, void> {
    const pull = this.#pulls++;
    try {
      for (;;) {
        const bytes = await new Promise<Uint8Array | undefined>((resolve, reject) => {
          this.#waiting.set(pull, { resolve, reject });
          this.#post({ type: 'pull', pull, source, from });
        });
        if (bytes === undefined) return;
        yield bytes;
      }
    } finally {
      this.#post({ type: 'endPull', pull });
    }
  }
}
