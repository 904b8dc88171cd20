// Decompresses zstd files of several frames, as parallel compressors and `cat` make them: Node stops after the first.
// Frames are found by the sizes that their headers and blocks start with (RFC 8878, section 3).
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';

type Part =
  | 'magic'
  | 'skippedSize'
  | 'skipped'
  | 'descriptor'
  | 'header'
  | 'block'
  | 'data'
  | 'checksum';

const MAGIC = 0xfd2fb528;
/** Magic numbers of skippable frames differ in their last four bits. */
const SKIPPABLE = 0x184d2a50;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
/** A block that repeats a byte has just that one. */
const REPEATED = 1;

/** Follows the bytes of a file and finds where a frame ends. */
class FrameEnds {
  #part: Part = 'magic';
  /** Bytes of the present part that are still to come. */
  #wanted = 4;
  /** What the bytes of the part so far are as a number, the first byte the lowest. */
  #number = 0;
  #bits = 0;
  #checksum = false;
  #lastBlock = false;

  /** Where in `bytes` the present frame ends, or -1 if it goes on after them. */
  next(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#part === 'data' || this.#part === 'skipped' || this.#part === 'header') {
        const passed = Math.min(this.#wanted, bytes.length - at);
        at += passed;
        this.#wanted -= passed;
      } else {
        this.#number += (bytes[at] as number) * 2 ** this.#bits;
        this.#bits += 8;
        this.#wanted -= 1;
        at += 1;
      }
      // A part may be empty, such as the data of an empty block.
      while (this.#wanted === 0) {
        if (this.#advance()) return at;
      }
    }
    return -1;
  }

  /** Begins the next part. Returns whether the frame has ended. */
  #advance(): boolean {
    const number = this.#number;
    this.#number = 0;
    this.#bits = 0;
    switch (this.#part) {
      case 'magic':
        if (number === MAGIC) return this.#begin('descriptor', 1);
        if (number - (number % 16) === SKIPPABLE) return this.#begin('skippedSize', 4);
        // Not a frame. The decompressor gets it and says so.
        return this.#begin('skipped', Number.POSITIVE_INFINITY);
      case 'skippedSize':
        return this.#begin('skipped', number);
      case 'descriptor': {
        const single = (number & 0x20) !== 0;
        this.#checksum = (number & 0x04) !== 0;
        const dictionary = [0, 1, 2, 4][number & 3] as number;
        const contentSize = [single ? 1 : 0, 2, 4, 8][number >> 6] as number;
        return this.#begin('header', (single ? 0 : 1) + dictionary + contentSize);
      }
      case 'header':
        return this.#begin('block', BLOCK_HEADER_BYTES);
      case 'block':
        this.#lastBlock = (number & 1) !== 0;
        return this.#begin('data', ((number >> 1) & 3) === REPEATED ? 1 : number >> 3);
      case 'data':
        if (!this.#lastBlock) return this.#begin('block', BLOCK_HEADER_BYTES);
        if (this.#checksum) return this.#begin('checksum', CHECKSUM_BYTES);
        break;
    }
    this.#begin('magic', 4);
    return true;
  }

  #begin(part: Part, bytes: number): false {
    this.#part = part;
    this.#wanted = bytes;
    return false;
  }
}

/** The content of all frames. Throws what the decompressor throws. */
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
    if (rest === undefined) return;
    const decompressor = createZstdDecompress({ chunkSize });
    // The loop below gets the error.
    pipeline(frame, decompressor, () => {});
    for await (const chunk of decompressor) yield chunk as Buffer;
  }
}
