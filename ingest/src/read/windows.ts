// One part of a file after another, each with the incomplete rest of the one before it in front. The next part is
// read while this one is looked at.
import type { ByteStream } from './byteStream.ts';

/** Small enough to stay in the processor's cache. */
export const WINDOW_BYTES = 1024 * 1024;

export class Windows {
  readonly #stream: ByteStream;
  readonly #until: number;
  readonly #size: number;
  /** Room in front of what is read, for a rest. */
  readonly #headroom: number;
  #spare: Buffer;
  /** What is being read into `#spare`. */
  #ahead: Promise<Part> | undefined;
  /** Where the next part is read. */
  #offset: number;

  /** The window: the bytes of `buffer` from `start` to `end`. */
  buffer: Buffer;
  start = 0;
  end = 0;
  /** The offset in the file of the buffer's first byte. */
  base: number;
  /** Bytes of the file as stored that had been read at the end of the window. */
  stored = 0;
  /** Whether the file ends with the window. */
  final = false;

  constructor(stream: ByteStream, offset: number, until: number, size: number) {
    this.#stream = stream;
    this.#offset = offset;
    this.#until = until;
    this.#size = size;
    this.#headroom = Math.ceil(size / 8);
    this.#spare = this.#allocate(size);
    this.buffer = this.#allocate(size);
    this.base = offset;
  }

  /** Goes on to the next window, in which what follows `passed` in this one comes first. */
  async advance(passed: number): Promise<void> {
    const { bytes, wanted, stored } = await (this.#ahead ?? this.#read());
    const rest = this.end - passed;
    const offset = this.base + passed;
    const headroom = this.#headroom;
    if (rest <= headroom) {
      this.buffer.copy(this.#spare, headroom - rest, passed, this.end);
      const { buffer } = this;
      this.buffer = this.#spare;
      this.#spare = buffer;
      this.start = headroom - rest;
    } else {
      // An event that does not fit. As much again is read next, so that it is looked at a few times only.
      const larger = this.#allocate(rest + bytes);
      this.buffer.copy(larger, headroom, passed, this.end);
      this.#spare.copy(larger, headroom + rest, headroom, headroom + bytes);
      this.buffer = larger;
      this.start = headroom;
    }
    this.end = this.start + rest + bytes;
    this.base = offset - this.start;
    this.stored = stored;
    this.final = bytes < wanted;
    const size = Math.max(this.#size, rest);
    if (this.#spare.length !== headroom + size) this.#spare = this.#allocate(size);
    this.#ahead = this.final ? undefined : this.#read();
    // Whoever advances next gets the error.
    this.#ahead?.catch(() => {});
  }

  async #read(): Promise<Part> {
    const headroom = this.#headroom;
    // One byte more than there is, so that the end is noticed.
    const wanted = Math.min(this.#spare.length - headroom, this.#until - this.#offset + 1);
    const room = Math.min(wanted, this.#until - this.#offset);
    const bytes = await this.#stream.fill(this.#spare.subarray(0, headroom + room), headroom);
    this.#offset += bytes;
    return { bytes, wanted, stored: this.#stream.stored };
  }

  #allocate(size: number): Buffer {
    return Buffer.allocUnsafeSlow(this.#headroom + size);
  }
}

interface Part {
  readonly bytes: number;
  readonly wanted: number;
  readonly stored: number;
}
