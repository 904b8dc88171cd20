/** Frames of zstd data: the end of each frame, and whether the last one is incomplete. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { constants, zstdCompressSync } from 'node:zlib';
import { FrameEnds } from '../../formats/src/zstdFrames.ts';

const text = Array.from({ length: 40_000 }, (_, n) => `{"n":${n},"even":${n % 2 === 0}}\n`).join(
  '',
);
const withChecksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const frames = [
  zstdCompressSync(text),
  zstdCompressSync(''),
  zstdCompressSync(text.slice(0, 90_000), withChecksum),
  zstdCompressSync('a'.repeat(500_000)),
];
const whole = Buffer.concat(frames);

/** Returns the offsets at which frames end, for data that arrives in pieces. */
function endsOf(bytes: Buffer, pieceBytes: number): { readonly ends: number[]; isOpen: boolean } {
  const frameEnds = new FrameEnds();
  const ends: number[] = [];
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    let piece = bytes.subarray(from, from + pieceBytes);
    for (let end = frameEnds.next(piece); end >= 0; end = frameEnds.next(piece)) {
      ends.push(piece.byteOffset - bytes.byteOffset + end);
      piece = piece.subarray(end);
    }
  }
  return { ends, isOpen: frameEnds.isOpen };
}

const boundaries = frames.map((_, index) =>
  frames.slice(0, index + 1).reduce((sum, { length }) => sum + length, 0),
);

describe('zstd frames', () => {
  it('have the same end offsets for any piece size', () => {
    for (const pieceBytes of [1, 7, 4_096, whole.length])
      assert.deepEqual(endsOf(whole, pieceBytes), { ends: boundaries, isOpen: false });
  });

  it('are open at every length except frame ends', () => {
    const lengths = Array.from(
      { length: 200 },
      (_, at) => 1 + Math.floor((at * whole.length) / 200),
    );
    for (const length of [...lengths, ...boundaries, ...boundaries.map((end) => end + 2)]) {
      if (length > whole.length) continue;
      const { isOpen } = endsOf(whole.subarray(0, length), 4_096);
      assert.equal(isOpen, !boundaries.includes(length), `${length} bytes`);
    }
  });

  it('are not open before the first byte', () => {
    assert.equal(new FrameEnds().isOpen, false);
  });
});
