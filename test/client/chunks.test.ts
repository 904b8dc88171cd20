// The pieces of a response's body are copied into shared chunks, and their memory is freed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { CHUNK_BYTES, passOn } from '../../client/src/service/chunks.ts';

/** Bytes in a buffer of their own, as a connection delivers them. */
function ownPiece(length: number): Buffer {
  const piece = Buffer.allocUnsafeSlow(length);
  randomBytes(length).copy(piece);
  return piece;
}

/** Passes the pieces on, and returns the bytes that arrived. Each chunk's buffer is filled again. */
async function passed(pieces: readonly Buffer[], limit = Number.POSITIVE_INFINITY) {
  const received: Buffer[] = [];
  const isComplete = await passOn(
    Readable.from(pieces, { objectMode: false }),
    async (chunk) => {
      received.push(Buffer.from(chunk));
      return chunk.length === CHUNK_BYTES ? chunk.buffer : undefined;
    },
    limit,
  );
  return { isComplete, bytes: Buffer.concat(received) };
}

describe('a body that is passed on', () => {
  it('arrives unchanged, and the memory of its pieces is freed', async () => {
    const pieces = Array.from({ length: 40 }, (_, index) => ownPiece(60_000 + index));
    const expected = Buffer.concat(pieces);
    const { isComplete, bytes } = await passed(pieces);
    assert.ok(isComplete);
    assert.ok(bytes.equals(expected));
    assert.ok(pieces.every(({ buffer }) => buffer.byteLength === 0));
  });

  it('arrives unchanged if its pieces share a buffer, which is not freed', async () => {
    const shared = ownPiece(3 * CHUNK_BYTES);
    const expected = Buffer.from(shared);
    const pieces = [shared.subarray(0, 100_000), shared.subarray(100_000)];
    const { bytes } = await passed(pieces);
    assert.ok(bytes.equals(expected));
    assert.equal(shared.buffer.byteLength, expected.length);
  });

  it('ends at the maximum length, which it may reach but not exceed', async () => {
    const [first, second] = [ownPiece(1_000), ownPiece(1_000)];
    assert.equal((await passed([Buffer.from(first), Buffer.from(second)], 2_000)).isComplete, true);
    assert.equal((await passed([first, second], 1_999)).isComplete, false);
  });
});
