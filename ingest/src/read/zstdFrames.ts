// Decompresses zstd files of several frames, as written by parallel compressors and `cat`. Node stops after the first.
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { endedEarly, FrameEnds } from '../../../formats/src/zstdFrames.ts';

/** Yields the content of all frames. Throws the decompressor's errors, and an error if the last frame is truncated. */
export async function* decompressZstd(
  chunks: AsyncIterator<Buffer>,
  chunkSize: number,
): AsyncGenerator<Buffer, void, void> {
  const ends = new FrameEnds();
  let rest: Buffer | undefined;
  const more = async (): Promise<Buffer | undefined> => {
    const next = await chunks.next();
    return next.done ? undefined : next.value;
  };
  async function* frame(): AsyncGenerator<Buffer, void, void> {
    while (rest !== undefined) {
      const bytes: Buffer = rest;
      const end = ends.next(bytes);
      rest = end < 0 ? undefined : bytes.subarray(end);
      yield end < 0 ? bytes : bytes.subarray(0, end);
      if (end >= 0) return;
      rest = await more();
    }
  }
  for (;;) {
    if (rest === undefined || rest.length === 0) rest = await more();
    if (rest === undefined) {
      if (ends.isOpen) throw endedEarly();
      return;
    }
    const decompressor = createZstdDecompress({ chunkSize });
    // The loop below gets the error.
    pipeline(frame, decompressor, () => {});
    for await (const chunk of decompressor) yield chunk as Buffer;
  }
}
