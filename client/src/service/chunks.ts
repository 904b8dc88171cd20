/**
 * Passes a response's body on in chunks that another thread can read. The pieces that the connection delivers are copied
 * and freed at once: as garbage they would have the collector mark the entire heap of the extension host several times.
 */
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Chunk } from './answerSink.ts';

/** The length of each chunk of a body except the last one, which may be shorter. */
export const CHUNK_BYTES = 256 * 1024;

/**
 * Receives unpacked bytes and owns the buffer. Resolves when it can accept more, with an earlier chunk's buffer to reuse
 * if there is one. A rejection ends the request.
 */
export type TakeChunk = (chunk: Chunk) => Promise<SharedArrayBuffer | undefined>;

/** Passes the body on in chunks of equal size. Returns false if it is longer than `limit` bytes. */
export async function passOn(body: Readable, take: TakeChunk, limit: number): Promise<boolean> {
  let length = 0;
  let chunk = emptyChunk();
  let filled = 0;
  const copy = async (piece: Buffer) => {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + chunk.length - filled);
      chunk.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < chunk.length) continue;
      chunk = emptyChunk(await take(chunk));
      filled = 0;
    }
  };
  // Don't iterate over the body, because an iterator concatenates the pieces that wait, which copies them once more.
  const target = new Writable({
    highWaterMark: CHUNK_BYTES,
    write(piece: Buffer, _encoding, done) {
      length += piece.length;
      if (length > limit) return done(new TooLong());
      copy(piece).then(() => {
        free(piece);
        done();
      }, done);
    },
  });
  try {
    await pipeline(body, target);
  } catch (error) {
    if (error instanceof TooLong) return false;
    throw error;
  }
  if (filled > 0) await take(chunk.subarray(0, filled));
  return true;
}

class TooLong extends Error {}

/** Frees a piece's memory if nothing else can be in its buffer. */
function free({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/** Reuses buffers, because the garbage collector runs early and marks the entire heap if many are allocated. */
function emptyChunk(spare = new SharedArrayBuffer(CHUNK_BYTES)): Chunk {
  return new Uint8Array(spare);
}
