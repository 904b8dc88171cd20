// Finds the frames of zstd data by the sizes at the start of their headers and blocks (RFC 8878, section 3). Node's
// decompressor only reads the first frame, and Node 22 accepts truncated frames as complete.
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
/** Magic numbers of skippable frames differ in the last four bits. */
const SKIPPABLE = 0x184d2a50;
const MAGIC_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
/** The block type that repeats a byte and contains only that byte. */
const REPEATED = 1;

/** Scans the bytes of a file or body and finds the end of each frame. */
export class FrameEnds {
  #part: Part = 'magic';
  /** Number of bytes missing from the current part. */
  #wanted = MAGIC_BYTES;
  /** The current part's bytes so far as a little-endian number. */
  #number = 0;
  #bits = 0;
  #checksum = false;
  #lastBlock = false;

  /** Whether a frame has begun but not ended. If nothing follows, it is truncated. */
  get isOpen(): boolean {
    return this.#part !== 'magic' || this.#wanted < MAGIC_BYTES;
  }

  /** Returns the offset in `bytes` at which the current frame ends, or -1 if it continues after them. */
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

  /** Starts the next part. Returns whether the frame has ended. */
  #advance(): boolean {
    const number = this.#number;
    this.#number = 0;
    this.#bits = 0;
    switch (this.#part) {
      case 'magic':
        if (number === MAGIC) return this.#begin('descriptor', 1);
        if (number - (number % 16) === SKIPPABLE) return this.#begin('skippedSize', 4);
        // This isn't a frame. The decompressor gets the bytes and reports the error.
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
    this.#begin('magic', MAGIC_BYTES);
    return true;
  }

  #begin(part: Part, bytes: number): false {
    this.#part = part;
    this.#wanted = bytes;
    return false;
  }
}

/** Returns the error that Node's decompressors throw for truncated data. */
export function endedEarly(): Error {
  return Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' });
}
