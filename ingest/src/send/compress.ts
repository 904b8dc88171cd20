// Compresses the bodies of batches on the thread pool, at the fastest level, because higher ones cost more than they
// save. Few run at once, because the pool also serves the process's file reads and the sending thread needs a
// processor.
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Batch } from '../contract.ts';

export type SendEncoding = Batch['contentEncoding'];

/** Larger than the default of 16 KiB, for fewer round trips to the thread pool. */
const CHUNK_BYTES = 1024 * 1024;
const CONCURRENT_MAX = Math.max(1, Math.min(2, availableParallelism() - 1));

/** zstd, or gzip if this version of Node lacks zstd. */
export const bestEncoding: SendEncoding = 'zstdCompress' in zlib ? 'zstd' : 'gzip';

const gzip: (bytes: Uint8Array, options: zlib.ZlibOptions) => Promise<Buffer> = promisify(
  zlib.gzip,
);

let running = 0;
const waiting: (() => void)[] = [];

/** Returns the batch as it is sent. */
export async function compressed(batch: Batch, encoding: SendEncoding): Promise<Batch> {
  if (encoding === 'identity' || batch.contentEncoding !== 'identity') return batch;
  if (running >= CONCURRENT_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    const body = await (encoding === 'gzip' ? gzipped(batch.body) : zstd(batch.body));
    return { ...batch, body: body as Buffer<ArrayBuffer>, contentEncoding: encoding };
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function gzipped(bytes: Uint8Array): Promise<Buffer> {
  return gzip(bytes, { level: 1, chunkSize: CHUNK_BYTES });
}

function zstd(bytes: Uint8Array): Promise<Buffer> {
  const { ZSTD_c_compressionLevel: level } = zlib.constants;
  return promisify(zlib.zstdCompress)(bytes, { chunkSize: CHUNK_BYTES, params: { [level]: 1 } });
}
