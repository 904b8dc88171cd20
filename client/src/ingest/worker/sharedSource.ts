// Reads a file from shared memory. Chunks are copied, because Node.js functions don't accept shared memory.
import { Readable } from 'node:stream';
import type { FileSource } from '../../../../ingest/src/contract.ts';

const CHUNK_BYTES = 256 * 1024;

export function sharedSource(file: Omit<FileSource, 'open'>, bytes: Uint8Array): FileSource {
  return {
    ...file,
    open: (from = 0) => Readable.from(copies(bytes, from), { objectMode: false }),
  };
}

function* copies(bytes: Uint8Array, from: number): Generator<Uint8Array, void, void> {
  for (let at = from; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.slice(at, at + CHUNK_BYTES);
  }
}
